import { once } from 'node:events'
import express from 'express'
import type { AlertEvent } from '../../../src/event/event.ts'
import type { SignatureForm } from '../../../src/intake/receive/signature.ts'
import { type ReceivedDelivery, webhook } from '../../../src/intake/receive/webhook.ts'
import type { Clock } from '../../../src/platform/clock.ts'

export interface Receiver {
  url: string
  /** What was taken, repeats not among them. */
  taken: AlertEvent[]
  /** What came of each delivery. */
  outcomes: ReceivedDelivery['outcome'][]
  /** The form in which each secret's deliveries are signed, as it was found out. */
  forms: Map<string, SignatureForm>
  close(): Promise<void>
}

/** Bluepencil's own webhook endpoint, with no settings for signatures, before a store that has only ids. */
export async function openReceiver(secrets: readonly string[], clock: Clock): Promise<Receiver> {
  const taken: AlertEvent[] = []
  const outcomes: ReceivedDelivery['outcome'][] = []
  const forms = new Map<string, SignatureForm>()
  const app = express()
  const add = webhook({
    path: '/webhook',
    secrets: () => secrets,
    pinned: {},
    remembered: (secret) => forms.get(secret),
    remember: (secret, form) => forms.set(secret, form),
    async accept(event) {
      if (taken.some(({ id }) => id === event.id)) return 'duplicate'
      taken.push(event)
      return 'new'
    },
    clock,
    onReceived: ({ outcome }) => outcomes.push(outcome),
  })
  add(app)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}/webhook`,
    taken,
    outcomes,
    forms,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
