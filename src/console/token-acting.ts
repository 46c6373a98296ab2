import * as z from 'zod'
import { TokenUse } from '../people/converse/tokens.ts'
import { plain } from '../platform/text.ts'
import type { ActionRequest } from './actions.ts'
import { tokensPage } from './pages/tokens.ts'
import type { PageRequest } from './pages.ts'
import type { ConsoleParts } from './parts.ts'
import { type ConsoleReply, notFound } from './reply.ts'

const Fields = z.object({
  name: z
    .string()
    .transform((text) => plain(text, 60))
    .catch(''),
  use: TokenUse.catch('feeds'),
})

/** The page of tokens, and what is done there. */
export function createTokenPages({ tokens }: Pick<ConsoleParts, 'tokens'>) {
  async function look({ context }: PageRequest): Promise<ConsoleReply> {
    return { page: tokensPage({ tokens: await tokens.list() }, context) }
  }

  async function make({ by, key, fields, context, root }: ActionRequest): Promise<ConsoleReply> {
    const { name, use } = Fields.parse(fields)
    const not = async (problem: string) => ({
      page: tokensPage({ tokens: await tokens.list(), name, problem }, context),
    })
    if (name === '') return not('Say who or what reads with it, in a few words.')
    const made = await tokens.make({ by, key }, { name, use })
    if (made === 'full') return not('There are a hundred tokens. Revoke those that nobody uses.')
    if (made === 'already')
      return not(
        'This form was sent before. A token that it made is not shown again: revoke it where it is listed, and make another.',
      )
    const shown = { ...made, feed: `${root}/feed.atom`, api: `${root}/api/v1/events` }
    return { page: tokensPage({ tokens: await tokens.list(), made: shown }, context) }
  }

  async function revoke({ by, key }: ActionRequest, id: string): Promise<ConsoleReply> {
    const result = await tokens.revoke({ by, key }, id)
    if (result === 'unknown') return notFound('There is no such token: it was revoked before.')
    return { to: '/tokens?done=token-revoked' }
  }

  return { look, make, revoke }
}
