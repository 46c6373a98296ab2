import type { KnownToken, TokenUse } from '../people/converse/tokens.ts'
import { plain } from '../platform/text.ts'
import type { ActOptions } from './acts.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { doer } from './current-user.ts'
import { CommandFailure } from './failure.ts'
import { minuteText } from './monitor/numbers.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

export interface TokenOptions extends ActOptions {
  for: TokenUse
}

/** Standard output has the token alone, so that a script may keep it. */
export async function addToken(name: string, options: TokenOptions, terminal: Terminal): Promise<void> {
  const config = await configOf(options)
  const shown = plain(name, 60)
  if (shown === '') throw new CommandFailure('NAME must say who or what uses the token, in a few words', 2)
  const made = await withControl(config, terminal, ({ tokens }) =>
    tokens.make(doer(options), { name: shown, use: options.for }),
  )
  if (made === 'full')
    throw new CommandFailure('there are already a hundred tokens; revoke those that nobody uses')
  if (made === 'already')
    throw new CommandFailure('this token was already created and cannot be shown again; create another one')
  if (config.console === undefined) {
    terminal.note('The configuration has no console yet. The token works once it has one (docs/alerts.md).\n')
  }
  if (options.json) return terminal.out(`${JSON.stringify({ ...shownOf(made.known), token: made.token })}\n`)
  terminal.note(`${made.known.id}: it is shown only once and stored nowhere.\n`)
  terminal.out(`${made.token}\n`)
}

export async function listTokens(options: CommandOptions, terminal: Terminal): Promise<void> {
  const tokens = await withControl(await configOf(options), terminal, (control) => control.tokens.list())
  if (options.json) return terminal.out(tokens.map((one) => `${JSON.stringify(shownOf(one))}\n`).join(''))
  if (tokens.length === 0) return terminal.note('There are no tokens.\n')
  terminal.out(table(tokens.map(row)))
}

export async function revokeToken(id: string, options: ActOptions, terminal: Terminal): Promise<void> {
  const result = await withControl(await configOf(options), terminal, ({ tokens }) =>
    tokens.revoke(doer(options), id),
  )
  if (result === 'unknown') {
    throw new CommandFailure(`there is no token ${plain(id)}; bluepencil token list shows them all`)
  }
  if (options.json) return terminal.out(`${JSON.stringify({ id, result })}\n`)
  terminal.out(`${plain(id)} is revoked and no longer works.\n`)
}

function row({ id, name, use, madeBy, madeAt, usedAt }: KnownToken): string[] {
  const used = usedAt === undefined ? 'not used yet' : `last used ${minuteText(usedAt)}, to the hour`
  return [id, plain(name), `for ${use}`, `made ${minuteText(madeAt)} by ${plain(madeBy)}`, used]
}

/** Without its hash, which says nothing and which nobody needs; JSON leaves out what is undefined. */
function shownOf(known: KnownToken) {
  return { ...known, hash: undefined }
}
