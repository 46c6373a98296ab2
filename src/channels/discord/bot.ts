import { DiscordAPIError, type RESTPostAPIChannelMessageJSONBody, Routes } from 'discord.js'
import * as z from 'zod'
import type { Receipt } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import { minuteMs } from '../../platform/durations.ts'
import type { Attempt, Channel, SendResult } from '../channel.ts'
import { createSearchBounds, type SearchBounds } from '../search-bounds.ts'
import { checkBot, type RequiredFeatures } from './check.ts'
import { changesBy } from './edit.ts'
import { failureOf, notDiscord } from './failure.ts'
import { footerNames, formatDiscord } from './format.ts'
import { jumpLink } from './jump-link.ts'
import { type Bot, withOwnSignal } from './rest.ts'

const Created = z.object({ id: z.string() })
const Self = z.object({ id: z.string() })
const Messages = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    embeds: z.array(z.object({ footer: z.object({ text: z.string() }).optional() })),
  }),
)

const pageSize = 100

/** Pages of a hundred messages, newest first, if it is not known where to begin: after a restart. */
const mostPages = 20

/** A search may take several requests, each with its own time-out, before the message is posted. */
const tryMs = 10 * minuteMs

/** A channel that a bot writes to. */
export function openBotChannel(
  { name, to, ...features }: { name: string; to: string } & RequiredFeatures,
  bot: Bot,
): Channel {
  const place: SearchPlace = { to, bot, bounds: createSearchBounds(), mayNotRead: false, author: undefined }
  return {
    name,
    type: 'discord',
    // Discord's headers set the pace: past their limit, a try ends in `retry` without being sent.
    paceMs: 0,
    tryMs,
    isHeard: features.hearing !== undefined,
    place: to,
    get cannotVerifyDelivery() {
      return place.mayNotRead
    },
    send: (message, attempt) =>
      withOwnSignal(attempt.signal, (signal) => send(message, { ...attempt, signal }, place)),
    // To Discord a thread is a channel. Messages from before places were kept stand in the channel of the configuration.
    ...changesBy(
      'bot',
      ({ place = to, id }, request) => bot.rest().patch(Routes.channelMessage(place, id), request),
      features.pictures,
    ),
    linkTo: (receipt, signal) =>
      withOwnSignal(signal, async (own) =>
        jumpLink(await bot.rest().get(Routes.channel(receipt.place ?? to), { signal: own }), receipt),
      ),
    check: () => checkBot(to, bot, features),
    async close() {
      bot.close()
    },
  }
}

interface SearchPlace {
  to: string
  bot: Bot
  bounds: SearchBounds
  /** Discord does not let the bot read the channel. */
  mayNotRead: boolean
  /** The bot's own id. */
  author: string | undefined
}

async function send(message: Message, attempt: Attempt, place: SearchPlace): Promise<SendResult> {
  const earlierCopy = attempt.uncertain ? await findEarlier(message.id, attempt, place) : undefined
  const result = earlierCopy ?? (await post(message, attempt, place))
  if (result.result !== 'retry' || !result.uncertain) place.bounds.isCertain(message.id)
  return result
}

async function post(
  message: Message,
  { signal }: Attempt,
  { to, bot, bounds }: SearchPlace,
): Promise<SendResult> {
  bounds.trying(message.id)
  try {
    const body: Omit<RESTPostAPIChannelMessageJSONBody, 'allowed_mentions'> = formatDiscord(message, to)
    const answer = await bot.rest().post(Routes.channelMessages(to), { body, signal })
    const created = Created.safeParse(answer)
    if (!created.success) return notDiscord()
    bounds.posted(created.data.id)
    return { result: 'sent', receipt: receiptOf(to, created.data.id) }
  } catch (error) {
    return failureOf(error, 'bot', signal)
  }
}

/** To Discord a thread is a channel, with an id of its own: `place` may be one. */
function receiptOf(place: string, id: string): Receipt {
  return { place, id, text: id }
}

/**
 * Searches for what an earlier try may have left in the channel. The nonce keeps repeats out for "a few minutes"
 * only, and retries go on for a day. A bot may read its own messages without the privileged message content
 * intent. If Discord does not let it read, see `cannotRead`. If Discord cannot answer now, the try ends and the
 * next one searches again.
 */
async function findEarlier(
  id: string,
  { signal, repeat = false }: Attempt,
  place: SearchPlace,
): Promise<SendResult | undefined> {
  try {
    const { found, newest } = await search(id, signal, place)
    // Who may not read the history gets an empty list, and no error.
    place.mayNotRead = newest === undefined && place.bounds.after(id) === undefined
    if (found !== undefined) return { result: 'sent', receipt: receiptOf(place.to, found) }
    if (place.mayNotRead) return cannotRead(id, repeat, place.bounds)
    place.bounds.isAbsent(id, newest)
    return undefined
  } catch (error) {
    const failure = failureOf(error, 'bot', signal)
    if (failure.result === 'retry') return { ...failure, uncertain: true, unanswered: false }
    if (error instanceof DiscordAPIError && error.status === 401) return failure
    place.mayNotRead = true
    return cannotRead(id, repeat, place.bounds)
  }
}

/**
 * A try that this process has just made is made again at once, while the nonce holds. Of an earlier process nobody knows
 * how long ago it was: another copy is sent only as a repeat, whose time has come.
 */
function cannotRead(id: string, repeat: boolean, bounds: SearchBounds): SendResult | undefined {
  if (repeat || bounds.isTried(id)) return undefined
  const why =
    'An earlier attempt may have arrived. The bot cannot check, because it may not read the channel.'
  return { result: 'retry', why, uncertain: true, unanswered: true }
}

/** The message's id, if it is among those that the bot wrote, and the newest id of the channel. */
async function search(
  id: string,
  signal: AbortSignal,
  place: SearchPlace,
): Promise<{ found?: string; newest?: string | undefined }> {
  const { to, bot, bounds } = place
  place.author ??= Self.parse(await bot.rest().get(Routes.user(), { signal })).id
  const after = bounds.after(id)
  let newest: string | undefined
  let before: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(before !== undefined && { before }) })
    const messages = Messages.parse(await bot.rest().get(Routes.channelMessages(to), { query, signal }))
    for (const message of messages) {
      newest = newest === undefined ? message.id : later(newest, message.id)
      before = before === undefined ? message.id : earlierOf(before, message.id)
      const isOwn = message.author.id === place.author
      if (
        isOwn &&
        message.embeds.some(({ footer }) => footer !== undefined && footerNames(footer.text, id))
      ) {
        return { found: message.id, newest }
      }
    }
    const isBehind = after !== undefined && before !== undefined && BigInt(before) <= BigInt(after)
    if (isBehind || messages.length < pageSize) break
  }
  return { newest }
}

function later(id: string, other: string): string {
  return BigInt(other) > BigInt(id) ? other : id
}

function earlierOf(id: string, other: string): string {
  return BigInt(other) < BigInt(id) ? other : id
}
