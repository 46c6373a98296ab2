import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Config } from '../../../src/config/schema.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { actsOn } from '../../../src/people/converse/acts.ts'
import { type AppOfTest, configOf } from '../../support/app.ts'
import { type OfficePlace, openOffice } from '../../support/office.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { openPostgresPlace } from '../../support/postgres/place.ts'

const hourMs = 3_600_000
const by = { name: 'Ana', via: 'command' } as const

/** In Berlin: two and a half hours, since a minute of the clock is as much work in every hour of a night. */
export const night = { quiet: { from: '22:00', to: '00:30' } }
const urgent = { quiet: { ...night.quiet, unless: { minDelta: 20 } } }

/** What the service reports of Claude, and corrects. */
export const reportOfDelta = (delta: string) => ({
  model: 'claude',
  data: { category: 'political', delta, detected_at: '2026-11-21T21:30:00Z' },
})

/** Equal applications in one office, at 21:50 in Berlin on 21 November 2026. */
export function openHeldDesk(office: ReturnType<typeof openOffice>, count = 1) {
  office.clock.set(Date.parse('2026-11-21T20:50:00Z'))
  let apps: AppOfTest[] = []
  let delivered = 0
  return {
    office,
    /** `more`: of the configuration. */
    async start(settings: object, others: object[] = [], more: object = {}): Promise<void> {
      const desk = { name: 'desk', type: 'console', timeZone: 'Europe/Berlin', ...settings }
      for (let started = 0; started < count; started += 1) {
        apps.push(await office.start(configOf([desk, ...others], more)))
        await office.clock.advance(0)
      }
    },
    async stop(): Promise<void> {
      for (const app of apps) await office.passing(app.stop())
      apps = []
    },
    /** As if they had been killed: nobody stops them. */
    forget(): void {
      apps = []
    },
    /** To each in turn. */
    async deliver(id: string, changed: object = {}): Promise<void> {
      delivered += 1
      const { port } = apps[delivered % apps.length] ?? { port: 0 }
      expect(await office.deliver(port, id, { model: id, ...changed })).toBe(202)
      await office.clock.advance(0)
    },
    async reload(config: Config): Promise<void> {
      for (const app of apps) await office.passing(app.reload(config))
      await office.clock.advance(0)
    },
    outcomeOf: async (id: string): Promise<Outcome | undefined> =>
      (await office.store.find(id))?.outcomes.desk,
    untilHour: (text: string) => office.clock.advance(Date.parse(text) - office.clock.now()),
    lines: () => office.shown('desk').map((text) => text.split('\n')[2]),
  }
}

export type HeldDesk = ReturnType<typeof openHeldDesk>

/** What is held and sent later, by the name of the test: the same for one application and for several on one store. */
const scenes: Record<string, (desk: HeldDesk) => Promise<void>> = {
  async 'what comes in a night of quiet hours is one digest in the morning, over a restart'({
    office,
    start,
    stop,
    deliver,
    outcomeOf,
    untilHour,
    lines,
  }) {
    await start(night)
    await deliver('before')
    await untilHour('2026-11-21T21:30:00Z')
    await deliver('first')
    await stop()
    await start(night)
    await deliver('second', { data: { category: 'political', delta: '+30pp' } })
    expect(lines()).toHaveLength(1)
    expect(await outcomeOf('first')).toEqual({
      state: 'held',
      until: '2026-11-21T23:30:00.000Z',
      by: 'quiet',
      why: 'quiet hours from 22:00 to 00:30, Europe/Berlin',
    })
    await untilHour('2026-11-21T23:29:59Z')
    expect(lines()).toHaveLength(1)
    await untilHour('2026-11-21T23:31:00Z')
    expect(lines()).toHaveLength(2)
    const digest = office.shown('desk')[1] ?? ''
    expect(digest).toContain('2 alerts from 21 Nov 2026, 22:30')
    // The largest change first.
    expect(digest.indexOf('second')).toBeLessThan(digest.indexOf('first'))
    expect(await outcomeOf('first')).toMatchObject({ state: 'merged', in: expect.stringMatching(/^dgs_/) })
    await deliver('after')
    expect(lines()).toHaveLength(3)
  },

  async 'an alert that nobody acknowledges goes to another channel, once, over a restart; not if somebody has it'({
    office,
    start: open,
    stop,
    deliver,
    untilHour,
  }) {
    const night = {
      name: 'night',
      type: 'console',
      events: ['policy_change'],
      quiet: { from: '21:15', to: '22:00' },
    }
    const signIn = { listen: { port: 0 }, proxy: { header: 'X-User', from: ['127.0.0.1/32'], roles: {} } }
    const settings = [
      { escalate: { after: '15m', minDelta: 10, to: 'night' } },
      [night],
      { console: signIn },
    ] as const
    const start = () => open(settings[0], [...settings[1]], settings[2])
    await start()
    for (const id of ['taken', 'alone', 'late']) await deliver(id)
    await deliver('small', { data: { category: 'political', delta: '+9pp' } })
    const people = await actsOn(office.store, office.clock.now)
    await people.acknowledge({ by, key: 'click' }, 'taken')
    await untilHour('2026-11-21T20:58:00Z')
    await stop()
    await start()
    await people.setDesk({ by, key: 'other' }, 'late', { state: 'checking' })
    expect(office.shown('night')).toEqual([])
    await untilHour('2026-11-21T21:07:00Z')
    await stop()
    await start()
    await deliver('again')
    await untilHour('2026-11-21T21:40:00Z')
    const [sent, ...more] = office.shown('night')
    expect(more).toEqual([])
    expect(sent).toContain('alone')
    expect(sent).toMatch(/Escalated from “desk” on 21 Nov 2026, 21:0[56] UTC: nobody had/)
    // A quarter of an hour after it stood on the first channel, however long the database took for that.
    const { desk: first, night: second } = (await office.store.find('alone'))?.outcomes ?? {}
    const sentAt = first?.state === 'sent' ? Date.parse(first.at) : 0
    const escalatedAt = second?.state === 'sent' ? Date.parse(second.escalated?.at ?? '') : 0
    expect((escalatedAt - sentAt) / 60_000).toBeGreaterThanOrEqual(15)
    expect((escalatedAt - sentAt) / 60_000).toBeLessThan(16.1)
    const outcome = async (id: string) => (await office.store.find(id))?.outcomes.night
    expect(await outcome('taken')).toEqual({ state: 'not_sent', rule: 'not-escalated', why: 'Ana has it' })
    expect(await outcome('late')).toEqual({ state: 'not_sent', rule: 'not-escalated', why: 'Ana has it' })
    expect(await outcome('small')).toMatchObject({ state: 'not_sent', rule: 'events' })
    // In the quiet hours of that channel.
    expect(await outcome('again')).toMatchObject({ state: 'held', until: '2026-11-21T22:00:00.000Z' })
    await untilHour('2026-11-21T22:01:00Z')
    expect(office.shown('night')).toHaveLength(2)
  },

  async 'what an outage held longer than quiet hours escalates when people had their time, without what somebody has'({
    office,
    start: open,
    stop,
    deliver,
    untilHour,
  }) {
    const settings = {
      quiet: { from: '21:45', to: '22:30' },
      escalate: { after: '15m', to: 'night' },
    }
    const signIn = { listen: { port: 0 }, proxy: { header: 'X-User', from: ['127.0.0.1/32'], roles: {} } }
    const other = { name: 'night', type: 'console', events: ['policy_change'] }
    const start = () => open(settings, [other], { console: signIn })
    await start()
    for (const id of ['taken', 'alone']) await deliver(id)
    await stop()
    await untilHour('2026-11-21T22:30:00Z')
    await start()
    await untilHour('2026-11-21T22:40:00Z')
    expect(office.shown('desk')).toEqual([expect.stringContaining('2 alerts')])
    expect(office.shown('night')).toEqual([])
    const people = await actsOn(office.store, office.clock.now)
    await people.acknowledge({ by, key: 'click' }, 'taken')
    await untilHour('2026-11-21T22:48:00Z')
    expect(office.shown('night')).toEqual([expect.stringContaining('alone')])
    expect(office.shown('night')[0]).toContain('nobody had acknowledged it since 21 Nov 2026, 22:3')
    const { outcomes } = (await office.store.find('taken')) ?? {}
    expect(outcomes?.night).toEqual({ state: 'not_sent', rule: 'not-escalated', why: 'Ana has it' })
  },

  async 'one alert of a night goes out as itself, and a large one at once'({
    office,
    start,
    deliver,
    outcomeOf,
    untilHour,
  }) {
    await start({ quiet: { ...night.quiet, unless: { minDelta: 20 } } })
    await untilHour('2026-11-21T21:30:00Z')
    await deliver('small')
    await deliver('large', { data: { category: 'political', delta: '+30pp' } })
    expect(office.shown('desk')).toEqual([expect.stringContaining('large')])
    await untilHour('2026-11-21T23:31:00Z')
    expect(office.shown('desk')).toEqual([expect.stringContaining('large'), expect.stringContaining('small')])
    expect(await outcomeOf('small')).toMatchObject({ state: 'sent' })
  },

  async 'the night in which the clocks go back is one digest, at the hour of the morning'({
    office,
    start,
    deliver,
    untilHour,
    lines,
  }) {
    office.clock.set(Date.parse('2027-10-30T23:50:00Z'))
    await start({ quiet: { from: '22:00', to: '03:30' } })
    await untilHour('2027-10-31T00:10:00Z')
    await deliver('first')
    await untilHour('2027-10-31T01:40:00Z')
    await deliver('second')
    await untilHour('2027-10-31T02:29:59Z')
    expect(lines()).toEqual([])
    await untilHour('2027-10-31T02:31:00Z')
    expect(lines()).toHaveLength(1)
  },

  async 'a daily digest says in one message what came, day for day, and nothing where nothing came'({
    office,
    start,
    deliver,
    untilHour,
    lines,
  }) {
    office.clock.set(Date.parse('2026-11-22T06:50:00Z'))
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
  },

  async 'a correction that comes while its alert is held is part of the same message'({
    office,
    start,
    deliver,
    outcomeOf,
    untilHour,
  }) {
    await start(night)
    await untilHour('2026-11-21T21:30:00Z')
    await deliver('one', reportOfDelta('+12pp'))
    await deliver('one', reportOfDelta('+9pp'))
    await untilHour('2026-11-21T23:31:00Z')
    expect(office.shown('desk')).toHaveLength(1)
    expect(office.shown('desk')[0]).toContain('Corrected on')
    expect(await outcomeOf('one~2')).toEqual({ state: 'merged', in: 'one' })
  },

  async 'a correction in a digest stands in place of what it corrects'({
    office,
    start,
    deliver,
    outcomeOf,
    untilHour,
  }) {
    await start(night)
    await untilHour('2026-11-21T21:30:00Z')
    await deliver('one', reportOfDelta('+12pp'))
    await deliver('other')
    await deliver('one', reportOfDelta('+9pp'))
    await untilHour('2026-11-21T23:31:00Z')
    const [digest = ''] = office.shown('desk')
    expect(digest).toContain('rose 9 points')
    expect(digest).toContain('not 12')
    expect(digest.match(/Claude/g)).toHaveLength(1)
    for (const id of ['one', 'one~2', 'other']) expect(await outcomeOf(id)).toMatchObject({ state: 'merged' })
  },

  async 'a correction of what was in a digest is a message of its own'({
    office,
    start,
    deliver,
    untilHour,
  }) {
    await start(night)
    await untilHour('2026-11-21T21:30:00Z')
    await deliver('one', reportOfDelta('+12pp'))
    await deliver('other')
    await untilHour('2026-11-21T23:40:00Z')
    await deliver('one', reportOfDelta('+9pp'))
    expect(office.shown('desk')).toEqual([
      expect.stringContaining('2 alerts'),
      expect.stringContaining('Correction: '),
    ])
  },

  async 'an alert that an urgent correction overtakes while it is held is not sent as if it still held'({
    office,
    start,
    deliver,
    outcomeOf,
    untilHour,
  }) {
    await start(urgent)
    await untilHour('2026-11-21T21:30:00Z')
    await deliver('one', reportOfDelta('+5pp'))
    await deliver('other')
    await deliver('one', reportOfDelta('+30pp'))
    expect(office.shown('desk')).toEqual([expect.stringContaining('Correction: ')])
    await untilHour('2026-11-21T23:31:00Z')
    expect(office.shown('desk').slice(1)).toEqual([expect.stringMatching(/refuses|other/)])
    expect(office.shown('desk')[1]).not.toContain('Claude')
    expect(await outcomeOf('one')).toEqual({ state: 'merged', in: 'one~2' })
  },

  async 'a correction of what was urgent is as urgent, and waits for no digest'({ office, start, deliver }) {
    await start({ digest: { every: 'week', unless: { minDelta: 20 } } })
    await deliver('one', reportOfDelta('+30pp'))
    await deliver('one', reportOfDelta('+1pp'))
    expect(office.shown('desk')).toEqual([
      expect.stringContaining('Censorship spike'),
      expect.stringContaining('Correction: '),
    ])
  },

  async 'a silence that ends in quiet hours, or is ended in them, waits for the morning'({
    office,
    start,
    deliver,
    untilHour,
  }) {
    await start(night)
    const { acts } = office.control()
    const silence = (key: string, model: string, hours: number) =>
      acts.silence(
        { by, key },
        { scope: { model }, until: office.clock.now() + hours * hourMs, why: 'known' },
      )
    await silence('k', 'first', 0.75)
    const second = await silence('l', 'second', 12)
    for (const id of ['first', 'second']) await deliver(id)
    await untilHour('2026-11-21T22:00:00Z')
    await acts.endSilence({ by, key: 'm' }, second.result === 'done' ? second.silence.id : '')
    await untilHour('2026-11-21T23:29:00Z')
    expect(office.shown('desk')).toEqual([])
    await untilHour('2026-11-21T23:32:00Z')
    expect(office.shown('desk')).toHaveLength(2)
  },

  async 'a silence that is ended lets out nothing that another one holds'({ office, start, deliver }) {
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
  },

  async 'what one silence or quiet hours held stays held if a longer silence was asked for meanwhile'({
    office,
    start,
    deliver,
    untilHour,
  }) {
    await start({ quiet: { from: '22:45', to: '00:30' } })
    const { acts } = office.control()
    const silence = (key: string, model: string, until: string) =>
      acts.silence({ by, key }, { scope: { model }, until: Date.parse(until), why: 'known' })
    await silence('k', 'claude', '2026-11-21T21:20:00Z')
    await deliver('one', reportOfDelta('+12pp'))
    await silence('l', 'claude', '2026-11-22T08:50:00Z')
    await untilHour('2026-11-21T21:50:00Z')
    await deliver('hushed')
    await deliver('loud')
    await silence('m', 'hushed', '2026-11-22T09:50:00Z')
    expect(office.shown('desk')).toEqual([])
    await untilHour('2026-11-21T23:31:00Z')
    expect(office.shown('desk')).toEqual([expect.stringContaining('loud')])
    await untilHour('2026-11-22T08:52:00Z')
    expect(office.shown('desk').slice(1)).toEqual([expect.stringMatching(/1 alert was held.*Claude/s)])
    await untilHour('2026-11-22T09:52:00Z')
    expect(office.shown('desk').slice(2)).toEqual([expect.stringMatching(/1 alert was held.*hushed/s)])
  },

  async 'what a digest gathered is left out of it while it is silenced'({
    office,
    start,
    deliver,
    outcomeOf,
  }) {
    await start({ digest: { every: 'hour' } })
    await deliver('one', reportOfDelta('+12pp'))
    await deliver('other')
    const until = office.clock.now() + 12 * hourMs
    await office.control().acts.silence({ by, key: 'k' }, { scope: { model: 'claude' }, until, why: 'known' })
    await office.clock.advance(hourMs)
    expect(office.shown('desk')).toEqual([expect.stringContaining('other')])
    expect(await outcomeOf('one')).toMatchObject({ state: 'held', by: expect.stringMatching(/^act_/) })
  },

  async 'a correction of what readers have is not silenced when its quiet hours end'({
    office,
    start,
    deliver,
    untilHour,
  }) {
    await start(night)
    await deliver('one', reportOfDelta('+12pp'))
    await untilHour('2026-11-21T21:30:00Z')
    await deliver('one', reportOfDelta('+9pp'))
    const until = office.clock.now() + 12 * hourMs
    await office.control().acts.silence({ by, key: 'k' }, { scope: { model: 'claude' }, until, why: 'known' })
    await untilHour('2026-11-21T23:31:00Z')
    expect(office.shown('desk').slice(1)).toEqual([expect.stringContaining('Correction: ')])
  },

  async 'a silence holds what it covers, and its end says what it held and who asked for it'({
    office,
    start,
    deliver,
  }) {
    await start({})
    const until = office.clock.now() + hourMs
    await office.control().acts.silence({ by, key: 'k' }, { scope: { model: 'hushed' }, until, why: 'known' })
    await deliver('hushed')
    await deliver('loud')
    expect(office.shown('desk')).toEqual([expect.stringContaining('loud')])
    await office.clock.advance(hourMs + 60_000)
    expect(office.shown('desk')).toHaveLength(2)
    expect(office.shown('desk')[1]).toMatch(/1 alert was held from .*, because Ana silenced hushed \(known\)/)
    await deliver('hushed2', { model: 'hushed' })
    expect(office.shown('desk')).toHaveLength(3)
  },

  async 'a silence that is ended before its time lets out what it held'({ office, start, deliver }) {
    await start({})
    const { acts } = office.control()
    const wanted = { scope: {}, until: office.clock.now() + 24 * hourMs, why: 'known' }
    const done = await acts.silence({ by, key: 'k' }, wanted)
    await deliver('a')
    await deliver('b')
    await acts.endSilence({ by, key: 'l' }, done.result === 'done' ? done.silence.id : '')
    await office.clock.advance(60_000)
    expect(office.shown('desk')).toEqual([
      expect.stringMatching(/2 alerts were held from .*, because Ana silenced/),
    ])
  },

  async 'what is held is sent now if somebody asks, as one message or as itself, and not again in the morning'({
    office,
    start,
    deliver,
    outcomeOf,
    untilHour,
    lines,
  }) {
    await start(night)
    await untilHour('2026-11-21T21:30:00Z')
    for (const id of ['a', 'b', 'c']) await deliver(id)
    const control = office.control()
    const held = (count: number) => ({ desk: [{ count, until: '2026-11-21T23:30:00.000Z', by: 'quiet' }] })
    expect((await control.status()).held).toEqual(held(3))
    expect(await control.sendHeld({ by, key: 'k' }, 'desk', 'b')).toMatchObject({ result: 'sent', count: 1 })
    await office.clock.advance(1_000)
    expect(office.shown('desk')).toEqual([expect.stringContaining('Censorship spike')])
    expect(await outcomeOf('b')).toMatchObject({ state: 'sent' })
    expect((await control.status()).held).toEqual(held(2))
    expect(await control.sendHeld({ by, key: 'l' }, 'desk')).toMatchObject({ result: 'sent', count: 2 })
    await office.clock.advance(1_000)
    expect(office.shown('desk')[1]).toContain('2 alerts')
    expect((await control.status()).held).toEqual({})
    // A second click.
    expect(await control.sendHeld({ by, key: 'l' }, 'desk')).toEqual({ result: 'nothing-held' })
    await deliver('later')
    await untilHour('2026-11-21T23:32:00Z')
    expect(lines()).toHaveLength(3)
    const acts = (await office.store.list({ limit: 20 })).flatMap(({ entry }) =>
      entry.kind === 'act' ? [entry] : [],
    )
    expect(acts).toMatchObject([
      { does: 'send-again', by, channels: ['desk'], held: expect.arrayContaining(['a', 'c']) },
      { does: 'send-again', by, channels: ['desk'], held: ['b'] },
    ])
  },

  async 'what a silence holds is sent now if somebody asks, while the silence goes on'({
    office,
    start,
    deliver,
    lines,
  }) {
    await start({})
    const until = office.clock.now() + hourMs
    await office.control().acts.silence({ by, key: 'k' }, { scope: {}, until, why: 'known' })
    for (const id of ['a', 'b']) await deliver(id)
    await office.control().sendHeld({ by, key: 'l' }, 'desk')
    await office.clock.advance(1_000)
    expect(office.shown('desk')).toEqual([expect.stringContaining('2 alerts')])
    await deliver('c')
    expect(lines()).toHaveLength(1)
    await office.clock.advance(hourMs + 60_000)
    expect(office.shown('desk')[1]).toMatch(/1 alert was held from .*, because Ana silenced/)
  },

  async 'of thirty alerts in a minute ten come at once, and those that are larger than all before; the rest within ten minutes'({
    office,
    start,
    deliver,
    lines,
  }) {
    await start({})
    const rise = (delta: string) => ({ data: { category: 'political', delta } })
    for (let number = 1; number <= 30; number += 1) {
      await deliver(`m${number}`, rise(number === 25 ? '+45pp' : `+${5 + (number % 7)}pp`))
      await office.clock.advance(2_000)
    }
    expect(lines()).toHaveLength(11)
    expect(office.shown('desk')[10]).toContain('rose 45 points')
    await office.clock.advance(9 * 60_000 + 2_000)
    expect(lines()).toHaveLength(12)
    expect(office.shown('desk')[11]).toContain('19 alerts')
    await office.clock.advance(hourMs)
    expect(lines()).toHaveLength(12)
  },

  async 'a flood that reaches into quiet hours waits for the morning'({
    office,
    start,
    deliver,
    untilHour,
    lines,
  }) {
    await start(night)
    await untilHour('2026-11-21T20:55:00Z')
    for (let number = 1; number <= 12; number += 1) await deliver(`m${number}`)
    expect(lines()).toHaveLength(10)
    await untilHour('2026-11-21T23:29:00Z')
    expect(lines()).toHaveLength(10)
    await untilHour('2026-11-21T23:31:00Z')
    expect(office.shown('desk')[10]).toContain('2 alerts')
  },

  async 'what was held for a channel that leaves the configuration is accounted for, and operators are alerted'({
    office,
    start,
    deliver,
    reload,
    outcomeOf,
    untilHour,
  }) {
    await start(night)
    await untilHour('2026-11-21T21:30:00Z')
    await deliver('a')
    await reload(configOf([{ name: 'other', type: 'console' }]))
    expect(await outcomeOf('a')).toMatchObject({ state: 'not_sent', rule: 'channel-removed' })
    await office.clock.advance(1_000)
    expect(office.alerts()).toEqual(['desk is no longer configured'])
  },

  async 'what is held stays held until its hour where the quiet hours leave the configuration'({
    office,
    start,
    deliver,
    reload,
    untilHour,
  }) {
    await start(night)
    await untilHour('2026-11-21T21:30:00Z')
    await deliver('a')
    await deliver('b')
    await reload(configOf([{ name: 'desk', type: 'console' }]))
    await deliver('c')
    expect(office.shown('desk')).toHaveLength(1)
    await untilHour('2026-11-21T23:31:00Z')
    expect(office.shown('desk')[1]).toContain('2 alerts')
  },
}

/** How many applications share which store. */
interface Kind {
  count: number
  onPostgres?: true
}

/** The tests of a `describe`: each scene. */
export function playScenes({ count, onPostgres }: Kind): void {
  const server = onPostgres ? postgresForTests() : undefined
  let place: OfficePlace | undefined
  let desk: HeldDesk | undefined

  beforeEach(async () => {
    let office: ReturnType<typeof openOffice> | undefined
    const now = () => office?.clock.now() ?? 0
    place = server && (await openPostgresPlace(await server().create(), now))
    office = openOffice({}, place)
    desk = openHeldDesk(office, count)
  })
  afterEach(async () => {
    await desk?.stop()
    await place?.close()
  })

  test.each(Object.entries(scenes))('%s', { timeout: 120_000 }, async (_name, play) => {
    expect(desk).toBeDefined()
    if (desk !== undefined) await play(desk)
  })
}
