import { expect, test } from 'vitest'
import type { PollerParts } from '../../../src/intake/poll/poll.ts'
import { dayMs, hourMs, minuteMs, openDesk } from './desk.ts'
import { measuring } from './measuring.ts'

const listed = { alerts: 'present', pages: 'cursor' } as const
const small = { model: 'claude', category: 'political', delta: 4 } as const
const large = { ...small, delta: 30 } as const

/** A desk whose service fails as the test says, with each request for a list, and each id that the poller brought. */
async function openListDesk(poll: Partial<PollerParts> = {}, dialect: object = listed) {
  let fails: (path: string) => boolean | number = () => false
  const requests: { path: string; at: number }[] = []
  const brought: string[] = []
  const desk = await openDesk({
    dialect,
    poll: { models: ['claude'], ...poll },
    fails(url) {
      const path = new URL(url).pathname.replace('/v1', '')
      requests.push({ path, at: desk.clock.now() })
      return fails(path)
    },
  })
  const isList = (path: string) => /^\/(monitoring\/alerts|alerts|events|other)$/.test(path)
  return {
    ...desk,
    brought,
    isList,
    answers(failing: (path: string) => boolean | number) {
      requests.length = 0
      fails = failing
    },
    listRequests: () => requests.filter(({ path }) => isList(path)),
    figureRequests: () => requests.filter(({ path }) => !isList(path)),
    startPoller: (changes: Partial<PollerParts> = {}) =>
      desk.startPoller({
        async accept({ id }) {
          brought.push(id)
          return 'new'
        },
        ...changes,
      }),
  }
}

test('a list of alerts that fails holds up no figures, is asked again at its interval, and nothing of it is lost', async () => {
  const desk = await openListDesk()
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  desk.answers(desk.isList)
  const { id } = desk.sandbox.fire(large)
  await desk.pass(poller, 25 * minuteMs)
  expect(desk.brought).toEqual([expect.stringMatching(/^poll_/)])
  expect(desk.notices).toEqual([])
  await desk.pass(poller, 35 * minuteMs)
  expect(desk.notices).toEqual([
    expect.stringMatching(
      /^The list of alerts cannot be read: \/monitoring\/alerts: GET .* 503.*\. Bluepencil still finds changes in the published figures\.$/,
    ),
  ])
  expect(Date.parse(poller.status().lastSuccess ?? '')).toBeGreaterThan(desk.clock.now() - 10 * minuteMs)
  const times = desk.listRequests().map(({ at }) => at)
  expect(times.length).toBeGreaterThan(20)
  expect(times.slice(1).filter((at, index) => at - (times[index] ?? 0) < 100_000)).toEqual([])
  desk.answers(() => false)
  await desk.pass(poller, 5 * minuteMs)
  expect(desk.brought.slice(1)).toEqual([id])
  expect(desk.notices.slice(1)).toEqual(['over: The list of alerts can be read again'])
})

test('a list that works does not hide figures that fail, and is read as often as before', async () => {
  const desk = await openListDesk()
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  const { lastSuccess } = poller.status()
  desk.answers((path) => !desk.isList(path))
  await desk.pass(poller, hourMs)
  expect(desk.notices).toEqual([expect.stringMatching(/^The published figures cannot be read: GET .* 503/)])
  expect(poller.status().lastSuccess).toBe(lastSuccess)
  expect(desk.listRequests().length).toBeGreaterThan(28)
  const { id } = desk.sandbox.fire(small)
  await desk.pass(poller, 2 * minuteMs)
  expect(desk.brought).toEqual([id])
  desk.answers(() => false)
  await desk.pass(poller, 15 * minuteMs)
  expect(desk.notices.slice(1)).toEqual(['over: The published figures can be read again'])
})

test('what the list shows and the store does not accept is read again soon', async () => {
  const desk = await openListDesk()
  let isFull = true
  const poller = desk.startPoller({
    async accept({ id }) {
      if (isFull) throw new Error('the disk is full')
      desk.brought.push(id)
      return 'new'
    },
  })
  await desk.pass(poller, hourMs)
  const { id } = desk.sandbox.fire(small)
  await desk.pass(poller, 3 * minuteMs)
  isFull = false
  await desk.pass(poller, 2 * minuteMs)
  expect(desk.brought).toEqual([id])
})

test('of a service that is down as a whole, operators are notified once', async () => {
  const desk = await openListDesk()
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  desk.answers(() => true)
  await desk.pass(poller, 3 * hourMs)
  // The list comes back a little later.
  desk.answers(desk.isList)
  await desk.pass(poller, 20 * minuteMs)
  desk.answers(() => false)
  await desk.pass(poller, hourMs)
  expect(desk.notices).toEqual([
    expect.stringMatching(/^The published figures cannot be read/),
    'over: The published figures can be read again',
  ])
})

test('a list that is gone is one notice and is searched for daily; when it is back, each alert since comes once', async () => {
  const desk = await openListDesk()
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  const first = desk.sandbox.fire(small)
  await desk.pass(poller, 10 * minuteMs)
  desk.answers((path) => desk.isList(path) && 404)
  await desk.pass(poller, 3 * hourMs)
  expect(desk.notices).toEqual([
    'The service no longer lists its alerts: There is no list at /monitoring/alerts. ' +
      'Bluepencil still finds changes in the published figures. The list is searched for once a day.',
  ])
  const second = desk.sandbox.fire({ ...small, category: 'safety' })
  await desk.pass(poller, 2 * dayMs)
  expect(desk.listRequests().filter(({ path }) => path === '/events')).toHaveLength(3)
  expect(desk.listRequests().length).toBeLessThan(15)
  expect(desk.figureRequests().length).toBeGreaterThan(1_000)
  desk.answers(() => false)
  await desk.pass(poller, dayMs)
  expect(desk.brought).toEqual([first.id, second.id])
  expect(desk.notices).toHaveLength(1)
})

test('another polling.alertsPath is tried at once, also if the one before was never there', async () => {
  const desk = await openListDesk({ interval: hourMs }, {})
  const before = desk.startPoller()
  await desk.pass(before, dayMs)
  await before.stop()
  desk.answers(() => false)
  const after = desk.startPoller({ alertsPath: '/other' })
  await desk.pass(after, 2 * hourMs)
  expect(desk.listRequests().map(({ path }) => path)).toEqual(['/other'])
})

test('a list that was only guessed at and fails is no trouble of the figures, nor of anybody', async () => {
  const desk = await openListDesk({}, {})
  desk.answers(desk.isList)
  const poller = desk.startPoller()
  await desk.pass(poller, 6 * hourMs)
  expect(desk.notices).toEqual([])
  expect(Date.parse(poller.status().lastSuccess ?? '')).toBeGreaterThan(desk.clock.now() - 2 * minuteMs)
  expect(desk.listRequests().length).toBeLessThan(15)
})

test('a list that is configured and fails from the start is an incident, and the figures are read', async () => {
  const desk = await openListDesk({ alertsPath: '/other' }, {})
  desk.answers(desk.isList)
  const poller = desk.startPoller()
  await desk.pass(poller, 2 * hourMs)
  expect(desk.notices).toEqual([
    expect.stringMatching(/^The list of alerts cannot be read: \/other: GET .* 503/),
  ])
  expect(poller.status().lastSuccess).not.toBe(null)
})

test('operators get one notice that a list is too long to be read', async () => {
  const desk = await openListDesk()
  const rows = Array.from({ length: 520 }, (_, index) => {
    const detected_at = new Date(desk.clock.now() + index).toISOString()
    return {
      id: `evt_${index}`,
      type: 'policy_change',
      model: 'claude',
      data: { delta: '+4pp', detected_at },
    }
  })
  async function* listedRows() {
    yield* rows
  }
  const client = { ...measuring(dayMs, 60, desk.clock.now), alerts: () => listedRows() }
  const poller = desk.startPoller({ client, rates: 'fraction' })
  await desk.pass(poller, 6 * hourMs)
  expect(new Set(desk.brought).size).toBe(500)
  expect(desk.notices).toEqual([
    'The list of alerts is too long: /monitoring/alerts lists more than 500 alerts. What follows them is not read. ' +
      'Bluepencil still finds changes in the published figures.',
  ])
  rows.splice(20)
  await desk.pass(poller, hourMs)
  expect(desk.notices.slice(1)).toEqual(['over: All of the list of alerts is read again'])
})
