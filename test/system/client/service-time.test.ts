import { expect, onTestFinished, test } from 'vitest'
import type { AppEnvironment } from '../../../src/app/shared-services.ts'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { nameOf } from '../../../src/store/place.ts'
import { configOf } from '../../support/app.ts'
import { createMemoryDisk } from '../../support/fakes/memory-disk.ts'
import { secret } from '../../support/fakes/signed.ts'
import { openOffice } from '../../support/office.ts'
import { startScriptedService } from '../../unit/client/scripted-service.ts'

const day = 24 * 60 * 60_000
const retentionDays = 14

/** The service answers with a `Date` that is this much earlier than ours. */
async function openOfficeWithService(serviceIsBehindMs: number) {
  const { disk } = createMemoryDisk().mount()
  const openStore: AppEnvironment['openStore'] = (place, options) =>
    openLowdbStore(nameOf(place), { ...options, disk, segmentSize: 2 })
  const states: string[] = []
  const office = openOffice({ openStore, onSubscription: (state) => void states.push(state) })
  const service = await startScriptedService()
  onTestFinished(service.close)
  service.script = (_, response) => {
    response.setHeader('date', new Date(office.clock.now() - serviceIsBehindMs).toUTCString())
    return undefined
  }
  const app = await office.start(
    configOf([{ name: 'desk', type: 'console' }], {
      webhook: { secrets: [secret], publicUrl: 'https://desk.example' },
      monitor: { baseUrl: service.baseUrl, apiKey: 'key' },
      polling: { mode: 'off' },
      retention: `${retentionDays}d`,
    }),
  )
  await office.passUntil(() => states.includes('active'))
  return { app, office }
}

test.each([
  { what: 'agrees', behindMs: 0, again: 202, doubts: [] },
  {
    what: 'differs by nine days',
    behindMs: 9 * day,
    again: 200,
    doubts: ['The clock of this machine is in doubt'],
  },
])(
  'the time by the service $what: what the retention drops, and what operators are alerted to',
  async ({ behindMs, again, doubts }) => {
    const { app, office } = await openOfficeWithService(behindMs)
    const event = { data: { category: 'political', delta: '+12pp', detected_at: '2026-11-21T15:00:00Z' } }
    expect(await office.deliver(app.port, 'evt_1', event)).toBe(202)
    expect(await office.deliver(app.port, 'evt_2')).toBe(202)
    await office.clock.advance((retentionDays + 1) * day)

    // 202: it was dropped, so it is new. 200: it is still stored.
    expect(await office.deliver(app.port, 'evt_1', event)).toBe(again)
    expect(office.alerts().filter((title) => title.includes('clock'))).toEqual(doubts)
    await office.passing(app.stop())
  },
)
