import { Client, Events, GatewayDispatchEvents, Options, Routes } from 'discord.js'
import { type Clock, within } from '../../platform/clock.ts'
import type { ConnectParts, ProviderConnection } from '../interaction.ts'
import { registerCommands } from './commands.ts'
import type { DiscordAccount } from './config.ts'
import { failureOf } from './failure.ts'
import {
  chatTimeoutMs,
  createDiscordAnswering,
  Interaction,
  openChatBot,
  type PersonsInteraction,
} from './interaction.ts'
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
export function connectDiscord(account: DiscordAccount, parts: ConnectParts): ProviderConnection {
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
    else onError(new Error('a button press or command could not be read'))
  }

  async function keep(): Promise<void> {
    for (let failures = 0; !ending.signal.aborted; ) {
      const session = { bot, heard, clock, ending: ending.signal, onError }
      try {
        await stayConnected(account, {
          ...session,
          onHeard() {
            failures = 0
            onHeard()
          },
        })
      } catch (error) {
        failures += 1
        const { why, isFinal } = unheard(error)
        if (isFinal || failures > 1) onUnheard(why)
      }
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

interface GatewaySessionParts extends Pick<ConnectParts, 'onHeard' | 'onError'> {
  bot: Bot
  heard(data: unknown): void
  clock: Clock
  ending: AbortSignal
}

/** Resolves when it is to end, and rejects if there is no session, or none any more. */
async function stayConnected(account: DiscordAccount, parts: GatewaySessionParts): Promise<void> {
  const { bot, clock, ending, onHeard, onError } = parts
  await registerCommands(bot, ending)
  const client = new Client({
    intents: [],
    makeCache: Options.cacheWithLimits(nothing),
    rest: restOptions({ api: account.apiUrl, timeoutMs: chatTimeoutMs }),
  })
  const over = Promise.withResolvers<void>()
  let waiting: AbortController | undefined
  /** Given up if it is not there in time. */
  function isAway(): void {
    if (waiting !== undefined) return
    waiting = new AbortController()
    const { signal } = waiting
    void clock.sleep(patienceMs, signal).then(() => {
      if (!signal.aborted) over.reject(new Unheard('Discord’s gateway opens no session.'))
    })
  }
  function isThere(): void {
    waiting?.abort()
    waiting = undefined
    onHeard()
  }
  client.on(Events.ShardReady, isThere)
  client.on(Events.ShardResume, isThere)
  client.on(Events.ShardReconnecting, isAway)
  client.on(Events.ShardDisconnect, ({ code }) =>
    over.reject(new Unheard(`Discord ended the session (${code}).`)),
  )
  client.on(Events.ShardError, onError)
  client.on(Events.Error, onError)
  client.ws.on(GatewayDispatchEvents.InteractionCreate, parts.heard)
  ending.addEventListener('abort', () => over.resolve(), { once: true })
  isAway()
  try {
    await Promise.race([client.login(account.token), over.promise])
    await over.promise
  } finally {
    waiting?.abort()
    await within(clock, closeMs, client.destroy())
  }
}

/** Why no session is there: a sentence for people. */
class Unheard extends Error {
  override readonly name = 'Unheard'
}

/** `isFinal`: not before a person acts. */
function unheard(error: unknown): { why: string; isFinal: boolean } {
  if (error instanceof Unheard) return { why: error.message, isFinal: false }
  const { why, result } = failureOf(error, 'bot')
  return { why, isFinal: result === 'blocked' }
}
