import { type App, SocketModeReceiver, webApi } from '@slack/bolt'
import { within } from '../../platform/clock.ts'
import type { ConnectParts, ProviderConnection } from '../interaction.ts'
import { createSlackApp } from './app.ts'
import type { SlackAccount } from './config.ts'
import { silent, slackFetch } from './transport.ts'
import { unheard } from './verdict.ts'

/** A connection that has not greeted us by then is none. */
const greetingMs = 30_000
/** Before the next try, doubled with each that fails. Slack ends a connection that is well now and then. */
const firstWaitMs = 1_000
const longestWaitMs = 60_000
/** So many failures in a row are said to people. */
const worthSaying = 3
const closeMs = 1_000

/** Bolt's App needs a receiver from the start; each connection brings its own. */
const notYet = { init() {}, start: async () => {}, stop: async () => {} }

/**
 * Keeps a Socket Mode connection (https://docs.slack.dev/apis/events-api/using-socket-mode). Slack's client would make it
 * again by itself, but what its own tries throw ends the process (socket-mode 3.0: `delayReconnectAttempt`), so each
 * connection is a client of its own here. What Slack had not seen acknowledged comes again with the next one.
 */
export function connectSlack(
  account: SlackAccount & { appToken: string },
  parts: ConnectParts,
): ProviderConnection {
  const { clock } = parts
  const app = createSlackApp(account, notYet, parts)
  const ending = new AbortController()

  async function keep(): Promise<void> {
    for (let failures = 0; !ending.signal.aborted; ) {
      try {
        await stayConnected(app, account, { ...parts, ending: ending.signal })
        failures = 0
      } catch (error) {
        if (ending.signal.aborted) return
        failures += 1
        const { why, isFinal } = unheard(error)
        if (isFinal || failures >= worthSaying) parts.onUnheard(why)
      }
      const wait = Math.min(firstWaitMs * 2 ** Math.max(0, failures - 1), longestWaitMs)
      await clock.sleep(failures === 0 ? 0 : wait, ending.signal)
    }
  }

  const kept = keep()
  return {
    async close() {
      ending.abort()
      await kept
    },
  }
}

/** Resolves when the connection has ended, and rejects if there was none. */
async function stayConnected(
  app: App,
  account: SlackAccount & { appToken: string },
  { onHeard, clock, ending }: ConnectParts & { ending: AbortSignal },
): Promise<void> {
  const logger = silent(webApi.LogLevel.ERROR)
  const receiver = new SocketModeReceiver({
    appToken: account.appToken,
    logger,
    autoReconnectEnabled: false,
    processEventErrorHandler: async () => false,
    installerOptions: {
      clientOptions: {
        slackApiUrl: account.apiUrl,
        fetch: slackFetch({ signal: ending, timeoutMs: greetingMs }),
        retryConfig: { retries: 0 },
      },
    },
  })
  receiver.init(app)
  const { client } = receiver
  const disconnected = new Promise((resolve) => client.once('disconnected', resolve))
  const ended = new Promise((resolve) => ending.addEventListener('abort', resolve, { once: true }))
  const greeted = client.start()
  // It may also fail after its time.
  greeted.catch(() => undefined)
  try {
    let isGreeted = false
    await within(clock, greetingMs, Promise.race([greeted.then(() => (isGreeted = true)), ended]))
    if (ending.aborted) return
    if (!isGreeted) throw new Error('no greeting')
    onHeard()
    await Promise.race([disconnected, ended])
  } finally {
    await within(clock, closeMs, client.disconnect())
    // If Slack does not answer the goodbye: without this, the client waits for half a minute.
    await within(clock, closeMs, client.disconnect())
  }
}
