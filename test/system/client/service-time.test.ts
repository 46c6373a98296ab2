import { expect, onTestFinished, test } from 'vitest'
import type { AppEnvironment } from '../../../src/app/shared-services.ts'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { nameOf } from '../../../src/store/place.ts'
import { configOf } from '../../support/app.ts'
import { createMemoryDisk } from '../../support/fakes/memory-disk.ts'
import { secret } from '../../support/fakes/signed.ts'
import { openOffice } from '../../support/office.ts'
import { startScriptedService } from '../../unit/client/scripted-service.ts'

const hour = 60 * 60_000
const day = 24 * hour
const retentionDays = 14

/** The service answers with this `Date` when our clock says that time. */
async function openOfficeWithService(dateAt: (now: number) => string) {
  const { disk } = createMemoryDisk().mount()
  const openStore: AppEnvironment['openStore'] = (place, options) =>
    openLowdbStore(nameOf(place), { ...options, disk, segmentSize: 2 })
  const states: string[] = []
  const office = openOffice({ openStore, onSubscription: (state) => void states.push(state) })
  const service = await startScriptedService()
  onTestFinished(service.close)
  service.script = (_, response) => {
    response.setHeader('date', dateAt(office.clock.now()))
    return undefined
  }
  const app = await office.start(
    configOf([{ name: 'desk', type: 'console' }], {
      webhook: { secrets: [secret], publicUrl: 'https://desk.example' },
      monitor: { baseUrl: service.baseUrl, apiKey: 'key', tier: 20 },
      polling: { mode: 'off' },
      retention: `${retentionDays}d`,
    }),
  )
  await office.passUntil(() => states.includes('active'))
  return { app, office }
}

test.each([
  { what: 'agrees', dateAt: (now: number) => new Date(now).toUTCString(), again: 202, doubts: [] },
  {
    what: 'differs by nine days',
    dateAt: (now: number) => new Date(now - 9 * day).toUTCString(),
    again: 200,
    doubts: ['The clock of this machine is in doubt'],
  },
  {
    what: 'is the last that there can be',
    dateAt: () => 'Sat, 13 Sep 275760 00:00:00 GMT',
    again: 200,
    doubts: ['The clock of this machine is in doubt'],
  },
])(
  'the time by the service $what: what the retention drops, and what operators are alerted to',
  async ({ dateAt, again, doubts }) => {
    const { app, office } = await openOfficeWithService(dateAt)
    const event = { data: { category: 'political', delta: '+12pp', detected_at: '2026-11-21T15:00:00Z' } }
    expect(await office.deliver(app.port, 'evt_1', event)).toBe(202)
    expect(await office.deliver(app.port, 'evt_2')).toBe(202)
    // The last two hours of each day: what keeps house does so each hour.
    for (let passed = 0; passed <= retentionDays; passed++) {
      office.clock.set(office.clock.now() + day - 2 * hour)
      await office.clock.advance(2 * hour)
    }

    // 202: it was dropped, so it is new. 200: it is still stored.
    expect(await office.deliver(app.port, 'evt_1', event)).toBe(again)
    expect(office.alerts().filter((title) => title.includes('clock'))).toEqual(doubts)
    expect(office.log.filter((line) => line.includes('while keeping house'))).toEqual([])
    await office.passing(app.stop())
  },
)
