import * as z from 'zod'
import type { Person, Scope } from '../event/act.ts'
import { knownCategories } from '../event/event.ts'
import { isUnreached } from '../event/outcome.ts'
import { endFrom, waysToEnd } from '../people/converse/until.ts'
import { plain } from '../platform/text.ts'
import type { ConsolePages, PageRequest } from './pages.ts'
import type { ConsoleParts } from './parts.ts'
import { type ConsoleReply, notFound } from './reply.ts'

/** Who does something, with what they filled in. */
export interface ActionRequest extends PageRequest {
  by: Person
  /** Of the form: a second click is the same act. */
  key: string
  fields: Record<string, unknown>
}

const short = z
  .string()
  .trim()
  .max(100)
  .transform((text) => (text === '' ? undefined : text))
  .optional()
  .catch(undefined)

/** As the form of a silence is filled in. */
export const SilenceFields = z.object({
  model: short,
  category: short,
  channel: short,
  about: z.string().max(300).optional().catch(undefined),
  until: z.string().trim().max(40).optional().catch(undefined),
  why: z.string().trim().max(200).optional().catch(undefined),
})

const Channel = z.object({ channel: z.string().optional().catch(undefined) })
/** One alert, by its id; else all that is held. */
const Held = z.object({ id: z.string().max(300).optional().catch(undefined) })

function notACategory(category: string): string {
  return `No alert has had the category ${plain(category)}; there are ${knownCategories.join(', ')}.`
}

const tooLong = 'A silence ends later than now, and within 30 days.'

/** What people do here: the same acts as in a chat or by command, each put down with its person before it takes effect. */
export function createActs(parts: ConsoleParts, looking: ConsolePages) {
  const { control, sendings, config, clock } = parts

  async function acknowledge({ by, key }: ActionRequest, id: string): Promise<ConsoleReply> {
    const { result } = await control.acts.acknowledge({ by, key }, id)
    if (result === 'unknown') return unknownAlert
    return { to: `${pathOf(id)}?done=${result === 'done' ? 'acknowledged' : 'acknowledged-before'}` }
  }

  async function sendAgain({ by, key, fields }: ActionRequest, id: string): Promise<ConsoleReply> {
    const { channel } = Channel.parse(fields)
    const stored = await control.event(id)
    if (stored === undefined) return unknownAlert
    const channels = config().channels.map(({ name }) => name)
    if (channel === undefined || !channels.includes(channel)) {
      return notFound('No such channel is configured.')
    }
    const standing: ConsoleReply = { to: `${pathOf(id)}?done=sent-before` }
    // By an old page, or by somebody else meanwhile.
    if (!isUnreached(stored.outcomes[channel])) return standing
    await sendings.sendAgain({ by, key }, id, [channel])
    // Also where the act was there before: who put it down may have ended before it was owed.
    const isOwed = await parts.sendAgain(id, channel)
    return isOwed ? { to: `${pathOf(id)}?done=sent-again` } : standing
  }

  async function silence(acting: ActionRequest): Promise<ConsoleReply> {
    const { by, key, fields, context } = acting
    const wanted = SilenceFields.parse(fields)
    const { until, why, about } = wanted
    const problem = (text: string) => looking.silences(acting, { wanted, problem: text })
    const end = endFrom(until ?? '', context.timeZone, clock.now())
    if (end === undefined) return problem(`The end cannot be read. Write ${waysToEnd}.`)
    if (why === undefined || why === '') return problem('Say why, in a few words: others will ask.')
    const scope = scopeOf(wanted)
    if (scope.channel !== undefined && !config().channels.some(({ name }) => name === scope.channel)) {
      return problem('No such channel is configured.')
    }
    const asked = { scope, until: end, why, ...(about !== undefined && { about }) }
    const { result } = await control.acts.silence({ by, key }, asked)
    if (result === 'bad-end') return problem(tooLong)
    if (result === 'no-category') return problem(notACategory(scope.category ?? ''))
    return { to: '/silences?done=silenced' }
  }

  async function endSilence({ by, key }: ActionRequest, id: string): Promise<ConsoleReply> {
    const { result } = await control.acts.endSilence({ by, key }, id)
    if (result === 'unknown') return notFound('No such silence is known: it ended some time ago.')
    return { to: `/silences?done=${result === 'done' ? 'silence-ended' : 'silence-ended-before'}` }
  }

  async function sendHeld({ by, key, fields }: ActionRequest, channel: string): Promise<ConsoleReply> {
    const { id } = Held.parse(fields)
    const { result } = await control.sendHeld({ by, key }, channel, id)
    if (result === 'unknown-channel') return notFound('No such channel is configured.')
    const to = id === undefined ? '/channels' : pathOf(id)
    return { to: `${to}?done=${result === 'sent' ? 'sent-held' : 'nothing-held'}` }
  }

  async function test(acting: ActionRequest, channel: string): Promise<ConsoleReply> {
    if (!config().channels.some(({ name }) => name === channel)) {
      return notFound('No such channel is configured.')
    }
    const { by, key } = acting
    if ((await sendings.test({ by, key }, channel)) === 'already') return { to: '/channels?done=sent-before' }
    return looking.channels(acting, { channel, ...(await parts.sendTest(channel, { by, key })) })
  }

  return { acknowledge, sendAgain, silence, endSilence, sendHeld, test }
}

const unknownAlert = notFound('No such alert is stored: it was never here, or is older than the retention.')

function scopeOf({ model, category, channel }: z.infer<typeof SilenceFields>): Scope {
  return {
    ...(model !== undefined && { model: model.toLowerCase() }),
    ...(category !== undefined && category.toLowerCase() !== 'all' && { category: category.toLowerCase() }),
    ...(channel !== undefined && { channel }),
  }
}

function pathOf(id: string): string {
  return `/alerts/${encodeURIComponent(id)}`
}
