import type { Channel } from '../channel.ts'
import { type DiscordAccount, type DiscordSettings, discordWay } from './config.ts'

/**
 * Milliseconds that Discord has for a whole answer. A slow answer is no failure: what is cut off may have been posted.
 * Cloudflare, which stands before Discord, waits for up to 120 seconds and then answers 524 itself.
 */
const timeoutMs = 130_000

/**
 * Opens all Discord channels, without a connection to the gateway: everything goes over REST. Only this loads discord.js
 * (0.9 s and 60 MB), and only if there is a channel. Rejects if a channel has neither a bot nor a webhook. `limits` is for
 * tests.
 */
export async function openDiscord(
  account: DiscordAccount | undefined,
  channels: readonly DiscordSettings[],
  limits = { timeoutMs },
): Promise<Channel[]> {
  if (channels.length === 0) return []
  const [{ openBot }, { openBotChannel }, { openWebhookChannel }] = await Promise.all([
    import('./rest.ts'),
    import('./bot.ts'),
    import('./webhook.ts'),
  ])
  // One for all channels, since Discord's global limit is the bot's.
  const bot = account?.token === undefined ? undefined : openBot(account, account.token, limits.timeoutMs)
  const way = discordWay(account)
  const hearing = way && { way, publicKey: account?.publicKey }
  return channels.map(({ name, to, webhookUrl, mentions: rules = [], pictures = false }) => {
    if (webhookUrl !== undefined) {
      return openWebhookChannel(name, webhookUrl, { timeoutMs: limits.timeoutMs, pictures })
    }
    if (bot !== undefined && to !== undefined) {
      const mentions = [...new Set(rules.map(({ who }) => who))]
      return openBotChannel({ name, to, mentions, pictures, hearing }, bot)
    }
    throw new Error(`channel ${name} cannot send anything: set discord.token and to, or webhookUrl`)
  })
}
