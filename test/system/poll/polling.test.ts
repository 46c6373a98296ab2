import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs, openDesk, start } from './desk.ts'

const claude = { models: ['claude'] }
const halfHour = { poll: { interval: hourMs / 2, ...claude } }

test('a change becomes an event within the delay that the plan promises, and is sent once', async () => {
  const desk = await openDesk()
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  expect(desk.taken).toEqual([])
  const detectedAt = new Date(desk.clock.now()).toISOString()
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 25 })
  await desk.pass(poller, 100_000)
  expect(desk.taken).toMatchObject([
    {
      id: expect.stringMatching(/^poll_[0-9a-f]{32}$/),
      type: 'censorship_spike',
      source: 'poll',
      model: 'claude',
      category: 'political',
      detectedAt,
      figures: {
        state: 'visible',
        sentence: expect.stringMatching(
          /^\+[\d.]+ points \(95%: .*\), [\d.]+% against [\d.]+% in \d+ readings; /,
        ),
      },
    },
  ])
  await desk.pass(poller, hourMs)
  expect(desk.taken).toHaveLength(1)
  expect(desk.errors).toEqual([])
})

test('what was reported is looked for in the figures', async () => {
  const desk = await openDesk(halfHour)
  const poller = desk.startPoller()
  const step = { model: 'claude', category: 'political', delta: 25 }
  const at = (time: number) => ({ ...step, detectedAt: new Date(time).toISOString() })
  expect(poller.seen(at(start))).toEqual({ state: 'unknown' })
  await desk.pass(poller, hourMs)
  expect(poller.seen(at(start))).toEqual({ state: 'not-yet' })
  expect(poller.seen(at(desk.clock.now()))).toEqual({ state: 'not-shown' })
  const changed = desk.clock.now()
  desk.sandbox.fire(step)
  await desk.pass(poller, hourMs)
  expect(poller.seen(at(changed))).toMatchObject({ state: 'visible', levels: { category: 'political' } })
  expect(poller.seen({ ...at(changed), delta: -25 })).toEqual({ state: 'not-yet' })
  expect(poller.seen({ ...at(changed), model: 'nobody' })).toEqual({ state: 'not-shown' })
})

test('a change in social prompts, which metrics do not have, is found within the hour and named', async () => {
  const desk = await openDesk({ poll: { models: ['qwen'] } })
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  desk.sandbox.fire({ model: 'qwen', category: 'social', delta: 35 })
  await desk.pass(poller, hourMs)
  expect(desk.taken).toMatchObject([{ model: 'qwen', category: 'social', type: 'censorship_spike' }])
})

test('percent and fractions are distinguished', async () => {
  const desk = await openDesk({
    dialect: { rates: 'percent', 'sample-size': 'per-category' },
    poll: claude,
  })
  const poller = desk.startPoller()
  await desk.pass(poller, 5 * minuteMs)
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 25 })
  await desk.pass(poller, 100_000)
  expect(desk.taken).toMatchObject([{ category: 'political', figures: { sampleSize: 200 } }])
  expect(desk.taken[0]?.delta).toBeGreaterThan(15)
})

test('a restart continues: no poll is early, nothing is sent twice', async () => {
  const desk = await openDesk(halfHour)
  const first = desk.startPoller()
  await desk.pass(first, hourMs)
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 25 })
  await desk.pass(first, hourMs)
  expect(desk.taken).toHaveLength(1)
  await desk.pass(first, 5 * minuteMs)
  const { nextLook } = first.status()
  await first.stop()
  const looks = desk.looks()

  const second = desk.startPoller()
  await desk.pass(second, minuteMs)
  expect(second.status().nextLook).toBe(nextLook)
  expect(desk.looks()).toBe(looks)
  await desk.pass(second, 2 * hourMs)
  expect(desk.looks()).toBe(looks + 4)
  expect(desk.taken).toHaveLength(1)
})

test('what was found and could not be stored is found again', async () => {
  const desk = await openDesk({ poll: claude })
  let away = true
  const poller = desk.startPoller({
    async accept(event) {
      if (away) throw new Error('the disk is full')
      desk.taken.push(event)
      return 'new'
    },
  })
  await desk.pass(poller, 5 * minuteMs)
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 25 })
  await desk.pass(poller, 5 * minuteMs)
  expect(desk.taken).toEqual([])
  away = false
  await desk.pass(poller, 2 * minuteMs)
  expect(desk.taken).toHaveLength(1)
})

test('after days away, what changed meanwhile is found in the history, each change once, and the operators know', async () => {
  const desk = await openDesk({ speed: 0, poll: { ...halfHour.poll, models: ['claude', 'gemini'] } })
  const first = desk.startPoller()
  await desk.pass(first, hourMs)
  await first.stop()
  await desk.clock.advance(dayMs)
  desk.sandbox.fire({ model: 'claude', category: 'political', delta: 30 })
  await desk.clock.advance(dayMs)
  desk.sandbox.fire({ model: 'gemini', category: 'safety', delta: 30 })
  await desk.clock.advance(dayMs)
  await desk.control('POST', '/world', { measure: true })

  const second = desk.startPoller()
  await desk.pass(second, 6 * hourMs)
  expect(desk.taken.map(({ model, detectedAt }) => [model, detectedAt])).toEqual([
    ['claude', '2026-03-02T10:10:00.000Z'],
    ['gemini', '2026-03-03T10:10:00.000Z'],
  ])
  expect(desk.notices).toEqual([
    '2 missed changes were found: Polling was interrupted since 2026-03-01T09:40:15.000Z. Each alert says when its change was detected.',
  ])
})

test('a service that says 429 is asked again when it wants to be, and not before', async () => {
  const desk = await openDesk({ poll: claude })
  const poller = desk.startPoller()
  await desk.pass(poller, 5 * minuteMs)
  // Somebody else spends the key; the hour of the clock ends 45 minutes later.
  const headers = { authorization: 'Bearer sandbox-free' }
  for (let request = 0; request < 100; request++) {
    const { status } = await fetch(`${desk.sandbox.url}/monitoring/claude/metrics`, { headers })
    if (status === 429) break
  }
  const before = (await desk.requests()).requests.length
  await desk.pass(poller, 44 * minuteMs)
  const { requests } = await desk.requests()
  expect(requests.slice(before).map(({ status }) => status)).toEqual([429])
  await desk.pass(poller, 5 * minuteMs)
  expect((await desk.requests()).requests.at(-1)?.status).toBe(200)
})

test('alerts that the service lists are read first; those that are already old are not sent', async () => {
  const desk = await openDesk({ dialect: { alerts: 'present', pages: 'cursor' }, poll: claude })
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  expect(desk.taken).toEqual([])
  const { id } = desk.sandbox.fire({ model: 'claude', category: 'political', delta: 4 })
  await desk.pass(poller, 2 * minuteMs)
  expect(desk.taken).toMatchObject([{ id, source: 'poll', delta: 4, figures: null }])
  await desk.pass(poller, 2 * hourMs)
  expect(desk.taken).toHaveLength(1)
  expect((await desk.requests()).mostInAnHour['sandbox-free']).toBeLessThanOrEqual(75)
})

test('a list of alerts that is not there is looked for once a week', async () => {
  const desk = await openDesk({ poll: { interval: 6 * hourMs, ...claude } })
  const poller = desk.startPoller()
  await desk.pass(poller, 8 * dayMs)
  const { requests } = await desk.requests()
  const looked = requests.filter(({ path }) => path === '/v1/monitoring/alerts')
  expect(looked.map(({ at }) => at.slice(0, 10))).toEqual(['2026-03-01', '2026-03-08'])
})

test('a model that disappears is no alarm; after six hours the operators know, and when it is back', async () => {
  const desk = await openDesk(halfHour)
  const poller = desk.startPoller()
  await desk.pass(poller, hourMs)
  await desk.control('POST', '/world', { model: 'claude', hide: true })
  await desk.pass(poller, 6 * hourMs)
  expect(desk.notices).toEqual([])
  await desk.pass(poller, hourMs)
  expect(desk.notices).toEqual([
    expect.stringMatching(
      /^The figures of claude .*: claude: the service no longer knows the model \(since /,
    ),
  ])
  await desk.control('POST', '/world', { model: 'claude', hide: false })
  await desk.pass(poller, hourMs)
  expect(desk.notices.slice(1)).toEqual(['over: The figures of claude can be used again'])
  expect(desk.taken).toEqual([])
})

test('readings that stand still are no alarm; after three days the operators know', async () => {
  const desk = await openDesk({ poll: { interval: 2 * hourMs } })
  const poller = desk.startPoller()
  await desk.control('POST', '/world', { silent: true })
  await desk.pass(poller, 3 * dayMs - hourMs)
  expect(desk.notices).toEqual([])
  await desk.pass(poller, 3 * hourMs)
  expect(desk.notices).toHaveLength(5)
  expect(desk.notices[0]).toMatch(/there is no new reading \(since 2026-03-01/)
  expect(desk.taken).toEqual([])
})

test('a service that is down is asked ever more rarely, and the operators know after half an hour', async () => {
  const desk = await openDesk({ poll: claude })
  const poller = desk.startPoller()
  await desk.pass(poller, 10 * minuteMs)
  await desk.control('POST', '/world', { down: true })
  await desk.pass(poller, 25 * minuteMs)
  expect(desk.notices).toEqual([])
  await desk.pass(poller, 10 * minuteMs)
  expect(desk.notices).toEqual([expect.stringMatching(/^The published figures cannot be read: GET .* 503/)])
  await desk.control('POST', '/world', { down: false })
  await desk.pass(poller, 2 * minuteMs)
  expect(desk.notices.slice(1)).toEqual(['over: The published figures can be read again'])
  expect((await desk.requests()).mostInAnHour['sandbox-free']).toBeLessThanOrEqual(75)
})

test('figures that say they are of another model are not used, and the other models are read as before', async () => {
  let isMixedUp = false
  const requested: string[] = []
  const desk = await openDesk({
    withoutCompare: true,
    poll: { interval: hourMs / 2 },
    answeredBy(url) {
      requested.push(url)
      return isMixedUp ? url.replace('/monitoring/claude/', '/monitoring/gemini/') : url
    },
  })
  const poller = desk.startPoller()
  await desk.pass(poller, 5 * hourMs)
  isMixedUp = true
  requested.length = 0
  desk.sandbox.fire({ model: 'gemini', category: 'political', delta: 30 })
  await desk.pass(poller, 5 * hourMs)
  expect(desk.errors).toEqual([])
  expect(desk.taken.map(({ model, category }) => [model, category])).toEqual([['gemini', 'political']])
  const readings = (model: string) => requested.filter((url) => url.endsWith(`/${model}/metrics`)).length
  for (const model of ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']) {
    expect(readings(model)).toBeGreaterThan(8)
    expect(readings(model)).toBeLessThan(14)
  }
  expect(desk.notices).toEqual([])
  await desk.pass(poller, 2 * hourMs)
  expect(desk.notices).toEqual([
    expect.stringMatching(
      /^The figures of claude cannot be used: claude: the service answers with figures of another model \(since /,
    ),
  ])
  isMixedUp = false
  await desk.pass(poller, hourMs)
  expect(desk.notices.slice(1)).toEqual(['over: The figures of claude can be used again'])
  expect(desk.taken).toHaveLength(1)
})
