import { expect, onTestFinished, test } from 'vitest'
import type { AppEnvironment } from '../../../src/app/environment.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { figure } from '../../contract/figures.ts'
import { configOf } from '../../support/app.ts'
import { secret } from '../../support/fakes/signed.ts'
import { openOffice } from '../../support/office.ts'
import { startScriptedService } from '../../unit/service/client/scripted-service.ts'
import { temporaryFolder } from '../../unit/store/folder.ts'

const hour = 60 * 60_000
const day = 24 * hour
const retentionDays = 14

/** The service answers with this `Date` when our clock says that time. */
async function openOfficeWithService(dateAt: (now: number) => string) {
  const folder = await temporaryFolder()
  let store: Store | undefined
  const openStore: AppEnvironment['openStore'] = async (_place, options) => {
    store = await openSqliteStore(folder, options)
    return store
  }
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
      figures: { retention: '90d' },
    }),
  )
  await office.passUntil(() => states.includes('active'))
  if (store === undefined) throw new Error('no store was opened')
  return { app, office, store }
}

test.each([
  {
    what: 'agrees',
    dateAt: (now: number) => new Date(now).toUTCString(),
    again: 202,
    doubts: [],
    figures: 0,
  },
  {
    what: 'differs by nine days',
    dateAt: (now: number) => new Date(now - 9 * day).toUTCString(),
    again: 200,
    doubts: ['The clock of this machine may be wrong'],
    figures: 1,
  },
  {
    what: 'is the last that there can be',
    dateAt: () => 'Sat, 13 Sep 275760 00:00:00 GMT',
    again: 200,
    doubts: ['The clock of this machine may be wrong'],
    figures: 0,
  },
])(
  'the time by the service $what: what the retention drops, and what operators are alerted to',
  async ({ dateAt, again, doubts, figures }) => {
    const { app, office, store } = await openOfficeWithService(dateAt)
    const event = { data: { category: 'political', delta: '+12pp', detected_at: '2026-11-21T15:00:00Z' } }
    expect(await office.deliver(app.port, 'evt_1', event)).toBe(202)
    expect(await office.deliver(app.port, 'evt_2')).toBe(202)
    const old = figure({ measuredAt: office.clock.now() - 80 * day })
    await store.figures.add({ figures: [old], spans: [] })
    // The last two hours of each day: what keeps house does so each hour.
    for (let passed = 0; passed <= retentionDays; passed++) {
      office.clock.set(office.clock.now() + day - 2 * hour)
      await office.clock.advance(2 * hour)
    }

    // 202: it was dropped, so it is new. 200: it is still stored.
    expect(await office.deliver(app.port, 'evt_1', event)).toBe(again)
    // By the earlier of both clocks: what is 95 days old by ours may be 86 by the service's.
    expect(await store.figures.all({ after: 0, limit: 9 })).toHaveLength(figures)
    expect(office.alerts().filter((title) => title.includes('clock'))).toEqual(doubts)
    expect(office.log.filter((line) => line.includes('during daily maintenance'))).toEqual([])
    await office.passing(app.stop())
  },
)
