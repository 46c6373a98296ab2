import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../../src/app/app.ts'
import type { Config } from '../../../src/config/schema.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import type { Store } from '../../../src/store/store.ts'
import { configOf } from '../../support/app.ts'
import { type OfficePlace, openOffice } from '../../support/office.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { openPostgresPlace } from '../../support/postgres/place.ts'

const hourMs = 3_600_000
const by = { name: 'Ana', via: 'command' } as const

let office: ReturnType<typeof openOffice>
/** Equal applications on one store. */
let apps: App[] = []
let delivered = 0

async function stop(): Promise<void> {
  for (const app of apps) await office.passing(app.stop())
  apps = []
}

/** The office is open at 16:05 in Berlin on 21 November 2026. */
async function startOne(settings: object): Promise<void> {
  const desk = { name: 'desk', type: 'console', timeZone: 'Europe/Berlin', ...settings }
  apps.push(await office.start(configOf([desk])))
  await office.clock.advance(0)
}

/** To each in turn. */
async function deliver(id: string, changed: object = {}): Promise<void> {
  delivered += 1
  const { port } = apps[delivered % apps.length] ?? { port: 0 }
  expect(await office.deliver(port, id, { model: id, ...changed })).toBe(202)
  await office.clock.advance(0)
}

async function outcomeOf(id: string): Promise<Outcome | undefined> {
  return (await office.store.find(id))?.outcomes.desk
}

const untilHour = (text: string) => office.clock.advance(Date.parse(text) - office.clock.now())
const lines = () => office.shown('desk').map((text) => text.split('\n')[2])
const night = { quiet: { from: '22:00', to: '07:00' } }

/** How many applications share which store. */
interface Kind {
  who: string
  count: number
  onPostgres?: true
}

const kinds: Kind[] = [
  { who: 'one application', count: 1 },
  { who: 'two applications on one store in memory', count: 2 },
  { who: 'two applications on one Postgres', count: 2, onPostgres: true },
]

describe.each(kinds)('$who', { timeout: 300_000 }, ({ count, onPostgres }) => {
  const server = onPostgres ? postgresForTests() : undefined
  let place: OfficePlace | undefined

  beforeEach(async () => {
    delivered = 0
    place = server && (await openPostgresPlace(await server().create(), () => office.clock.now()))
    office = openOffice({}, place)
  }, 60_000)
  afterEach(async () => {
    await stop()
    await place?.close()
  }, 60_000)

  async function start(settings: object): Promise<void> {
    for (let one = 0; one < count; one += 1) await startOne(settings)
  }

  async function reload(config: Config): Promise<void> {
    for (const app of apps) await office.passing(app.reload(config))
    await office.clock.advance(0)
  }

  test('what comes in a night of quiet hours is one digest in the morning, over a restart', async () => {
    await start(night)
    await deliver('before')
    await untilHour('2026-11-21T22:00:00Z')
    await deliver('first')
    await stop()
    await start(night)
    await deliver('second', { data: { category: 'political', delta: '+30pp' } })
    expect(lines()).toHaveLength(1)
    expect(await outcomeOf('first')).toEqual({
      state: 'held',
      until: '2026-11-22T06:00:00.000Z',
      by: 'quiet',
      why: 'quiet hours from 22:00 to 07:00, Europe/Berlin',
    })
    await untilHour('2026-11-22T05:59:59Z')
    expect(lines()).toHaveLength(1)
    await untilHour('2026-11-22T06:01:00Z')
    expect(lines()).toHaveLength(2)
    const digest = office.shown('desk')[1] ?? ''
    expect(digest).toContain('2 alerts from 21 Nov 2026, 23:00')
    // The largest change first.
    expect(digest.indexOf('second')).toBeLessThan(digest.indexOf('first'))
    expect(await outcomeOf('first')).toMatchObject({ state: 'told', in: expect.stringMatching(/^dgs_/) })
    await deliver('after')
    expect(lines()).toHaveLength(3)
  })

  test('one alert of a night goes out as itself, and a large one at once', async () => {
    await start({ quiet: { ...night.quiet, unless: { minDelta: 20 } } })
    await untilHour('2026-11-21T22:00:00Z')
    await deliver('small')
    await deliver('large', { data: { category: 'political', delta: '+30pp' } })
    expect(office.shown('desk')).toEqual([expect.stringContaining('large')])
    await untilHour('2026-11-22T06:01:00Z')
    expect(office.shown('desk')).toEqual([expect.stringContaining('large'), expect.stringContaining('small')])
    expect(await outcomeOf('small')).toMatchObject({ state: 'sent' })
  })

  test('the night in which the clocks go back is one digest, at the hour of the morning', async () => {
    office.clock.set(Date.parse('2027-10-30T12:00:00Z'))
    await start(night)
    await untilHour('2027-10-30T22:30:00Z')
    await deliver('first')
    await untilHour('2027-10-31T01:30:00Z')
    await deliver('second')
    await untilHour('2027-10-31T05:59:59Z')
    expect(lines()).toEqual([])
    await untilHour('2027-10-31T06:01:00Z')
    expect(lines()).toHaveLength(1)
  })

  test('a daily digest says in one message what came, day for day, and nothing where nothing came', async () => {
    await start({ digest: { every: 'day', at: '08:00' } })
    await deliver('a')
    await deliver('b')
    await untilHour('2026-11-22T07:01:00Z')
    expect(lines()).toHaveLength(1)
    await untilHour('2026-11-23T07:01:00Z')
    expect(lines()).toHaveLength(1)
    await deliver('c')
    await deliver('d')
    await deliver('e')
    await untilHour('2026-11-24T07:01:00Z')
    expect(office.shown('desk')[1]).toContain('3 alerts')
  })

  describe('a correction', () => {
    const said = (delta: string) => ({
      model: 'claude',
      data: { category: 'political', delta, detected_at: '2026-11-21T22:00:00Z' },
    })

    test('that comes while its alert is held is part of the same message', async () => {
      await start(night)
      await untilHour('2026-11-21T22:00:00Z')
      await deliver('one', said('+12pp'))
      await deliver('one', said('+9pp'))
      await untilHour('2026-11-22T06:01:00Z')
      expect(office.shown('desk')).toHaveLength(1)
      expect(office.shown('desk')[0]).toContain('Corrected on')
      expect(await outcomeOf('one~2')).toEqual({ state: 'told', in: 'one' })
    })

    test('in a digest stands in place of what it corrects', async () => {
      await start(night)
      await untilHour('2026-11-21T22:00:00Z')
      await deliver('one', said('+12pp'))
      await deliver('other')
      await deliver('one', said('+9pp'))
      await untilHour('2026-11-22T06:01:00Z')
      const [digest = ''] = office.shown('desk')
      expect(digest).toContain('9 percentage points')
      expect(digest).toContain('not 12')
      expect(digest.match(/Claude/g)).toHaveLength(1)
      for (const id of ['one', 'one~2', 'other']) expect(await outcomeOf(id)).toMatchObject({ state: 'told' })
    })

    test('of what was in a digest is a message of its own', async () => {
      await start(night)
      await untilHour('2026-11-21T22:00:00Z')
      await deliver('one', said('+12pp'))
      await deliver('other')
      await untilHour('2026-11-22T08:00:00Z')
      await deliver('one', said('+9pp'))
      expect(office.shown('desk')).toEqual([
        expect.stringContaining('2 alerts'),
        expect.stringContaining('Correction: '),
      ])
    })
  })

  describe('what is overtaken while it is held', () => {
    const urgent = { quiet: { ...night.quiet, unless: { minDelta: 20 } } }
    const said = (delta: string) => ({
      model: 'claude',
      data: { category: 'political', delta, detected_at: '2026-11-21T22:00:00Z' },
    })

    test('by an urgent correction is not told as if it still held', async () => {
      await start(urgent)
      await untilHour('2026-11-21T22:00:00Z')
      await deliver('one', said('+5pp'))
      await deliver('other')
      await deliver('one', said('+30pp'))
      expect(office.shown('desk')).toEqual([expect.stringContaining('Correction: ')])
      await untilHour('2026-11-22T06:01:00Z')
      expect(office.shown('desk').slice(1)).toEqual([expect.stringMatching(/refuses|other/)])
      expect(office.shown('desk')[1]).not.toContain('Claude')
      expect(await outcomeOf('one')).toEqual({ state: 'told', in: 'one~2' })
    })

    test('a correction of what was urgent is as urgent, and waits for no digest', async () => {
      await start({ digest: { every: 'week', unless: { minDelta: 20 } } })
      await deliver('one', said('+30pp'))
      await deliver('one', said('+1pp'))
      expect(office.shown('desk')).toEqual([
        expect.stringContaining('Censorship spike'),
        expect.stringContaining('Correction: '),
      ])
    })
  })

  test('a silence that ends in quiet hours, or is ended in them, waits for the morning', async () => {
    await start(night)
    await untilHour('2026-11-21T20:00:00Z')
    const { acts } = office.control()
    const silence = (key: string, model: string, hours: number) =>
      acts.silence(
        { by, key },
        { scope: { model }, until: office.clock.now() + hours * hourMs, why: 'known' },
      )
    await silence('k', 'first', 3)
    const second = await silence('l', 'second', 12)
    for (const id of ['first', 'second']) await deliver(id)
    await untilHour('2026-11-21T23:30:00Z')
    await acts.endSilence({ by, key: 'm' }, second.result === 'done' ? second.silence.id : '')
    await untilHour('2026-11-22T05:59:00Z')
    expect(office.shown('desk')).toEqual([])
    await untilHour('2026-11-22T06:02:00Z')
    expect(office.shown('desk')).toHaveLength(2)
  })

  test('a silence that is ended lets out nothing that another one holds', async () => {
    await start({})
    const { acts } = office.control()
    const silence = (key: string, hours: number) =>
      acts.silence({ by, key }, { scope: {}, until: office.clock.now() + hours * hourMs, why: 'known' })
    const longer = await silence('k', 12)
    await silence('l', 2)
    await deliver('a')
    await acts.endSilence({ by, key: 'm' }, longer.result === 'done' ? longer.silence.id : '')
    await office.clock.advance(hourMs)
    expect(office.shown('desk')).toEqual([])
    await office.clock.advance(hourMs + 60_000)
    expect(office.shown('desk')).toHaveLength(1)
  })

  test('a silence holds what it covers, and its end says what it held and who asked for it', async () => {
    await start({})
    const until = office.clock.now() + hourMs
    await office.control().acts.silence({ by, key: 'k' }, { scope: { model: 'hushed' }, until, why: 'known' })
    await deliver('hushed')
    await deliver('loud')
    expect(office.shown('desk')).toEqual([expect.stringContaining('loud')])
    await office.clock.advance(hourMs + 60_000)
    expect(office.shown('desk')).toHaveLength(2)
    expect(office.shown('desk')[1]).toContain('1 alert came while Ana had silenced hushed (known)')
    await deliver('hushed2', { model: 'hushed' })
    expect(office.shown('desk')).toHaveLength(3)
  })

  test('a silence that is ended before its time lets out what it held', async () => {
    await start({})
    const { acts } = office.control()
    const wanted = { scope: {}, until: office.clock.now() + 24 * hourMs, why: 'known' }
    const done = await acts.silence({ by, key: 'k' }, wanted)
    await deliver('a')
    await deliver('b')
    await acts.endSilence({ by, key: 'l' }, done.result === 'done' ? done.silence.id : '')
    await office.clock.advance(60_000)
    expect(office.shown('desk')).toEqual([expect.stringContaining('2 alerts came while Ana had silenced')])
  })

  test('what was held for a channel that leaves the configuration is accounted for, and operators are alerted', async () => {
    await start(night)
    await untilHour('2026-11-21T22:00:00Z')
    await deliver('a')
    await reload(configOf([{ name: 'other', type: 'console' }]))
    expect(await outcomeOf('a')).toMatchObject({ state: 'not_sent', rule: 'channel-removed' })
    await office.clock.advance(1_000)
    expect(office.alerts()).toEqual(['desk is no longer configured'])
  })

  test('what is held stays held until its hour where the quiet hours leave the configuration', async () => {
    await start(night)
    await untilHour('2026-11-21T22:00:00Z')
    await deliver('a')
    await deliver('b')
    await reload(configOf([{ name: 'desk', type: 'console' }]))
    await deliver('c')
    expect(office.shown('desk')).toHaveLength(1)
    await untilHour('2026-11-22T06:01:00Z')
    expect(office.shown('desk')[1]).toContain('2 alerts')
  })
})

describe('killed', () => {
  let handle: (Store & { kill(): void }) | undefined
  afterEach(stop)

  /** Three processes in turn; the first ends at that step of what it does when the wait ends. */
  async function liveOn(step: number, came: () => Promise<void>): Promise<void> {
    let isFirst = true
    office = openOffice({
      openStore: async () => {
        const opened = office.backing.open()
        let left = step
        handle = opened
        const stepping =
          <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
          async (...args: Args): Promise<T> => {
            const isOver = office.clock.now() >= Date.parse('2026-11-22T06:00:00Z')
            if (isOver && isFirst && left-- <= 0) opened.kill()
            return work(...args)
          }
        return {
          ...opened,
          accept: stepping(opened.accept),
          alter: stepping(opened.alter),
          kill: opened.kill,
        }
      },
    })
    await startOne(night)
    await untilHour('2026-11-21T22:00:00Z')
    await came()
    await untilHour('2026-11-22T06:02:00Z')
    handle?.kill()
    apps = []
    isFirst = false
    await startOne(night)
    await office.clock.advance(120_000)
  }

  /** One that was in flight is shown again: a terminal cannot be asked. */
  const messages = () => new Set(office.shown('desk').map((text) => /· (\S+)/.exec(text)?.[1]))

  test('in the middle of a digest, at whichever step, the next process sends it once', async () => {
    for (let step = 1; step <= 9; step += 1) {
      await liveOn(step, async () => {
        for (const id of ['a', 'b', 'c']) await deliver(id)
      })
      expect([step, [...messages()]]).toEqual([step, [expect.stringMatching(/^dgs_/)]])
      for (const id of ['a', 'b', 'c']) expect(await outcomeOf(id)).toMatchObject({ state: 'told' })
      await stop()
    }
  })

  test('before the one alert of a night and its correction are both noted, the next process sends one message', async () => {
    const said = (delta: string) => ({
      model: 'claude',
      data: { category: 'political', delta, detected_at: '2026-11-21T22:00:00Z' },
    })
    for (let step = 0; step <= 4; step += 1) {
      await liveOn(step, async () => {
        await deliver('one', said('+12pp'))
        await deliver('one', said('+9pp'))
      })
      expect([step, [...messages()]]).toEqual([step, ['one']])
      expect(office.shown('desk').at(-1)).toContain('Corrected on')
      expect(await outcomeOf('one')).toMatchObject({ state: 'sent' })
      await stop()
    }
  })
})
