import { type RESTPostAPIChannelMessageJSONBody, Routes, SnowflakeUtil } from 'discord.js'
import * as z from 'zod'
import type { Attempt, Channel, SendResult } from '../channel.ts'
import type { Message } from '../message.ts'
import { checkBot } from './check-bot.ts'
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

/** Pages of a hundred messages. A desk's channel sees fewer in the day that a notification is retried. */
const mostPages = 10

export function openBotChannel(name: string, to: string, bot: Bot): Channel {
  return {
    name,
    type: 'discord',
    // Discord's headers set the pace: past the limit that they tell, a try ends in `retry` without being sent.
    paceMs: 0,
    send: (message, attempt) =>
      withOwnSignal(attempt.signal, (signal) => send(message, { ...attempt, signal }, to, bot)),
    check: () => checkBot(to, bot),
    async close() {
      bot.close()
    },
  }
}

async function send(message: Message, attempt: Attempt, to: string, bot: Bot): Promise<SendResult> {
  try {
    const earlier = attempt.uncertain ? await lookFor(message.id, attempt, to, bot) : undefined
    if (earlier !== undefined) return earlier
    const body: RESTPostAPIChannelMessageJSONBody = formatDiscord(message, to)
    const answer = await bot.rest().post(Routes.channelMessages(to), { body, signal: attempt.signal })
    const created = Created.safeParse(answer)
    return created.success ? { result: 'sent', receipt: created.data.id } : notDiscord()
  } catch (error) {
    return failureOf(error, 'bot', attempt.signal)
  }
}

/**
 * Looks for what an earlier try may have left in the channel. The nonce keeps repeats out for "a few minutes"
 * only, and retries go on for a day. A bot may read its own messages without the privileged message content
 * intent. Where Discord does not let it look, the message is sent: told twice is better than never. Where Discord
 * cannot answer now, the try ends and the next one looks again.
 */
async function lookFor(id: string, attempt: Attempt, to: string, bot: Bot): Promise<SendResult | undefined> {
  try {
    const found = await earlierMessage(id, attempt, to, bot)
    return found === undefined ? undefined : { result: 'sent', receipt: found }
  } catch (error) {
    const failure: Failure = failureOf(error, 'bot', attempt.signal)
    return failure.result === 'retry' ? { ...failure, uncertain: true } : undefined
  }
}

async function earlierMessage(
  id: string,
  attempt: Attempt,
  to: string,
  bot: Bot,
): Promise<string | undefined> {
  const { signal } = attempt
  const self = Self.parse(await bot.rest().get(Routes.user(), { signal }))
  // Clocks differ: a minute earlier than we took the event in.
  let after = snowflakeAt(attempt.since - 60_000)
  for (let page = 0; page < mostPages; page++) {
    const query = new URLSearchParams({ limit: String(pageSize), after })
    const messages = Messages.parse(await bot.rest().get(Routes.channelMessages(to), { query, signal }))
    const own = messages.find(
      ({ author, embeds }) =>
        author.id === self.id &&
        embeds.some(({ footer }) => footer !== undefined && footerNames(footer.text, id)),
    )
    if (own !== undefined) return own.id
    if (messages.length < pageSize) return undefined
    after = messages.map((message) => message.id).reduce(later, after)
  }
  return undefined
}

function snowflakeAt(milliseconds: number): string {
  const timestamp = Math.max(milliseconds, Number(SnowflakeUtil.epoch))
  return SnowflakeUtil.generate({ timestamp, workerId: 0n, processId: 0n, increment: 0n }).toString()
}

function later(one: string, other: string): string {
  return BigInt(other) > BigInt(one) ? other : one
}
