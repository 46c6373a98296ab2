import { createTransport } from 'nodemailer'
import { type DiscordPayload, formatDiscord } from '../../../src/channels/discord/format.ts'
import { type EmailPayload, formatEmail } from '../../../src/channels/email/format.ts'
import { formatSlack, type SlackPayload } from '../../../src/channels/slack/format.ts'
import type { WebhookBody } from '../../../src/channels/webhook/body.ts'
import { formatEdit, formatWebhook } from '../../../src/channels/webhook/format.ts'
import { changeOf, reportedAlertOf } from '../../../src/decide/accept/correlate.ts'
import type { Message } from '../../../src/message/message.ts'
import { render } from '../../../src/message/render/render.ts'
import { languages } from '../../../src/message/words/phrases.ts'
import { loadWords } from '../../../src/message/words/words.ts'
import { type Example, examples } from './examples.ts'

/** An example as it leaves for each provider. */
export interface Rendered {
  example: Example
  /** When the providers get it; milliseconds since the epoch. */
  sentAt: number
  slack: SlackPayload
  discord: DiscordPayload
  email: EmailPayload
  /** What is posted to any other program, without its signature. */
  webhook: WebhookBody
  /** The whole mail as it goes over the wire, but for its line ends. */
  eml: string
}

export const timeZone = 'Europe/Berlin'
const context = {
  service: 'Censorship Monitoring Service',
  timeZone,
  pageOf: (id: string) => `https://alerts.news.example/console/alerts/${id}`,
}
const envelope = {
  from: { name: 'Bluepencil', address: 'bluepencil@news.example' },
  replyTo: { name: '', address: 'data-desk@news.example' },
  to: 'ai-desk@news.example',
  channel: 'ai-desk',
  domain: 'news.example',
  unsubscribe: 'https://alerts.news.example/unsubscribe/k3Zr0v5mQ1yT8Jd2bXcH7uNw9sLfAeGi6pKoVtRz',
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })

await loadWords(languages)

/** All examples, through the code that runs in service. */
export async function renderAll(): Promise<Rendered[]> {
  return Promise.all((await examples()).map(renderOne))
}

async function renderOne(example: Example): Promise<Rendered> {
  const other = example.other === undefined ? undefined : changeOf(example.other)
  const { later } = example
  const revision = later && { ...reportedAlertOf(later), receivedAt: later.receivedAt }
  const { acts, published, escalated, isHeard = false, language } = example
  const members = (example.members ?? []).map((alert) => ({ alert }))
  const message =
    example.message ??
    render(example.entry, {
      ...context,
      other,
      revision,
      members,
      acts,
      published,
      escalated,
      isHeard,
      ...(language && { language }),
    })
  const sentAt = Date.parse(example.entry.receivedAt)
  const email = formatEmail(message, envelope)
  const { message: eml } = await composer.sendMail({
    ...email,
    date: new Date(sentAt),
    baseBoundary: example.name,
  })
  return {
    example,
    sentAt,
    slack: formatSlack(message),
    discord: formatDiscord(message, '1180000000000000001'),
    email,
    webhook: webhookOf(message, example),
    eml: Buffer.isBuffer(eml) ? eml.toString('utf8') : '',
  }
}

/** What people did, or what came later or joined it, edits what was sent. */
function webhookOf(message: Message, { entry, acts, members, later, other }: Example): WebhookBody {
  const [latest] = [acts?.at(-1), members?.at(-1), later, other].filter((one) => one !== undefined)
  if (latest === undefined) return formatWebhook(message).body
  return formatEdit(message, { since: entry.receivedAt, now: Date.parse(latest.receivedAt) }).body
}
