import { describe, expect, test } from 'vitest'
import { readAlerts } from '../../../src/intake/poll/alerts.ts'
import { pollingStateFrom } from '../../../src/intake/poll/state.ts'
import { BadRequest } from '../../../src/service/client/errors.ts'
import { dayMs, hourMs, minuteMs } from './desk.ts'

const now = Date.parse('2026-11-21T15:00:00Z')

function record(id: string, delta: string, changes: object = {}) {
  const detected_at = new Date(now - minuteMs).toISOString()
  return {
    id,
    type: 'policy_change',
    model: 'claude',
    data: { category: 'political', delta, detected_at },
    ...changes,
  }
}

/** Reads what the service lists, again and again; what is remembered goes through JSON between. */
function openList(ids: unknown[] = []) {
  let alerts = stored({ path: '/alerts', since: now - dayMs, readAt: now - dayMs, takesSince: false, ids })
  let read = 0
  return {
    requests: () => read,
    async read(...records: object[]) {
      async function* listed() {
        for (const record of records) {
          read += 1
          yield record
        }
      }
      const client = { alerts: () => listed() }
      const answer = await readAlerts(
        client,
        { ...alerts, path: '/alerts' },
        { now, signal: new AbortController().signal },
      )
      alerts = stored(JSON.parse(JSON.stringify(answer.alerts)))
      return answer.events.map(({ id, delta }) => [id, delta])
    },
  }
}

async function readAll(records: object[]) {
  async function* listed() {
    yield* records
  }
  const before = { path: '/alerts', since: now - dayMs, readAt: now - dayMs, takesSince: false, ids: [] }
  const moment = { now, signal: new AbortController().signal }
  return (await readAlerts({ alerts: () => listed() }, before, moment)).events
}

function stored(alerts: unknown) {
  const whole = pollingStateFrom(undefined, now)
  const { figures } = pollingStateFrom({ ...whole, figures: { ...whole.figures, alerts } }, now)
  if (figures.alerts === null) throw new Error('what was stored does not read')
  return figures.alerts
}

test('a record that is listed again is no news, and one that says something else under its id is', async () => {
  const list = openList()
  expect(await list.read(record('evt_1', '+12pp'))).toEqual([['evt_1', 12]])
  expect(await list.read(record('evt_1', '+12pp'))).toEqual([])
  expect(await list.read(record('evt_1', '+2pp'))).toEqual([['evt_1', 2]])
  expect(await list.read(record('evt_1', '+2pp'))).toEqual([])
})

test('a record in which only an age or a counter differs is no news', async () => {
  const list = openList()
  await list.read(record('evt_1', '+12pp', { age: 60 }))
  expect(await list.read(record('evt_1', '+12pp', { age: 120 }))).toEqual([])
})

test.each<[form: string, listed: object]>([
  [
    'fields side by side',
    { data: undefined, category: 'political', delta: '+12pp', detected_at: '2026-11-21T14:59:00Z' },
  ],
  ['a number of points', { data: { category: 'political', delta: 12, detected_at: '2026-11-21T14:59:00Z' } }],
  ['seconds since 1970', { data: { category: 'political', delta: '+12pp', detected_at: 1_795_273_140 } }],
  [
    'its data called attributes',
    {
      data: undefined,
      attributes: { category: 'political', delta: '+12pp', detected_at: '2026-11-21T14:59:00Z' },
    },
  ],
])('a record with %s is read as it would be delivered', async (_, form) => {
  const listed = { ...record('evt_1', '+12pp'), ...form }
  const read = await readAll([listed])
  expect(read).toMatchObject([
    {
      id: 'evt_1',
      category: 'political',
      delta: 12,
      detectedAt: '2026-11-21T14:59:00.000Z',
    },
  ])
  expect(read[0]?.body.text).toBe(JSON.stringify(listed))
})

test('a record without an id is one alert, also if a counter in it changes', async () => {
  const list = openList()
  const nameless = (age: number) => record('', '+12pp', { id: undefined, age })
  expect(await list.read(nameless(1))).toHaveLength(1)
  expect(await list.read(nameless(2))).toEqual([])
})

test('a list of other things that have a type is left alone', async () => {
  expect(
    await readAll([
      { id: 'usr_1', type: 'key_rotated' },
      { id: 'mnt_7', type: 'maintenance' },
    ]),
  ).toEqual([])
  expect(await readAll([record('evt_1', '+12pp', { type: 'model_retired' })])).toHaveLength(1)
})

test('where the newest come first, what was changed is found behind those that are known', async () => {
  const list = openList()
  const ofDay = (index: number, delta: string) => {
    const detected_at = new Date(now - minuteMs - (index * dayMs) / 4).toISOString()
    return record(`evt_${index}`, delta, { data: { category: 'political', delta, detected_at } })
  }
  const many = Array.from({ length: 60 }, (_, index) => ofDay(index, '+12pp'))
  await list.read(...many)
  const changed = many.with(15, ofDay(15, '+2pp'))
  const before = list.requests()
  expect(await list.read(...changed)).toEqual([['evt_15', 2]])
  // And the rest of the list is not read.
  expect(list.requests() - before).toBeLessThan(30)
})

test('what an older Bluepencil remembered, ids alone, is known and no news', async () => {
  const list = openList(['evt_1'])
  expect(await list.read(record('evt_1', '+12pp'))).toEqual([])
  expect(await list.read(record('evt_1', '+2pp'))).toEqual([['evt_1', 2]])
})

test('an id of our own form is listed as reported by the service, and known when it is listed again', async () => {
  const list = openList()
  const [[id = ''] = []] = await list.read(record('poll_1', '+12pp'))
  expect(id).toMatch(/^ext_[\da-f]{32}$/)
  expect(await list.read(record('poll_1', '+12pp'))).toEqual([])
})

describe.each([
  { order: 'newest first', takesSince: true },
  { order: 'newest first', takesSince: false },
  { order: 'oldest first', takesSince: true },
  { order: 'oldest first', takesSince: false },
])('of a list that is $order and has `since` in its query ($takesSince)', ({ order, takesSince }) => {
  /** Reads every five minutes what is listed by then; what is remembered goes through JSON between. */
  function openGrowingList() {
    const rows: { id: string; at: number; listedAt: number }[] = []
    let alerts = stored({ path: '/alerts', since: now - 2 * dayMs, readAt: now, takesSince: true, ids: [] })
    let time = now
    const requests: (string | undefined)[] = []
    const client = {
      alerts(_path: string, { since }: { since?: string | undefined } = {}) {
        requests.push(since)
        const from = since === undefined ? 0 : Date.parse(since)
        return (async function* () {
          if (since !== undefined && !takesSince) throw new BadRequest('unknown parameter since')
          const listed = rows
            .filter(({ at, listedAt }) => at >= from && listedAt <= time)
            .toSorted((one, other) => (order === 'newest first' ? other.at - one.at : one.at - other.at))
          for (const { id, at } of listed) {
            const detected_at = new Date(at).toISOString()
            yield record(id, '+12pp', { data: { category: 'political', delta: '+12pp', detected_at } })
          }
        })()
      },
    }
    return {
      requests,
      add(id: string, at: number, listedAt = at) {
        rows.push({ id, at, listedAt })
      },
      async readFor(milliseconds: number) {
        const ids: string[] = []
        const rests: string[] = []
        for (const end = time + milliseconds; time < end; ) {
          time += 5 * minuteMs
          const moment = { now: time, signal: new AbortController().signal }
          const read = await readAlerts(client, { ...alerts, path: '/alerts' }, moment)
          alerts = stored(JSON.parse(JSON.stringify(read.alerts)))
          ids.push(...read.events.map(({ id }) => id))
          rests.push(read.rest)
        }
        return { ids, rests }
      },
    }
  }

  test('130 alerts since the last reading all come, once, by two readings', async () => {
    const list = openGrowingList()
    const ids = Array.from({ length: 130 }, (_, index) => `evt_${index}`)
    for (const [index, id] of ids.entries()) list.add(id, now + index * 1_000)
    const { ids: events, rests } = await list.readFor(6 * hourMs)
    expect(events.toSorted()).toEqual(ids.toSorted())
    expect(rests.slice(0, 3)).toEqual(['next', 'none', 'none'])
    const sent = list.requests.filter((since) => since !== undefined)
    const from = new Date(now - dayMs).toISOString()
    expect(sent.slice(0, 2)).toEqual(takesSince ? [from, from] : [from])
  })

  test('an alert that is listed five hours late comes, below thirty that are known', async () => {
    const list = openGrowingList()
    for (let index = 0; index < 60; index += 1) list.add(`evt_${index}`, now + index * 5 * minuteMs)
    await list.readFor(5 * hourMs + 5 * minuteMs)
    list.add('evt_late', now + 150_000, now + 5 * hourMs)
    expect((await list.readFor(hourMs)).ids).toEqual(['evt_late'])
  })

  test('more alerts of a day than one reading may take are reported as out of reach', async () => {
    const list = openGrowingList()
    for (let index = 0; index < 520; index += 1) list.add(`evt_${index}`, now + index)
    const { ids, rests } = await list.readFor(hourMs)
    expect(new Set(ids).size).toBe(500)
    expect(rests.slice(0, 6)).toEqual(['next', 'next', 'next', 'next', 'next', 'unreachable'])
  })
})
