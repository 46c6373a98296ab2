import { Client, Events, GatewayDispatchEvents, Options, Routes } from 'discord.js'
import { type Clock, within } from '../../clock.ts'
import type { Connection, ConnectParts } from '../listen.ts'
import { chatTimeoutMs, createDiscordAnswering, openChatBot } from './answering.ts'
import { registerCommands } from './commands.ts'
import type { DiscordAccount } from './config.ts'
import { failureOf } from './failure.ts'
import { Interaction, type PersonsInteraction } from './interaction.ts'
import { type Bot, restOptions } from './rest.ts'

/** Before the next try, doubled with each that fails: Discord allows a thousand sessions a day. */
const firstWaitMs = 5_000
const longestWaitMs = 5 * 60_000
/** Nobody's name, message or place is kept. */
const nothing = { UserManager: 0, GuildMemberManager: 0, MessageManager: 0, ThreadManager: 0 }
/** A connection that is not there, or not again, by then is given up for a new one. */
const patienceMs = 60_000
const closeMs = 1_000

/**
 * Keeps a session at the gateway (https://docs.discord.com/developers/events/gateway), without any intent: interactions come
 * all the same, and nothing else does. discord.js keeps it up: heartbeats, resumption, limits. What it keeps of the server's
 * people and channels is nothing.
 */
export function connectDiscord(account: DiscordAccount, parts: ConnectParts & { clock: Clock }): Connection {
  const { clock, onHeard, onUnheard, onError } = parts
  const bot = openChatBot(account)
  const answering = createDiscordAnswering(bot, parts)
  const ending = new AbortController()

  async function answer(read: PersonsInteraction): Promise<void> {
    const responded = await answering(read)
    if (responded === undefined || responded.isRepeat) return
    const body = responded.response
    try {
      await bot.rest().post(Routes.interactionCallback(read.id, read.token), { body, auth: false })
    } catch (error) {
      onError(new Error(failureOf(error, 'bot').why))
    }
  }

  function heard(data: unknown): void {
    const read = Interaction.safeParse(data)
    if (read.success && read.data.type !== 1) void answer(read.data)
    else onError(new Error('an interaction could not be read'))
  }

  async function keep(): Promise<void> {
    for (let failures = 0; !ending.signal.aborted; ) {
      const why = await stayConnected(account, {
        bot,
        heard,
        clock,
        ending: ending.signal,
        onHeard,
        onError,
      }).then(
        () => undefined,
        (error: unknown) => failureOf(error, 'bot').why,
      )
      if (ending.signal.aborted) return
      failures = why === undefined ? 0 : failures + 1
      if (why !== undefined && failures > 1) onUnheard(why)
      await clock.sleep(Math.min(firstWaitMs * 2 ** Math.max(0, failures - 1), longestWaitMs), ending.signal)
    }
  }

  const kept = keep()
  return {
    async close() {
      ending.abort()
      await kept
      bot.close()
    },
  }
}

interface SessionParts extends Pick<ConnectParts, 'onHeard' | 'onError'> {
  bot: Bot
  heard(data: unknown): void
  clock: Clock
  ending: AbortSignal
}

/** Resolves when a session has ended that was there, and rejects where there was none. */
async function stayConnected(account: DiscordAccount, parts: SessionParts): Promise<void> {
  const { bot, clock, ending, onHeard, onError } = parts
  await registerCommands(bot)
  const client = new Client({
    intents: [],
    makeCache: Options.cacheWithLimits(nothing),
    rest: restOptions({ api: account.apiUrl, timeoutMs: chatTimeoutMs }),
  })
  const over = Promise.withResolvers<void>()
  let ended = new AbortController()
  /** Given up where it is not there in time. */
  function expect(): void {
    ended = new AbortController()
    const { signal } = ended
    void clock.sleep(patienceMs, signal).then(() => signal.aborted || over.resolve())
  }
  function isThere(): void {
    ended.abort()
    onHeard()
  }
  client.on(Events.ShardReady, isThere)
  client.on(Events.ShardResume, isThere)
  client.on(Events.ShardReconnecting, expect)
  client.on(Events.ShardDisconnect, ({ code }) => over.reject(new Error(`the gateway ended with ${code}`)))
  client.on(Events.ShardError, onError)
  client.on(Events.Error, onError)
  client.ws.on(GatewayDispatchEvents.InteractionCreate, parts.heard)
  const stop = () => over.resolve()
  ending.addEventListener('abort', stop, { once: true })
  expect()
  try {
    await client.login(account.token)
    await over.promise
  } finally {
    ending.removeEventListener('abort', stop)
    ended.abort()
    await within(clock, closeMs, client.destroy())
  }
}
