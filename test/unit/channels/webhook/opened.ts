import { onTestFinished } from 'vitest'
import type { Attempt, Channel } from '../../../../src/channels/channel.ts'
import { openWebhooks } from '../../../../src/channels/webhook/channel.ts'
import { WebhookSettings } from '../../../../src/channels/webhook/config.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Message } from '../../../../src/message/message.ts'
import { render } from '../../../../src/message/render/render.ts'
import { alert } from '../../../support/fakes/events.ts'
import { type Receiver, startReceiver } from '../../../support/fakes/receiver.ts'

/** What the receiver shares with us: 32 bytes. */
export const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3AsVfgQnZ5o='
export const newSecret = 'whsec_2DtZVc7sTd9cQ0m3K1kWzqYFhJ8nXbLr5vPaUeGiO4E='

export const context = { timeZone: 'UTC', service: 'Censorship Monitoring Service' }

export function messageAbout(changes: Partial<AlertEvent> = {}): Message {
  return render(alert(changes), context)
}

export function attempt(over: Partial<Attempt> = {}): Attempt {
  return { uncertain: false, progress: [], signal: new AbortController().signal, ...over }
}

type Limits = NonNullable<Parameters<typeof openWebhooks>[1]>

/** A channel, by default to this machine. */
export async function open(
  settings: { to: string; secret?: string | string[]; allowPrivate?: boolean },
  limits: Partial<Limits> = {},
): Promise<Channel> {
  const parsed = WebhookSettings.parse({
    name: 'tools',
    type: 'webhook',
    secret,
    allowPrivate: true,
    ...settings,
  })
  const [channel] = await openWebhooks([parsed], { timeoutMs: 10_000, ...limits })
  if (channel === undefined) throw new Error('no channel')
  return channel
}

export async function receiver(): Promise<Receiver> {
  const started = await startReceiver()
  onTestFinished(() => started.close())
  return started
}
