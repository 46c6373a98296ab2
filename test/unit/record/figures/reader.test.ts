import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../../../src/platform/durations.ts'
import type { AnsweredFigures, MonitorClient } from '../../../../src/service/client/client.ts'
import { readHistory } from '../../../../src/service/client/endpoints/history.ts'
import { readMetrics } from '../../../../src/service/client/endpoints/metrics.ts'
import { NotFound, Unreachable } from '../../../../src/service/client/errors.ts'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import { openArchive } from '../../../support/archive.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const now = Date.parse('2026-11-21T13:10:00.000Z')
const query = { period: '90d', category: 'political' } as const
const how = { freshMs: 6 * hourMs, patienceMs: 20_000 }
const away = new Unreachable('GET http://127.0.0.1:1/v1 could not be completed (ECONNREFUSED).', {
  timedOut: false,
})

/** A service whose clock is that of the test: 18% a day, and a failure if there is one. */
function open({
  figures = undefined as Parameters<typeof openArchive>[2],
  clock = createManualClock(now),
} = {}) {
  const service: { failure: Error | undefined } = { failure: undefined }
  const client: Pick<MonitorClient, 'history'> = {
    async history(model, { category } = {}) {
      if (service.failure !== undefined) throw service.failure
      const today = Math.floor(clock.now() / dayMs) * dayMs
      const data = Array.from({ length: 90 }, (_, index) => ({
        date: new Date(today - (89 - index) * dayMs).toISOString(),
        refusal_rate: 0.18,
      }))
      const read = readHistory({ sample_size: 500, data }, model, category)
      if (read === undefined) throw new Error('it cannot be read')
      return read
    },
  }
  const archive = openArchive(clock, client, figures)
  return { ...archive, clock, service, read: archive.reader(how) }
}

function newest(rate: number, at: number): AnsweredFigures {
  const written = { model: 'claude', political_refusal_rate: rate, sample_size: 500 }
  const read = readMetrics({ ...written, last_updated: new Date(at).toISOString() }, 'claude')
  if (read === undefined) throw new Error('it cannot be read')
  return { of: 'newest', metrics: [read] }
}

test('what polling reads keeps a history fresh for a day, without a request', async () => {
  const { read, answered, asked, clock } = open()
  await read('claude', query)
  await clock.advance(7 * hourMs)
  await answered(newest(0.31, clock.now() - hourMs))
  const { history, readAt, unit } = await read('claude', query)
  expect(history.points.at(-1)).toMatchObject({ at: '2026-11-21T19:10:00.000Z', rates: { political: 0.31 } })
  expect([readAt, unit]).toEqual([clock.now(), 'fraction'])
  expect(asked).toEqual(['claude political 90d'])
  await clock.advance(17 * hourMs)
  await answered(newest(0.31, clock.now() - hourMs))
  await read('claude', query)
  expect(asked).toHaveLength(2)
})

test('another process reads what one has read, also after a restart', async () => {
  const { read, figures, clock } = open()
  const first = await read('claude', query)
  const other = open({ figures: { figures }, clock })
  other.service.failure = away
  expect(await other.read('Claude', query)).toMatchObject({ history: { points: first.history.points } })
  expect(other.asked).toEqual([])
})

test('while the service is away, what was read last is shown, and why', async () => {
  const { read, clock, service, asked } = open()
  await read('claude', query)
  service.failure = away
  await clock.advance(6 * hourMs)
  const readAt = now
  expect(await read('claude', query)).toMatchObject({ readAt, outdated: 'the service cannot be reached' })
  await read('claude', query)
  expect(asked).toHaveLength(2)
  await clock.advance(5 * minuteMs)
  service.failure = undefined
  expect(await read('claude', query)).not.toHaveProperty('outdated')
})

test('figures of a model that the service no longer has are still shown', async () => {
  const { read, clock, service } = open()
  await read('claude', query)
  service.failure = new NotFound('there is no such model')
  await clock.advance(dayMs)
  expect(await read('claude', query)).toMatchObject({ outdated: 'the service no longer has these figures' })
  await expect(read('qwen', query)).rejects.toThrow(NotFound)
})

test('a shorter history that is known does not stand for a longer one', async () => {
  const { read, asked } = open()
  await read('claude', { ...query, period: '7d' })
  await read('claude', query)
  await read('claude', { ...query, period: '30d' })
  expect(asked).toEqual(['claude political 7d', 'claude political 90d'])
})

test('if nothing can be stored or read, the service is asked as often as the figures are to be fresh', async () => {
  const clock = createManualClock(now)
  const errors: unknown[] = []
  const fail = () => Promise.reject(new StoreUnavailable('the disk is full'))
  const { figures } = createMemoryBacking(clock).open()
  const broken = { ...figures, add: fail, read: fail, spans: fail }
  const { read, asked } = open({
    clock,
    figures: { figures: broken, onError: (error) => errors.push(error) },
  })
  expect((await read('claude', query)).history.points).toHaveLength(90)
  await clock.advance(6 * hourMs - 1)
  expect((await read('claude', query)).history.points).toHaveLength(90)
  expect(asked).toHaveLength(1)
  expect(errors).toEqual([expect.any(StoreUnavailable)])
})

test('a service that dates its points anew with each answer does not fill the store', async () => {
  const clock = createManualClock(now)
  const client: Pick<MonitorClient, 'history'> = {
    async history(model, { category } = {}) {
      const data = Array.from({ length: 90 }, (_, index) => ({
        date: new Date(clock.now() - index * dayMs).toISOString(),
        refusal_rate: 0.18,
      }))
      return readHistory({ data }, model, category) ?? expect.fail('it cannot be read')
    },
  }
  const { figures, reader } = openArchive(clock, client)
  const read = reader(how)
  for (let round = 0; round < 4; round++) {
    expect((await read('claude', query)).readAt).toBe(clock.now())
    await clock.advance(7 * hourMs)
  }
  expect(await figures.all({ after: 0, limit: 1_000 })).toHaveLength(90)
})

test('a service that dates its answers, not its measurements, does not fill the store', async () => {
  const { figures, answered, clock } = open()
  for (let minute = 0; minute < 50; minute++) {
    await answered(newest(0.31, clock.now()))
    await clock.advance(minuteMs)
  }
  const of = { service: 'service.example/v1', model: 'claude', from: 0 }
  expect(await figures.read(of)).toHaveLength(1)
  await answered(newest(0.32, clock.now()))
  expect(await figures.read(of)).toHaveLength(2)
})
