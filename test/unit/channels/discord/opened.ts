import { onTestFinished } from 'vitest'
import type { Attempt, Channel } from '../../../../src/channels/channel.ts'
import { openDiscord } from '../../../../src/channels/discord/channel.ts'
import { DiscordAccount, DiscordSettings } from '../../../../src/channels/discord/config.ts'
import {
  type FakeDiscord,
  type FakeDiscordOptions,
  startFakeDiscord,
} from '../../../support/fakes/discord.ts'

export interface Opened {
  discord: FakeDiscord
  bot: Channel
  hook: Channel
}

/** A fake of Discord with a bot's channel and a webhook's, as the configuration would open them. */
export async function open(
  options: FakeDiscordOptions & { timeoutMs?: number; token?: string; pictures?: boolean } = {},
): Promise<Opened> {
  const discord = await startFakeDiscord(options)
  const account = DiscordAccount.parse({
    token: discord.token,
    applicationId: '1170000000000000009',
    apiUrl: discord.url,
  })
  const channels = [
    { name: 'bot', type: 'discord', to: discord.channelId },
    { name: 'hook', type: 'discord', webhookUrl: discord.webhookUrl },
  ].map((channel) => DiscordSettings.parse({ ...channel, pictures: options.pictures }))
  const [bot, hook] = await openDiscord(account, channels, { timeoutMs: options.timeoutMs ?? 10_000 })
  if (bot === undefined || hook === undefined) throw new Error('the channels did not open')
  onTestFinished(async () => {
    await Promise.all([bot.close(), hook.close(), discord.close()])
  })
  return { discord, bot, hook }
}

export function attempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    uncertain: false,
    progress: [],
    signal: new AbortController().signal,
    ...changes,
  }
}
