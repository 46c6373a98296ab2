import { createHmac } from 'node:crypto'
import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import { shortHashOf } from '../../../../src/record/evidence/fingerprint.ts'
import { makeEvidence } from '../../../../src/record/evidence/make.ts'
import { words } from '../../../contract/store.ts'
import { chainAll } from '../../../support/chain-all.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

export const secret = 'whsec_c2l4dGVlbiByYW5kb20gYnl0ZXM'
const body = '{"id":"evt_2","type":"censorship_spike","note":"Zürich – 12 %."}'

/** As a webhook stored it that was signed with `secret`. */
export function delivered(changes: Partial<AlertEvent> = {}): AlertEvent {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return alert({
    id: 'evt_2',
    body: { encoding: 'utf8', text: body },
    evidence: {
      headers: { 'x-service-signature': `sha256=${signature}`, 'content-type': 'application/json' },
      form: { hash: 'sha256', encoding: 'hex', key: 'whole' },
      secret: shortHashOf(secret),
    },
    ...changes,
  })
}

const sent: Outcome = {
  state: 'sent',
  at: '2026-11-21T13:05:03.000Z',
  attempts: 1,
  receipt: { place: 'C024BE91L', id: '1405894322.002768', text: 'sent' },
  message: words,
}
const told: Outcome = { state: 'merged', in: 'evt_2' }

/** A store with three batches: `evt_1` alone, then `evt_2` and `evt_3`, then `evt_4`. */
export async function chained() {
  const clock = createManualClock(Date.parse('2026-11-23T03:00:00.000Z'))
  const store = createMemoryBacking(clock).open()
  const chain = () => chainAll({ store, now: clock.now })
  await store.accept([{ entry: alert({ id: 'evt_1' }), outcomes: {} }])
  await chain()
  await store.accept([
    { entry: delivered(), outcomes: { desk: sent } },
    { entry: delivered({ id: 'evt_3' }), outcomes: { desk: told } },
  ])
  await chain()
  await store.accept([{ entry: alert({ id: 'evt_4' }), outcomes: {} }])
  await chain()
  return {
    store,
    clock,
    async evidence(id = 'evt_2'): Promise<string> {
      const made = await makeEvidence(id, { store, now: clock.now })
      if ('problem' in made) throw new Error(made.problem)
      return made.file
    },
  }
}
