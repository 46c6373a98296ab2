import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endOwn } from '../../../src/store/postgres/sessions.ts'
import type { NewEntry, Store, StoreChange } from '../../../src/store/store.ts'
import { event, sent, waiting } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { never, openProcesses } from './processes.ts'

const { open, ask, empty } = openProcesses()

const lease = (store: Store) => store.leaseDue('desk', { now: Date.now(), limit: 9, leaseMs: 600_000 })

describe('several processes on one store in Postgres', () => {
  it('make its tables once, in any order', async () => {
    await empty()
    await Promise.all([open(), open(), open(), open()])
    const [row] = await ask<{ twice: number }>(
      'select count(*)::int - count(distinct name)::int as twice from bluepencil.migrations',
    )
    expect(row?.twice).toBe(0)
  })

  it('take each of many ids once, and number them without a repeat', async () => {
    const stores = await Promise.all([open(), open(), open()])
    const ids = Array.from({ length: 60 }, (_, index) => `e${index}`)
    const answers = await Promise.all(
      stores.flatMap((store) => ids.map((id) => store.accept([event(id)]).then(([verdict]) => verdict))),
    )
    expect(answers.filter((verdict) => verdict === 'new')).toHaveLength(60)
    const seqs = (await stores[0].list({ limit: 100 })).map(({ seq }) => seq)
    expect(new Set(seqs).size).toBe(60)
  })

  it('have at once again what was leased to them when the answer to the commit was lost', async () => {
    const store = await open()
    await store.accept([event('e1', { desk: waiting() }), event('e2', { desk: waiting() })])
    const { query } = pg.Client.prototype
    const mend = () => Object.assign(pg.Client.prototype, { query })
    onTestFinished(() => void mend())
    Object.assign(pg.Client.prototype, {
      async query(this: pg.Client, ...args: unknown[]): Promise<unknown> {
        const answer: unknown = await Reflect.apply(query, this, args)
        if (args[0] !== 'commit') return answer
        mend()
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' })
      },
    })
    await expect(lease(store)).rejects.toThrow('08006')
    const [row] = await ask<{ leased: number }>('select count(lease)::int as leased from bluepencil.outcomes')
    expect(row?.leased).toBe(2)
    expect(await store.nextDue('desk')).toBeLessThanOrEqual(Date.now())
    const again = await lease(store)
    expect(again.map(({ eventId, uncertain, interrupted }) => [eventId, uncertain, interrupted])).toEqual([
      ['e1', false, undefined],
      ['e2', false, undefined],
    ])
  })

  it('decide about one model one after the other: each sees what the others decided', async () => {
    const stores = await Promise.all([open(), open(), open()])
    const seen: number[] = []
    function decided(id: string): NewEntry {
      const entry = alert({ id })
      return {
        entry,
        decide(near) {
          const count = near.of('claude', 'service').length
          return { entry: alert({ id, methodology: String(count) }), outcomes: {} }
        },
      }
    }
    await Promise.all(
      stores.flatMap((store, index) =>
        Array.from({ length: 10 }, (_, n) => store.accept([decided(`e${index}-${n}`)])),
      ),
    )
    for (const { entry } of await stores[0].list({ limit: 100 })) {
      if (entry.kind === 'alert') seen.push(Number(entry.methodology))
    }
    expect(seen.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, n) => n))
  })

  it('never decide about one change by both ways without either seeing the other', async () => {
    const [one, other] = [await open(), await open()]
    function by(way: 'service' | 'figures', id: string, seen: string[]): NewEntry {
      const entry = alert({ id, ...(way === 'figures' && { source: 'poll', found: true }) })
      return {
        entry,
        decide(near) {
          const others = near.of('claude', way === 'service' ? 'figures' : 'service')
          seen.splice(0, seen.length, ...others.map((neighbour) => neighbour.entry.id))
          return { entry, outcomes: {} }
        },
      }
    }
    for (let round = 0; round < 25; round += 1) {
      await ask('delete from bluepencil.entries')
      const [first, second]: [string[], string[]] = [[], []]
      const verdicts = await Promise.all([
        one.accept([by('service', `s${round}`, first)]),
        other.accept([by('figures', `f${round}`, second)]),
      ])
      expect([verdicts, first.length + second.length]).toEqual([[['new'], ['new']], 1])
    }
  })

  it('change an outcome and small state one after the other', async () => {
    const stores = await Promise.all([open(), open(), open()])
    await stores[0].accept([event('a')])
    await Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 10 }, async () => {
          await store.alter('a', 'desk', (outcome) =>
            outcome?.state === 'waiting' ? { ...outcome, attempts: outcome.attempts + 1 } : undefined,
          )
          await store.changeState('budget', (before) => (typeof before === 'number' ? before : 0) + 1)
        }),
      ),
    )
    expect((await stores[0].find('a'))?.outcomes.desk).toEqual(waiting({ attempts: 30 }))
    expect(await stores[1].readState('budget')).toBe(30)
  })

  it('lease nothing that another has, and a late one is refused by its token', async () => {
    const [one, other] = [await open(), await open()]
    await one.accept([event('a'), event('b')])
    const [owed] = await lease(one)
    expect(await lease(other)).toEqual([])
    await other.settle('a', 'desk', waiting({ why: 'sent again on request' }))
    expect(await one.settle('a', 'desk', sent(), owed?.lease)).toBe(false)
    expect(await lease(other)).toMatchObject([{ eventId: 'a' }])
  })

  it('have at once what a process that ends in order let go', async () => {
    const [one, other] = [await open(), await open()]
    await one.accept([event('a')])
    const hold = await one.acquireLease('lane', never)
    await lease(one)
    const next = other.acquireLease('lane', never)
    await one.close()
    expect(await next).toMatchObject({ takenOver: true })
    expect(hold?.signal.aborted).toBe(true)
    expect(await lease(other)).toMatchObject([{ eventId: 'a', uncertain: true }])
  })

  it('have it after its term where a process is silent, which then has nothing more', async () => {
    // It learns of its end by its next sign of life, after a quarter of this.
    const [one, other] = [await open(8_000), await open()]
    await one.accept([event('a')])
    const hold = await one.acquireLease('lane', never)
    await lease(one)
    const next = other.acquireLease('lane', never)
    // As where it was frozen for longer than its term: the other has ended it before it can say anything.
    const [held] = await ask<{ session: string }>('select session from bluepencil.holds')
    await ask(endOwn.replace('$1', String(held?.session)))
    await expect.poll(() => hold?.signal.aborted).toBe(true)
    expect(await next).toMatchObject({ takenOver: true })
    expect(await lease(other)).toMatchObject([{ eventId: 'a' }])
  })

  it('wait no longer for what they do not want any more', async () => {
    const [one, other] = [await open(), await open()]
    await one.acquireLease('lane', never)
    const tired = new AbortController()
    const waitingFor = other.acquireLease('lane', tired.signal)
    tired.abort()
    expect(await waitingFor).toBeUndefined()
  })

  it('are notified of what the others accept, replay and remember, and not of their own', async () => {
    const [one, other] = [await open(), await open()]
    const heard: StoreChange[] = []
    const end = one.changes((change) => heard.push(change))
    await one.accept([event('own')])
    await one.changeState('silences', () => 1)
    await other.accept([event('own'), event('a'), event('b', { desk: sent() })])
    await other.settle('a', 'desk', sent())
    await other.alter('b', 'desk', () => waiting({ againAt: '2026-11-21T13:05:00.000Z' }))
    await other.changeState('budget', () => 1)
    await other.changeState('budget', () => undefined)
    await expect.poll(() => heard.length).toBe(4)
    expect(heard).toEqual([
      { of: 'event', id: 'a', channels: ['desk'], isAbout: false },
      { of: 'event', id: 'b', channels: [], isAbout: false },
      { of: 'outcome', id: 'b', channel: 'desk', isAsked: true },
      { of: 'state', key: 'budget' },
    ])
    end()
  })

  it('drop nothing that another owes again at this moment', async () => {
    const [one, other] = [await open(), await open()]
    const ids = Array.from({ length: 200 }, (_, index) => `e${index}`)
    await one.accept(ids.map((id) => event(id, { desk: sent() })))
    const [, altered] = await Promise.all([
      one.retain(Date.now() + 60_000),
      Promise.all(ids.map((id) => other.alter(id, 'desk', () => waiting()))),
    ])
    const owed = (await one.pending('desk')).map(({ eventId }) => eventId)
    expect(owed).toEqual(ids.filter((_, index) => altered[index]))
  })

  it('store an id that no column could hold, and a text with U+0000', async () => {
    const [one, other] = [await open(), await open()]
    const ids = ['a\0b', 'half \ud83d', '#a', 'x'.repeat(50_000), 'É'.repeat(150)]
    for (const id of ids) {
      expect(await one.accept([event(id)])).toEqual(['new'])
      expect(await other.accept([event(id)])).toEqual(['duplicate'])
      expect((await other.find(id))?.entry).toEqual(event(id).entry)
    }
  })
})
