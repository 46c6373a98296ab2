import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openDiscord } from '../../../../src/channels/discord/channel.ts'
import { DiscordSettings } from '../../../../src/channels/discord/config.ts'

describe('opening the Discord channels', () => {
  it('says what is missing where a channel has no token to write with', async () => {
    const channel = DiscordSettings.parse({ name: 'desk', type: 'discord', to: '1180000000000000001' })
    await expect(openDiscord(undefined, [channel])).rejects.toThrow(
      'channel desk cannot send anything: set discord.token',
    )
  })

  it('loads discord.js only if there is a channel, and not for a preview', async () => {
    const script = [
      '',
      "      import { createRequire } from 'node:module'",
      "      const { openDiscord } = await import('./src/channels/discord/channel.ts')",
      "      await import('./src/channels/discord/format.ts')",
      "      await import('./src/channels/discord/preview.ts')",
      '      await openDiscord(undefined, [])',
      "      const loaded = () => Object.keys(createRequire(process.cwd() + '/x.js').cache).some((file) => file.includes('/discord.js/'))",
      '      const before = loaded()',
      "      const webhookUrl = 'https://discord.com/api/webhooks/1190000000000000001/x'",
      "      const [channel] = await openDiscord(undefined, [{ name: 'x', type: 'discord', webhookUrl, direction: 'both', timeZone: 'UTC', language: 'en' }])",
      '      await channel.close()',
      '      console.log(before, loaded())',
    ].join('\n')
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    expect(stdout.trim()).toBe('false true')
  })
})
