import { beforeEach, describe, expect, test } from 'vitest'
import { type Acts, actsOn } from '../../../../src/people/converse/acts.ts'
import type { Store } from '../../../../src/store/store.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock, type ManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
const ana = { by: { name: 'Ana', id: 'U1', via: 'slack' as const }, key: 'k1' }
const bo = { by: { name: 'Bo', id: 'U2', via: 'slack' as const }, key: 'k2' }
const hour = { scope: { model: 'claude' }, until: start + 3_600_000, why: 'known' }

let clock: ManualClock
let store: Store
let acts: Acts

beforeEach(async () => {
  clock = createManualClock(start)
  store = createMemoryBacking(clock).open()
  acts = await actsOn(store, clock.now)
  await store.accept([{ entry: alert(), outcomes: {} }])
})

const kept = async () =>
  (await store.list({ limit: 9 })).map(({ entry }) => entry).filter(({ kind }) => kind === 'act')

describe('an acknowledgement', () => {
  test('is stored once for each person, however often they press', async () => {
    const results = []
    for (const doer of [ana, { ...ana, key: 'other' }, bo]) {
      results.push((await acts.acknowledge(doer, 'evt_1')).result)
    }
    expect(results).toEqual(['done', 'already', 'done'])
    expect(await kept()).toMatchObject([
      { does: 'acknowledge', about: 'evt_1', by: bo.by },
      { does: 'acknowledge', about: 'evt_1', by: ana.by, receivedAt: '2026-11-21T13:00:00.000Z' },
    ])
  })

  test('of something that is not there, or is no alert, is none', async () => {
    expect(await acts.acknowledge(ana, 'evt_2')).toEqual({ result: 'unknown' })
    await acts.acknowledge(ana, 'evt_1')
    const [act] = await kept()
    expect(await acts.acknowledge(bo, act?.id ?? '')).toEqual({ result: 'unknown' })
  })
})

describe('a silence', () => {
  test('is in force until it ends, with its owner and reason, and a repeat changes nothing', async () => {
    const first = await acts.silence(ana, hour)
    expect(first).toMatchObject({
      result: 'done',
      silence: { by: ana.by, why: 'known', scope: { model: 'claude' } },
    })
    expect(await acts.silence(ana, { ...hour, until: start + 7_200_000 })).toMatchObject({
      result: 'already',
      silence: { until: '2026-11-21T14:00:00.000Z' },
    })
    expect(await kept()).toHaveLength(1)
    expect(await acts.silences()).toHaveLength(1)
    await clock.advance(3_599_999)
    expect(await (await actsOn(store, clock.now)).silences()).toHaveLength(1)
    await clock.advance(1)
    expect(await acts.silences()).toEqual([])
  })

  test.each([
    ['now', 0],
    ['before', -1],
    ['after more than thirty days', 30 * 86_400_000 + 1],
    ['never', Number.NaN],
  ])('that ends %s is refused, and nothing is stored', async (_, ms) => {
    expect(await acts.silence(ana, { ...hour, until: start + ms })).toEqual({ result: 'bad-end' })
    expect(await kept()).toEqual([])
    expect(await acts.silences()).toEqual([])
  })

  test('that cannot be stored is not in force', async () => {
    const full: Store = {
      ...store,
      async changeState(_key, change) {
        change(undefined)
        throw new Error('the disk is full')
      },
    }
    const refused = await actsOn(full, clock.now)
    await expect(refused.silence(ana, hour)).rejects.toThrow('the disk is full')
    expect(await refused.silences()).toEqual([])
  })

  test('is ended by anybody, once', async () => {
    const done = await acts.silence(ana, hour)
    const id = done.result === 'done' ? done.silence.id : ''
    await clock.advance(60_000)
    expect(await acts.endSilence(bo, id)).toMatchObject({ result: 'done', silence: { ended: { by: bo.by } } })
    expect(await acts.endSilence(ana, id)).toMatchObject({ result: 'already' })
    expect(await acts.endSilence(ana, 'act_0')).toEqual({ result: 'unknown' })
    expect(await acts.silences()).toEqual([])
    expect(await kept()).toMatchObject([{ does: 'end-silence', about: id, by: bo.by }, { does: 'silence' }])
  })

  test('that was ended stays ended when the clock is set back', async () => {
    await acts.silence(ana, hour)
    const [silence] = await acts.silences()
    let now = start + 600_000
    const ahead = await actsOn(store, () => now)
    await ahead.endSilence(bo, silence?.id ?? '')
    now = start
    expect(await ahead.silences()).toEqual([])
  })

  test('stays when somebody asks for another while the clock is months ahead', async () => {
    await acts.silence(ana, hour)
    let now = start + 100 * 86_400_000
    const ahead = await actsOn(store, () => now)
    await ahead.silence(bo, { scope: { model: 'gemini' }, until: now + 3_600_000, why: 'known' })
    now = start
    expect((await ahead.silences()).map(({ scope }) => scope.model)).toEqual(['claude'])
  })
})
