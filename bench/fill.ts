import { messageAsSent } from '../src/deliver/sent-message.ts'
import { readDelivery } from '../src/event/delivery.ts'
import type { AlertEvent } from '../src/event/event.ts'
import type { Outcome, SentMessage } from '../src/event/outcome.ts'
import { render } from '../src/message/render/render.ts'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import { payload } from './requests.ts'

const batch = 500
const context = { timeZone: 'UTC', service: 'Censorship Monitoring Service' }

/** Fills a store with events `from` to `to`, a minute apart and the last one now, each settled on three channels. */
export async function fill(folder: string, from: number, to: number): Promise<void> {
  const store = await openSqliteStore(folder, {
    now: Date.now,
    onTrouble(sentence) {
      throw new Error(sentence)
    },
  })
  const now = Date.now()
  for (let first = from; first < to; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, to - first) }, (_, index) => first + index)
    await store.accept(
      numbers.map((number) => {
        const at = now - (to - number) * 60_000
        return settled(`evt_01HZX${String(number).padStart(17, '0')}`, at)
      }),
    )
  }
  await store.close()
}

/** An event, as it was accepted at that time and settled on three channels. */
export function settled(id: string, at: number): { entry: AlertEvent; outcomes: Record<string, Outcome> } {
  const receivedAt = new Date(at).toISOString()
  const entry = readDelivery(Buffer.from(payload(id, at)), { source: 'webhook', receivedAt })
  return { entry, outcomes: outcomes(receivedAt, messageAsSent(render(entry, context))) }
}

/** A usual end: sent to two channels, not to the third. */
function outcomes(at: string, message: SentMessage): Record<string, Outcome> {
  return {
    'ai-desk': {
      state: 'sent',
      at,
      attempts: 1,
      receipt: { place: 'C0123456789', id: '1795262702.000100', text: 'C0123456789/1795262702.000100' },
      message,
    },
    politics: {
      state: 'sent',
      at,
      attempts: 1,
      receipt: { id: '1180000000000000001', text: '1180000000000000001' },
      message,
    },
    'policy-mail': {
      state: 'not_sent',
      rule: 'models',
      why: 'the channel gets only gemini; the model is claude',
    },
  }
}
