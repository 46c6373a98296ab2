import type { webApi } from '@slack/bolt'
import type { Channel } from '../channel.ts'
import { openBot } from './bot.ts'
import type { SlackInteractions } from './check.ts'
import { type SlackAccount, type SlackSettings, waysToHear } from './config.ts'
import { silent, slackFetch } from './transport.ts'
import { openWebhook } from './webhook.ts'

/**
 * Milliseconds that Slack has for a whole answer. It gives most within one second, but a slow answer is no failure:
 * what is cut off may have been posted. A gateway waits for 60 to 120 seconds, and after that answers itself.
 */
const timeoutMs = 130_000

/** Slack asks for no more than about one message a second into one channel. */
const defaultPaceMs = 1000

/**
 * Opens all Slack channels. Slack's client (0.4 s and tens of MB) is loaded only if a channel posts with a
 * bot token. Rejects if such a channel has none. `limits` is for tests.
 */
export async function openSlack(
  account: SlackAccount | undefined,
  channels: readonly SlackSettings[],
  limits = { timeoutMs },
): Promise<Channel[]> {
  const paceMs = account?.intervalMs ?? defaultPaceMs
  const needsClient = channels.some((settings) => settings.webhookUrl === undefined)
  const connect = needsClient ? await loadClient(account?.token, account, limits.timeoutMs) : undefined
  const hearing = needsClient ? await hearingOf(account, limits.timeoutMs) : undefined
  const { timeoutMs } = limits
  return channels.map(({ name, to, webhookUrl, pictures = false }) => {
    if (webhookUrl !== undefined) {
      return openWebhook({ name, url: webhookUrl, paceMs, timeoutMs })
    }
    if (to === undefined || connect === undefined) {
      throw new Error(`channel ${name} cannot send anything: set slack.token and to, or webhookUrl`)
    }
    return openBot({ name, to, paceMs, hearing, connect, timeoutMs, pictures })
  })
}

/** A client for each try costs 0.1 ms, and lets every call of it end with that try's signal. */
async function loadClient(
  token: string | undefined,
  account: SlackAccount | undefined,
  timeoutMs: number,
): Promise<((signal: AbortSignal) => webApi.WebClient) | undefined> {
  if (token === undefined || account === undefined) return undefined
  const { apiUrl } = account
  const { webApi } = await import('@slack/bolt')
  return (signal) =>
    new webApi.WebClient(token, {
      slackApiUrl: apiUrl,
      fetch: slackFetch({ signal, timeoutMs }),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: silent(webApi.LogLevel.ERROR),
    })
}

async function hearingOf(
  account: SlackAccount | undefined,
  timeoutMs: number,
): Promise<SlackInteractions | undefined> {
  const way = waysToHear(account)
  if (way !== 'socket') return way && { way }
  const connect = await loadClient(account?.appToken, account, timeoutMs)
  return { way, open: async () => connect?.(new AbortController().signal).apps.connections.open({}) }
}
