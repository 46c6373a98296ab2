import {
  type RESTPatchAPIChannelMessageJSONBody,
  type RESTPostAPIChannelMessageJSONBody,
  Routes,
  SnowflakeUtil,
} from 'discord.js'
import * as z from 'zod'
import type { Attempt, Channel, SendResult } from '../channel.ts'
import { type Earlier, type Page, rememberEarlier } from '../earlier.ts'
import type { Message } from '../message.ts'
import { checkBot } from './check-bot.ts'
import { contentOf, failureToComplete, messageId, notNamed } from './complete.ts'
import { type Failure, failureOf, notDiscord } from './failure.ts'
import { footerNames, formatDiscord } from './format.ts'
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

/** Pages of a hundred messages, read once after a start. A desk's channel sees fewer in the day of the retries. */
const mostPages = 50

export function openBotChannel(name: string, to: string, bot: Bot): Channel {
  const earlier = rememberEarlier()
  return {
    name,
    type: 'discord',
    // Discord's headers set the pace: past the limit that they tell, a try ends in `retry` without being sent.
    paceMs: 0,
    send: (message, attempt) =>
      withOwnSignal(attempt.signal, (signal) => send(message, { ...attempt, signal }, { to, bot, earlier })),
    complete: (message, receipt, signal) =>
      withOwnSignal(signal, (own) => complete(message, receipt, { to, bot }, own)),
    check: () => checkBot(to, bot),
    async close() {
      bot.close()
    },
  }
}

interface Place {
  to: string
  bot: Bot
  earlier: Earlier
}

async function send(message: Message, attempt: Attempt, place: Place): Promise<SendResult> {
  const found = attempt.uncertain ? await lookFor(message.id, attempt, place) : undefined
  if (found !== undefined) return found
  place.earlier.trying(message.id)
  const result = await post(message, attempt, place)
  if (result.result !== 'retry' || !result.uncertain) place.earlier.isCertain(message.id)
  return result
}

async function post(message: Message, { signal }: Attempt, { to, bot }: Place): Promise<SendResult> {
  try {
    const body: RESTPostAPIChannelMessageJSONBody = formatDiscord(message, to)
    const answer = await bot.rest().post(Routes.channelMessages(to), { body, signal })
    const created = Created.safeParse(answer)
    return created.success ? { result: 'sent', receipt: created.data.id } : notDiscord()
  } catch (error) {
    return failureOf(error, 'bot', signal)
  }
}

async function complete(
  message: Message,
  receipt: string,
  { to, bot }: Pick<Place, 'to' | 'bot'>,
  signal: AbortSignal,
): Promise<SendResult> {
  const id = messageId(receipt)
  if (id === undefined) return notNamed
  try {
    const body: RESTPatchAPIChannelMessageJSONBody = contentOf(message)
    await bot.rest().patch(Routes.channelMessage(to, id), { body, signal })
    return { result: 'sent', receipt }
  } catch (error) {
    return failureToComplete(error, 'bot', signal)
  }
}

/**
 * Looks for what an earlier try may have left in the channel. The nonce keeps repeats out for "a few minutes"
 * only, and retries go on for a day. A bot may read its own messages without the privileged message content
 * intent. Where Discord does not let it look, the message is sent: told twice is better than never. Where Discord
 * cannot answer now, the try ends and the next one looks again.
 */
async function lookFor(
  id: string,
  { since, signal }: Attempt,
  place: Place,
): Promise<SendResult | undefined> {
  const event = { id, since, isIt: (footer: string) => footerNames(footer, id) }
  try {
    const found = await place.earlier.find(event, (from, next) => readPosted(place, from, next, signal))
    return found === undefined ? undefined : { result: 'sent', receipt: found }
  } catch (error) {
    const failure: Failure = failureOf(error, 'bot', signal)
    return failure.result === 'retry' ? { ...failure, uncertain: true } : undefined
  }
}

/** What the bot wrote since `from` (milliseconds since the epoch), oldest first, by its footers. */
async function* readPosted(
  { to, bot }: Place,
  from: number,
  next: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const self = Self.parse(await bot.rest().get(Routes.user(), { signal }))
  let after = next ?? snowflakeAt(from)
  for (let page = 0; page < mostPages; page++) {
    const query = new URLSearchParams({ limit: String(pageSize), after })
    const messages = Messages.parse(await bot.rest().get(Routes.channelMessages(to), { query, signal }))
    after = messages.map(({ id }) => id).reduce(later, after)
    const own = messages.filter(({ author }) => author.id === self.id)
    const posted = own.flatMap(({ id, embeds }) =>
      embeds.flatMap(({ footer }) => (footer === undefined ? [] : [{ mark: footer.text, receipt: id }])),
    )
    yield { posted, next: after }
    if (messages.length < pageSize) return
  }
}

function snowflakeAt(milliseconds: number): string {
  const timestamp = Math.max(milliseconds, Number(SnowflakeUtil.epoch))
  return SnowflakeUtil.generate({ timestamp, workerId: 0n, processId: 0n, increment: 0n }).toString()
}

function later(one: string, other: string): string {
  return BigInt(other) > BigInt(one) ? other : one
}
