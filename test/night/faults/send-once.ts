import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { openDiscord } from '../../../src/channels/discord/channel.ts'
import { DiscordAccount, DiscordSettings } from '../../../src/channels/discord/config.ts'
import { openEmail } from '../../../src/channels/email/channel.ts'
import { EmailAccount, EmailSettings } from '../../../src/channels/email/config.ts'
import { openSlack } from '../../../src/channels/slack/channel.ts'
import { SlackAccount, SlackSettings } from '../../../src/channels/slack/config.ts'
import { openWebhooks } from '../../../src/channels/webhook/channel.ts'
import { WebhookSettings } from '../../../src/channels/webhook/config.ts'
import { spike } from '../../unit/channels/discord/sample.ts'

/**
 * One try of one channel in a process of its own: `node send-once.ts PROVIDER ADDRESS TIMEOUT_MS`. Prints what came of
 * it, and the most memory in MB that the process held.
 */
const [provider = '', address = '', timeoutMs = ''] = process.argv.slice(2)
const limits = { timeoutMs: Number(timeoutMs) }
const whole = limits.timeoutMs
const snowflake = '1170000000000000001'

const [channel] = await {
  'discord bot': () =>
    openDiscord(
      DiscordAccount.parse({ token: 'a-token-of-no-bot', apiUrl: `${address}/api` }),
      [DiscordSettings.parse({ name: 'desk', type: 'discord', to: snowflake })],
      limits,
    ),
  'discord webhook': () =>
    openDiscord(
      undefined,
      [
        DiscordSettings.parse({
          name: 'desk',
          type: 'discord',
          webhookUrl: `${address}/api/webhooks/${snowflake}/${'wEbHoOk-tOkEn-'.repeat(5)}`,
        }),
      ],
      limits,
    ),
  'slack bot': () =>
    openSlack(
      SlackAccount.parse({ token: 'xoxb-of-no-bot', apiUrl: `${address}/api/` }),
      [SlackSettings.parse({ name: 'desk', type: 'slack', to: 'C0123456789' })],
      limits,
    ),
  'slack webhook': () =>
    openSlack(
      undefined,
      [SlackSettings.parse({ name: 'desk', type: 'slack', webhookUrl: `${address}/services/T0/B0/x` })],
      limits,
    ),
  webhook: () =>
    openWebhooks(
      [
        WebhookSettings.parse({
          name: 'desk',
          type: 'webhook',
          to: `${address}/hooks`,
          secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3AsVfgQnZ5o=',
          allowPrivate: true,
        }),
      ],
      limits,
    ),
  email: () =>
    openEmail(
      EmailAccount.parse({ smtp: address, from: 'bluepencil@desk.example', requireTls: false }),
      [EmailSettings.parse({ name: 'desk', type: 'email', to: 'desk@desk.example' })],
      {
        limits: {
          connect: whole,
          greeting: whole,
          silence: whole,
          before: whole,
          data: whole,
          answer: whole,
        },
      },
    ),
}[
  z.enum(['discord bot', 'discord webhook', 'slack bot', 'slack webhook', 'webhook', 'email']).parse(provider)
]()
if (channel === undefined) throw new Error('no channel was opened')

const result = await channel.send(spike, {
  uncertain: false,
  progress: [],
  signal: new AbortController().signal,
})
await channel.close()
// The most so far of this process alone; getrusage would count the memory of the one that started it.
const peak = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
process.stdout.write(JSON.stringify({ result, memoryMB: Number(peak) / 1024 }))
process.exit(0)
