import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AlertEvent, Entry } from '../../src/event/event.ts'
import type { Outcome, Sent, SentMessage, Waiting } from '../../src/event/outcome.ts'
import { dayMs } from '../../src/platform/durations.ts'
import type { Decided, NewEntry, Store } from '../../src/store/store.ts'
import { alert, levels, noFigures } from '../support/fakes/events.ts'
import { describeChain } from './chain.ts'
import { describeFigures } from './figures.ts'
import { describeLists } from './lists.ts'

/** One place where a store keeps its events, and the ways in which a process can come to it. */
interface StorePlace {
  /** Opens the store that is there. Its process must have closed it. */
  open(): Promise<Store>
  /** Opens what would be there if the process of the open store ended now, without a word. */
  openAfterCrash(): Promise<Store>
}

export const start = Date.parse('2026-11-21T13:05:00.000Z')

/** ISO 8601, so many milliseconds after `start`. */
function time(afterMs = 0): string {
  return new Date(start + afterMs).toISOString()
}

export function waiting(changes: Partial<Waiting> = {}): Waiting {
  return { state: 'waiting', dueAt: time(), why: 'not tried yet', attempts: 0, ...changes }
}

export function sent(text = 'receipt'): Outcome {
  return { state: 'sent', at: time(1), attempts: 1, receipt: { text } }
}

const { body: _, methodology: _methodology, ...shownAlert } = alert()

export function event(id: string, outcomes: Record<string, Outcome> = { desk: waiting() }): Decided {
  return { entry: alert({ id, receivedAt: time() }), outcomes }
}

/** As a message was sent. */
export const words: SentMessage = {
  tone: 'rise',
  kicker: 'Censorship spike',
  headline: 'Claude’s refusal rate on political prompts rose 12 points.',
  text: ['A paragraph.', 'And another.'],
  facts: [{ label: 'Model', value: 'Claude' }],
  links: [{ label: 'Methodology', url: 'https://monitor.example/methodology' }],
  caveats: ['This may be a duplicate.'],
  source: 'Reported by the service · evt_1',
  mentions: ['here'],
  picture: 'A line that rises.',
}

/** An alert whose content is that hexadecimal digit, over and over. */
function alertOf(id: string, digit: string): NewEntry {
  return { entry: alert({ id, receivedAt: time(), content: digit.repeat(32) }), outcomes: {} }
}

const notice: Entry = {
  kind: 'notice',
  id: 'ntc_1',
  phase: 'trouble',
  channel: null,
  title: 'Trouble',
  text: '',
  receivedAt: time(),
}

const oneDigest: Entry = {
  kind: 'digest',
  id: 'dgs_1',
  channel: 'desk',
  by: 'burst',
  from: time(),
  until: time(),
  count: 2,
  of: ['x', 'y'],
  items: [],
  receivedAt: time(),
}

/** What every store promises, on every backing. `clock` is the time that the store sees. */
export function describeStore(
  name: string,
  prepare: (clock: { now(): number }) => Promise<StorePlace>,
): void {
  describe(`the ${name}`, () => {
    let now: number
    let place: StorePlace
    let store: Store
    let opened: Store[]

    beforeEach(async () => {
      now = start
      opened = []
      place = await prepare({ now: () => now })
      store = await keep(place.open())
    })
    afterEach(() => Promise.all(opened.map((one) => one.close())))

    async function keep(opening: Promise<Store>): Promise<Store> {
      const next = await opening
      opened.push(next)
      return next
    }

    async function reopen(): Promise<Store> {
      await store.close()
      store = await keep(place.open())
      return store
    }

    const leaseSome = (limit = 100, at = now, leaseMs = 1000) =>
      store.leaseDue('desk', { now: at, limit, leaseMs })
    const taken = async (limit?: number, at?: number) =>
      (await leaseSome(limit, at)).map(({ eventId }) => eventId)
    const listed = async () => (await store.list({ limit: 100 })).map(({ entry }) => entry.id)

    describe('accept', () => {
      it('answers new for a new event and duplicate for a repeat, and keeps the first', async () => {
        expect(await store.accept([event('a', { desk: waiting({ why: 'first' }) })])).toEqual(['new'])
        expect(await store.accept([event('a', { desk: waiting({ why: 'second' }) })])).toEqual(['duplicate'])
        expect(await store.find('a')).toEqual({ seq: 1, ...event('a', { desk: waiting({ why: 'first' }) }) })
        expect(await taken()).toEqual(['a'])
      })

      it('answers in the order of the batch, with repeats of what is stored and of the batch itself', async () => {
        await store.accept([event('b')])
        expect(await store.accept([event('a'), event('b'), event('c'), event('a')])).toEqual([
          'new',
          'duplicate',
          'new',
          'duplicate',
        ])
        expect(await listed()).toEqual(['c', 'a', 'b'])
      })

      it('takes one of many concurrent accepts of an id', async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => store.accept([event('a')])))
        expect(answers.flat().filter((answer) => answer === 'new')).toHaveLength(1)
        expect(await taken()).toEqual(['a'])
      })

      it('numbers events in the order of arrival, without a gap', async () => {
        await Promise.all(['a', 'b', 'a', 'c'].map((id) => store.accept([event(id)])))
        await store.accept([event('d'), event('b'), event('e')])
        const seqs = (await store.list({ limit: 10 })).map(({ seq, entry }) => `${seq}${entry.id}`)
        expect(seqs).toEqual(['5e', '4d', '3c', '2b', '1a'])
      })

      it('answers changed for other content under a known id, live or sealed, and keeps the first', async () => {
        const ids = Array.from({ length: 12 }, (_, index) => `e${index}`)
        for (const id of ids) await store.accept([alertOf(id, 'a')])
        for (const round of [1, 2]) {
          for (const id of ids) {
            const answers = await store.accept([alertOf(id, 'a'), alertOf(id, 'b')])
            expect(`${round}${id} ${answers}`).toBe(`${round}${id} duplicate,changed`)
          }
          await reopen()
        }
        expect((await store.find('e3'))?.entry).toEqual(alertOf('e3', 'a').entry)
        expect(await listed()).toEqual(ids.toReversed())
      })

      it('takes the first of two contents that come at once, in a batch or beside each other', async () => {
        expect(await store.accept([alertOf('a', '1'), alertOf('a', '2'), alertOf('a', '1')])).toEqual([
          'new',
          'changed',
          'duplicate',
        ])
        const answers = await Promise.all(['1', '2', '1'].map((digit) => store.accept([alertOf('b', digit)])))
        expect(answers.flat()).toEqual(['new', 'changed', 'duplicate'])
        expect((await store.find('b'))?.entry).toEqual(alertOf('b', '1').entry)
      })

      it('calls a repeated notice a duplicate, even with another text', async () => {
        const notice = (text: string): NewEntry => ({
          entry: {
            kind: 'notice',
            id: 'ntc_1',
            phase: 'over',
            channel: null,
            title: '',
            text,
            receivedAt: time(),
          },
          outcomes: {},
        })
        await store.accept([notice('one')])
        expect(await store.accept([notice('one'), notice('two')])).toEqual(['duplicate', 'duplicate'])
      })

      it('takes an empty batch', async () => {
        expect(await store.accept([])).toEqual([])
      })

      it('gives back every field as it came', async () => {
        const another: Outcome = { state: 'not_sent', rule: 'models', why: 'another model' }
        const sentAt: Sent = { state: 'sent', at: time(1), attempts: 1, receipt: { text: 'receipt' } }
        const odd: NewEntry = {
          entry: alert({
            id: 'odd \u2028 "\\" 🖊 \n',
            type: null,
            delta: null,
            unrecognised: [{ field: 'delta', problem: 'missing' }],
            body: { encoding: 'base64', text: 'AAECAw==' },
            figures: {
              ...noFigures,
              state: 'visible',
              levels: levels({
                driftSince: time(),
                version: { from: '4.1', to: '4.2' },
                alike: { moved: 3, others: 4, points: 11 },
              }),
            },
            sameAs: 'poll_1',
          }),
          outcomes: {
            desk: waiting({
              firstAttemptAt: time(),
              triedMs: 1_000,
              uncertain: true,
              begun: time(),
              unanswered: 2,
              holdMs: 3_600_000,
              progress: ['one@example.org'],
            }),
            constructor: another,
            told: { ...sentAt, unanswered: 1, againAt: time(), alsoTells: ['poll_1'] },
            edited: {
              ...sentAt,
              receipt: { place: 'C1', id: '1.2', thread: '1.1', text: 'C1/1.2' },
              shows: '0123456789abcdef',
              editedAt: time(),
              message: words,
              edits: [{ at: time(), headline: 'Otherwise', text: [] }],
            },
            alike: { ...sentAt, message: words },
            inGerman: { ...sentAt, message: { ...words, language: 'de', unsure: true } },
            refused: { ...sentAt, shows: '01', unedited: { why: 'it was deleted', shows: '02' } },
            later: { state: 'held', until: time(3), by: 'quiet', why: 'quiet hours' },
            mail: { state: 'failed', at: time(), attempts: 3, why: 'rejected', unanswered: 1 },
            again: waiting({
              againAt: time(2),
              earlier: [
                { ...another, replacedAt: time() },
                { state: 'merged', in: 'evt_1', replacedAt: time() },
                { ...sentAt, shows: '01', message: words, replacedAt: time(1) },
                { ...waiting({ attempts: 2, begun: time() }), replacedAt: time(1) },
                { state: 'held', until: time(3), by: 'quiet', why: 'quiet hours', replacedAt: time(2) },
                { state: 'failed', at: time(), attempts: 3, why: 'no', replacedAt: time(2) },
              ],
              earlierDropped: 3,
            }),
          },
        }
        const notice: NewEntry = {
          entry: {
            kind: 'notice',
            id: 'ntc_1',
            phase: 'trouble',
            channel: null,
            title: 'title',
            text: 'text',
            to: ['desk', 'mail'],
            status: true,
            about: { key: 'store', since: time() },
            receivedAt: time(),
          },
          outcomes: {},
        }
        const done = { kind: 'act', by: { name: 'Ana', id: 'U1', via: 'slack' }, receivedAt: time() } as const
        const scope = { model: 'claude', category: 'political', channel: 'desk' }
        const others: Entry[] = [
          { ...done, id: 'act_1', does: 'acknowledge', about: 'a' },
          { ...done, id: 'act_2', does: 'silence', about: null, scope, until: time(9), why: 'known' },
          { ...done, id: 'act_3', does: 'end-silence', about: 'act_2' },
          { ...done, id: 'act_5', does: 'unsubscribe', about: null, channel: 'mail', address: 'a@b.example' },
          {
            kind: 'digest',
            id: 'dgs_1',
            channel: 'desk',
            by: 'act_2',
            from: time(),
            until: time(9),
            count: 2,
            of: ['a', 'b'],
            items: [shownAlert],
            silence: { by: done.by, why: 'known', scope },
            receivedAt: time(9),
          },
        ]
        await store.accept([odd, notice, ...others.map((entry) => ({ entry, outcomes: {} }))])
        await reopen()
        for (const entry of others) expect((await store.find(entry.id))?.entry).toEqual(entry)
        expect(await store.find(odd.entry.id)).toEqual({ seq: 1, ...odd })
        expect(await store.find('ntc_1')).toEqual({ seq: 2, ...notice })
      })
    })

    describe('accept that decides', () => {
      /** Accepts an alert, and answers what its neighbours by each way were in the commit. */
      async function seenBy(id: string, changes: Partial<AlertEvent> = {}, outcomes = { desk: waiting() }) {
        let seen: string[] = []
        const entry = alert({ id, receivedAt: time(), ...changes })
        const [verdict] = await store.accept([
          {
            entry,
            decide(near) {
              seen = (['service', 'figures'] as const).flatMap((by) =>
                near.of(entry.model ?? '', by).map((one) => `${one.entry.id} ${one.outcomes.desk?.state}`),
              )
              return { entry, outcomes }
            },
          },
        ])
        return { verdict, seen }
      }
      const byPolling = { source: 'poll', found: true } as const

      it('sees what was accepted for the model and what became of it, oldest first, and stores what it decides', async () => {
        await store.accept([event('a'), event('b', { desk: sent() })])
        await store.accept([
          { entry: alert({ id: 'gemini', model: 'gemini' }), outcomes: {} },
          { entry: alert({ id: 'poll_1', ...byPolling }), outcomes: {} },
        ])
        const expected = { verdict: 'new', seen: ['a waiting', 'b sent', 'poll_1 undefined'] }
        expect(await seenBy('c')).toEqual(expected)
        expect((await store.find('c'))?.outcomes).toEqual({ desk: waiting() })
        await store.settle('a', 'desk', { state: 'failed', at: time(), attempts: 1, why: 'too long' })
        await reopen()
        expect((await seenBy('d')).seen).toEqual(['a failed', 'b sent', 'c waiting', 'poll_1 undefined'])
      })

      it('sees each of many that come at once, and what is settled at the same moment', async () => {
        await store.accept([event('a')])
        const [first, , second, third] = await Promise.all([
          seenBy('b'),
          store.settle('a', 'desk', sent()),
          seenBy('c', byPolling),
          seenBy('c', byPolling),
        ])
        expect(first.seen).toEqual(['a waiting'])
        expect(second).toEqual({ verdict: 'new', seen: ['a sent', 'b waiting'] })
        expect(third).toEqual({ verdict: 'duplicate', seen: [] })
      })

      it('stores nothing where nothing is decided, and answers duplicate', async () => {
        const entry = alert({ id: 'a' })
        const batch: NewEntry[] = [{ entry, decide: () => undefined }, event('b')]
        expect(await store.accept(batch)).toEqual(['duplicate', 'new'])
        expect(await listed()).toEqual(['b'])
        expect(await seenBy('a')).toEqual({ verdict: 'new', seen: ['b waiting'] })
        expect((await store.list({ limit: 9 })).map(({ seq }) => seq)).toEqual([2, 1])
      })

      it('refuses a batch alone whose decision fails, and none of it is a neighbour', async () => {
        const batch: NewEntry[] = [
          event('a'),
          {
            entry: alert({ id: 'b' }),
            decide() {
              throw new Error('a fault of the caller')
            },
          },
        ]
        const [failed, stored] = await Promise.allSettled([store.accept(batch), seenBy('c')])
        expect(failed).toMatchObject({ reason: { message: 'a fault of the caller' } })
        expect(stored).toMatchObject({ value: { verdict: 'new', seen: [] } })
        expect(await store.accept([event('a')])).toEqual(['new'])
      })

      it('knows by an id what names it', async () => {
        await store.accept([event('a')])
        await store.accept([
          { entry: alert({ id: 'poll_1', sameAs: 'a', ...byPolling }), outcomes: {} },
          { entry: alert({ id: 'a~2', revises: 'a' }), outcomes: {} },
        ])
        for (const round of ['', 'reopened']) {
          if (round !== '') await reopen()
          const verdicts = await store.accept([
            {
              entry: alert({ id: `d${round}` }),
              decide(near) {
                expect(near.find('a')?.outcomes).toMatchObject({ desk: { state: 'waiting' } })
                expect(near.find('nothing')).toBeUndefined()
                expect(near.about('a').map(({ entry }) => entry.id)).toEqual(['poll_1', 'a~2'])
                return { entry: alert({ id: `d${round}` }), outcomes: {} }
              },
            },
          ])
          expect(verdicts).toEqual(['new'])
        }
      })

      it('lists what came later about an event, and the events with something later', async () => {
        const before = { id: '', by: 'service' as const, type: null, model: null, category: null }
        const reported = { ...before, delta: 12, detectedAt: null }
        const byPolling = { source: 'poll' as const, found: true as const }
        await store.accept([event('a'), event('alone')])
        await store.accept([
          { entry: alert({ id: 'poll_1', sameAs: 'a', ...byPolling }), outcomes: {} },
          { entry: alert({ id: 'a~2', revises: 'a' }), outcomes: {} },
          { entry: alert({ id: 'a~3', revises: 'a', before: reported }), outcomes: {} },
          { entry: alert({ id: 'a~4', revises: 'a~3', before: reported }), outcomes: {} },
          // What it revises is older than what is remembered.
          { entry: alert({ id: 'old~2', revises: 'old', before: reported }), outcomes: {} },
        ])
        for (const round of ['', 'reopened']) {
          if (round !== '') await reopen()
          expect((await store.changed()).toSorted()).toEqual(['a', 'a~3', 'old', 'poll_1'])
          expect(await store.changed('poll_1')).toEqual(['a'])
          expect((await store.changed('a~4')).toSorted()).toEqual(['a', 'a~3', 'poll_1'])
          expect(await store.changed('a~2')).toEqual([])
          expect(await store.changed('nothing')).toEqual([])
          expect(await store.later('a')).toMatchObject({ other: { id: 'poll_1' }, revision: { id: 'a~4' } })
          expect(await store.later('poll_1')).toMatchObject({
            other: { id: 'a' },
            otherRevision: { id: 'a~4' },
          })
          expect(await store.later('old')).toMatchObject({ revision: { id: 'old~2' } })
          expect(await store.later('alone')).toEqual({})
        }
        const [owed] = await leaseSome(1, now, 1000)
        expect(owed?.later).toMatchObject({ other: { id: 'poll_1', sameAs: 'a' }, revision: { id: 'a~4' } })
      })

      it('knows what a channel was sent lately, what is about to be, and until when more is held', async () => {
        const burst: Outcome = { state: 'held', until: time(60_000), by: 'burst', why: 'too many' }
        await store.accept([
          event('a', { desk: sent() }),
          event('b', { desk: waiting({ dueAt: time(2) }), mail: sent() }),
          event('c', { desk: burst }),
          event('d', { desk: { ...burst, by: 'quiet' } }),
          event('e', { desk: waiting() }),
          event('f', { desk: sent() }),
          { entry: notice, outcomes: { desk: waiting() } },
          { entry: { ...oneDigest, receivedAt: time(3) }, outcomes: { desk: waiting({ dueAt: time(3) }) } },
        ])
        await store.settle('e', 'desk', { state: 'failed', at: time(), attempts: 1, why: 'too long' })
        await store.settle(notice.id, 'desk', sent())
        await store.alter('f', 'desk', (was) =>
          was?.state === 'sent' ? { ...was, unedited: { why: 'it is gone', shows: '02' } } : undefined,
        )
        for (const round of ['', 'reopened']) {
          if (round !== '') await reopen()
          let seen: unknown
          await store.accept([
            {
              entry: alert({ id: `seen${round}` }),
              decide(near) {
                const { messages, flooded } = near.on('desk')
                const rows = messages.map(({ id, at, alert: one, isOpen }) => [
                  id,
                  at - start,
                  one?.id,
                  isOpen,
                ])
                const rest = flooded.map(({ until, alert: one }) => [one?.id, until - start])
                seen = { rows, rest, mail: near.on('mail').messages.length, none: near.on('none') }
                return undefined
              },
            },
          ])
          expect(seen).toEqual({
            rows: [
              ['a', 1, 'a', true],
              ['b', 2, 'b', true],
              ['f', 1, 'f', false],
              ['dgs_1', 3, undefined, true],
            ],
            rest: [['c', 60_000]],
            mail: 1,
            none: { messages: [], flooded: [] },
          })
          await store.alter('c', 'desk', () => burst)
        }
        await store.alter('c', 'desk', () => ({ state: 'merged', in: 'dgs_1' }))
        await store.accept([
          {
            entry: alert({ id: 'last' }),
            decide(near) {
              expect(near.on('desk').flooded).toEqual([])
              expect(near.find('c')?.outcomes.desk).toEqual({ state: 'merged', in: 'dgs_1' })
              return undefined
            },
          },
        ])
      })

      it('lists the alerts that are merged into a message, and finds that message', async () => {
        const told: Outcome = { state: 'merged', in: 'a' }
        const before = { id: 'b', by: 'service' as const, type: null, model: null, category: null }
        const reported = { ...before, delta: 12, detectedAt: null }
        await store.accept([event('a'), event('z')])
        await store.accept([
          { entry: alert({ id: 'b', story: { desk: 'a', mail: 'z' } }), outcomes: { desk: told } },
          { entry: alert({ id: 'b~2', revises: 'b', before: reported }), outcomes: {} },
          { entry: alert({ id: 'c', story: { desk: 'a' } }), outcomes: { desk: waiting() } },
          { entry: alert({ id: 'poll_c', sameAs: 'c', ...byPolling }), outcomes: {} },
        ])
        await store.settle('c', 'desk', sent())
        for (const round of ['', 'reopened']) {
          if (round !== '') await reopen()
          expect(await store.later('a')).toMatchObject({
            members: [
              { alert: { id: 'b' }, revision: { id: 'b~2' }, outcomes: { desk: told } },
              { alert: { id: 'c' }, other: { id: 'poll_c' }, outcomes: { desk: { state: 'sent' } } },
            ],
          })
          expect(await store.later('z')).toMatchObject({ members: [{ alert: { id: 'b' } }] })
          expect((await store.changed('b')).toSorted()).toEqual(['a', 'z'])
          expect((await store.changed('b~2')).toSorted()).toEqual(['a', 'b', 'z'])
          expect((await store.changed('poll_c')).toSorted()).toEqual(['a', 'c'])
          expect((await store.changed()).toSorted()).toEqual(['a', 'b', 'c', 'z'])
        }
        const [owed] = await leaseSome(1, now, 1000)
        expect(owed?.later.members).toHaveLength(2)
      })

      it('lists what people did about an event, and finds the event of an act', async () => {
        const by = { name: 'Ana', via: 'command' } as const
        const done = { kind: 'act', by, receivedAt: time() } as const
        const acknowledged = { ...done, id: 'act_1', does: 'acknowledge', about: 'a' } as const
        const silenced = {
          ...done,
          id: 'act_2',
          does: 'silence',
          about: 'a',
          scope: {},
          until: time(9),
          why: 'known',
        } as const
        const ended = { ...done, id: 'act_3', does: 'end-silence', about: 'act_2' } as const
        await store.accept([event('a'), event('b')])
        await store.accept([acknowledged, silenced, ended].map((entry) => ({ entry, outcomes: {} })))
        for (const round of ['', 'reopened']) {
          if (round !== '') await reopen()
          expect(await store.later('a')).toEqual({ acts: [acknowledged, silenced, ended] })
          expect(await store.later('b')).toEqual({})
          for (const id of ['act_1', 'act_2', 'act_3']) expect(await store.changed(id)).toEqual(['a'])
          expect(await store.changed()).toEqual(['a'])
        }
        const [owed] = await leaseSome(1, now, 1000)
        expect(owed?.later).toEqual({ acts: [acknowledged, silenced, ended] })
      })

      it('lists what came later about an event of weeks ago, and what people did', async () => {
        const before = { id: '', by: 'service' as const, type: null, model: null, category: null }
        const reported = { ...before, delta: 12, detectedAt: null }
        const by = { name: 'Ana', via: 'command' } as const
        const seen = {
          kind: 'act',
          by,
          receivedAt: time(),
          id: 'act_1',
          does: 'acknowledge',
          about: 'a',
        } as const
        const byPolling = { source: 'poll' as const, found: true as const }
        await store.accept([event('a'), event('alone')])
        await store.accept([{ entry: seen, outcomes: {} }])
        await store.accept([{ entry: alert({ id: 'poll_1', sameAs: 'a', ...byPolling }), outcomes: {} }])
        await store.accept([{ entry: alert({ id: 'a~2', revises: 'a' }), outcomes: {} }])
        await store.accept([{ entry: alert({ id: 'a~3', revises: 'a', before: reported }), outcomes: {} }])
        await store.accept([
          { entry: alert({ id: 'p~2', revises: 'poll_1', before: reported }), outcomes: {} },
        ])
        const between = Array.from({ length: 600 }, (_, index) => alert({ id: `b${index}`, model: 'qwen' }))
        await store.accept(between.map((entry) => ({ entry, outcomes: {} })))
        now += 40 * dayMs
        await reopen()
        const { followers = [], ...later } = await store.later('a')
        expect(later).toMatchObject({
          other: { id: 'poll_1' },
          otherRevision: { id: 'p~2' },
          revision: { id: 'a~3' },
          acts: [seen],
        })
        expect(followers.map(({ id }) => id)).toEqual(['poll_1', 'a~3', 'p~2'])
        expect(await store.later('poll_1')).toMatchObject({ other: { id: 'a' }, revision: { id: 'p~2' } })
        expect(await store.later('alone')).toEqual({})
        expect(await store.later('nothing')).toEqual({})
        // It revises what nobody was sent lately: that is found as well.
        await store.accept([{ entry: alert({ id: 'a~4', revises: 'a~3', before: reported }), outcomes: {} }])
        expect(await store.later('a')).toMatchObject({ revision: { id: 'a~4' }, acts: [seen] })
      })

      it('knows nothing of what retention dropped', async () => {
        await store.accept([event('old', { desk: sent() })])
        await expect.poll(() => store.retain(now + 1)).toBe(1)
        expect(await seenBy('new')).toEqual({ verdict: 'new', seen: [] })
      })
    })

    describe('take', () => {
      it('gives what is due to the channel, oldest event first, up to the limit', async () => {
        await store.accept([
          event('a', { desk: waiting({ dueAt: time(50) }) }),
          event('b', { desk: waiting({ dueAt: time(10) }), other: waiting() }),
          event('c', { desk: waiting({ dueAt: time(500) }) }),
          event('d', { desk: sent() }),
          event('e', { other: waiting() }),
          event('f'),
        ])
        expect(await taken(2, start + 100)).toEqual(['a', 'b'])
        expect(await taken(9, start + 100)).toEqual(['f'])
        expect(await taken(9, start + 499)).toEqual([])
        expect(await taken(9, start + 500)).toEqual(['c'])
      })

      it('hands over the event and why it waits', async () => {
        const owed = waiting({ attempts: 2, why: 'rate limit', firstAttemptAt: time() })
        await store.accept([event('a', { desk: owed })])
        expect(await leaseSome()).toEqual([
          {
            eventId: 'a',
            channel: 'desk',
            seq: 1,
            entry: event('a').entry,
            waiting: owed,
            lease: expect.any(String),
            uncertain: false,
            later: {},
          },
        ])
      })

      it('keeps a lease until it ends, and then calls the notification uncertain', async () => {
        await store.accept([event('a')])
        expect(await leaseSome(1, start, 1000)).toHaveLength(1)
        expect(await taken(1, start + 999)).toEqual([])
        expect(await leaseSome(1, start + 1000)).toMatchObject([{ eventId: 'a', uncertain: true }])
      })

      it('says of one that was leased before when that try began, and of no other', async () => {
        await store.accept([event('a'), event('b')])
        await leaseSome(1, start, 1000)
        expect(
          (await leaseSome(2, start + 1000)).map(({ eventId, interrupted }) => [eventId, interrupted]),
        ).toEqual([
          ['a', time()],
          ['b', undefined],
        ])
      })

      it('is uncertain where the last try was', async () => {
        await store.accept([event('a', { desk: waiting({ uncertain: true }) }), event('b')])
        expect((await leaseSome()).map(({ uncertain }) => uncertain)).toEqual([true, false])
      })

      it('gives nothing for a limit of none and for an unknown channel', async () => {
        await store.accept([event('a')])
        expect(await taken(0)).toEqual([])
        expect(await store.leaseDue('nobody', { now, limit: 1, leaseMs: 1 })).toEqual([])
      })

      it('keeps to the order of events when the clock goes back', async () => {
        await store.accept(['a', 'b', 'c'].map((id) => event(id, { desk: waiting({ dueAt: time(10) }) })))
        expect(await taken(1, start + 10)).toEqual(['a'])
        expect(await taken(9, start + 5)).toEqual([])
        expect(await taken(9, start + 10)).toEqual(['b', 'c'])
      })
    })

    describe('nextDue', () => {
      it('says when the soonest falls due or its lease ends', async () => {
        expect(await store.nextDue('desk')).toBeUndefined()
        await store.accept([
          event('a', { desk: waiting({ dueAt: time(300) }) }),
          event('b', { desk: waiting({ dueAt: time(200) }) }),
        ])
        expect(await store.nextDue('desk')).toBe(start + 200)
        await leaseSome(1, start + 200, 1000)
        expect(await store.nextDue('desk')).toBe(start + 300)
        await leaseSome(1, start + 300, 1000)
        expect(await store.nextDue('desk')).toBe(start + 1200)
        await store.settle('a', 'desk', sent())
        await store.settle('b', 'desk', sent())
        expect(await store.nextDue('desk')).toBeUndefined()
      })
    })

    describe('settle', () => {
      it('replaces one outcome of one event', async () => {
        await store.accept([event('a', { desk: waiting(), other: waiting() }), event('b')])
        expect(await store.settle('a', 'desk', sent('r'))).toBe(true)
        expect((await store.find('a'))?.outcomes).toEqual({ desk: sent('r'), other: waiting() })
        expect(await taken()).toEqual(['b'])
      })

      it('ends the lease: a retry falls due at its own time', async () => {
        await store.accept([event('a')])
        await leaseSome(1, start, 60_000)
        await store.settle('a', 'desk', waiting({ dueAt: time(50), attempts: 1 }))
        expect(await taken(1, start + 49)).toEqual([])
        expect(await leaseSome(1, start + 50)).toMatchObject([{ waiting: { attempts: 1 }, uncertain: false }])
      })

      it('changes nothing with a lease that was lost, and answers so', async () => {
        await store.accept([event('a')])
        const [first] = await leaseSome(1, start, 1000)
        await store.settle('a', 'desk', waiting({ why: 'sent again on request' }))
        expect(await store.settle('a', 'desk', sent('first'), first?.lease)).toBe(false)
        expect((await store.find('a'))?.outcomes.desk).toEqual(waiting({ why: 'sent again on request' }))
        const [second] = await leaseSome(1, start, 1000)
        expect(await store.settle('a', 'desk', sent('first'), first?.lease)).toBe(false)
        expect(await store.settle('a', 'desk', sent('second'), second?.lease)).toBe(true)
        expect(await store.settle('a', 'desk', sent('twice'), second?.lease)).toBe(false)
        expect((await store.find('a'))?.outcomes.desk).toEqual(sent('second'))
      })

      it('changes nothing with a lease that another took when it had ended', async () => {
        await store.accept([event('a')])
        const [first] = await leaseSome(1, start, 1000)
        const [second] = await leaseSome(1, start + 1000, 1000)
        expect(await store.settle('a', 'desk', sent('late'), first?.lease)).toBe(false)
        expect(await store.settle('a', 'desk', sent('second'), second?.lease)).toBe(true)
      })

      it('lets what a person asked for in the same moment stand', async () => {
        await store.accept([event('a')])
        const [owed] = await leaseSome(1, start, 1000)
        const [asked, settled] = await Promise.all([
          store.settle('a', 'desk', waiting({ why: 'sent again on request' })),
          store.settle('a', 'desk', sent('r'), owed?.lease),
        ])
        expect([asked, settled]).toEqual([true, false])
        expect(await taken()).toEqual(['a'])
      })

      it('answers false for an event that is not retained', async () => {
        expect(await store.settle('nothing', 'desk', sent())).toBe(false)
      })

      it('adds an outcome for a channel that the event had none for', async () => {
        await store.accept([event('a', {})])
        expect(await store.settle('a', 'constructor', waiting())).toBe(true)
        expect(await store.leaseDue('constructor', { now, limit: 1, leaseMs: 1 })).toHaveLength(1)
        await store.settle('a', 'constructor', sent())
        expect((await store.find('a'))?.outcomes.constructor).toEqual(sent())
      })

      it('takes concurrent settlements in the order in which they were asked for', async () => {
        await store.accept([event('a')])
        await Promise.all([
          store.settle('a', 'desk', waiting({ attempts: 1 })),
          store.settle('a', 'desk', waiting({ attempts: 2 })),
          store.settle('a', 'desk', sent('last')),
        ])
        expect((await store.find('a'))?.outcomes.desk).toEqual(sent('last'))
        expect(await taken()).toEqual([])
      })

      it('makes an old or new event pending again for a replay, and keeps its order', async () => {
        const ids = Array.from({ length: 25 }, (_, index) => `e${index}`)
        const sentOnce = { state: 'sent', at: time(1), attempts: 1, receipt: { text: 'receipt' } } as const
        for (const id of ids) await store.accept([event(id, { desk: sentOnce })])
        await reopen()
        for (const id of ['e20', 'e3', 'e11']) {
          const earlier = [{ ...sentOnce, replacedAt: time(2) }]
          expect(await store.settle(id, 'desk', waiting({ why: 'sent again on request', earlier }))).toBe(
            true,
          )
        }
        await reopen()
        const owed = await leaseSome()
        expect(owed.map(({ eventId, uncertain }) => [eventId, uncertain])).toEqual([
          ['e3', false],
          ['e11', false],
          ['e20', false],
        ])
        for (const { waiting } of owed) expect(waiting.earlier).toMatchObject([sentOnce])
        await store.settle('e3', 'desk', sent('again'))
        await reopen()
        expect((await store.find('e3'))?.outcomes.desk).toEqual(sent('again'))
        expect((await leaseSome()).map(({ eventId, uncertain }) => [eventId, uncertain])).toEqual([
          ['e11', true],
          ['e20', true],
        ])
      })
    })

    describe('alter', () => {
      it('changes an outcome by what it is, and ends its lease', async () => {
        await store.accept([event('a')])
        const [owed] = await leaseSome(1, start, 1000)
        expect(
          await store.alter('a', 'desk', (outcome) =>
            outcome?.state === 'waiting' ? { ...outcome, attempts: outcome.attempts + 1 } : undefined,
          ),
        ).toBe(true)
        expect(await store.settle('a', 'desk', sent(), owed?.lease)).toBe(false)
        expect(await leaseSome()).toMatchObject([{ eventId: 'a', waiting: { attempts: 1 } }])
      })

      it('leaves what it leaves, the lease too, and answers false', async () => {
        await store.accept([event('a')])
        const [owed] = await leaseSome(1, start, 1000)
        expect(await store.alter('a', 'desk', () => undefined)).toBe(false)
        expect(await store.alter('a', 'other', (outcome) => outcome)).toBe(false)
        expect(await store.alter('nothing', 'desk', () => sent())).toBe(false)
        expect(await store.settle('a', 'desk', sent(), owed?.lease)).toBe(true)
      })

      it('sees in each of many changes at once what those before it made', async () => {
        await store.accept([event('a', { desk: waiting() })])
        const add = () =>
          store.alter('a', 'desk', (outcome) =>
            outcome?.state === 'waiting' ? { ...outcome, attempts: outcome.attempts + 1 } : undefined,
          )
        await Promise.all(Array.from({ length: 20 }, add))
        expect((await store.find('a'))?.outcomes.desk).toEqual(waiting({ attempts: 20 }))
      })
    })

    describe('pending', () => {
      it('lists what waits for a channel, due or not, leased or not, and leases nothing', async () => {
        await store.accept([
          event('a'),
          event('b', { desk: waiting({ dueAt: time(9_000) }), other: waiting() }),
          event('c', { desk: sent() }),
        ])
        await leaseSome(1)
        expect((await store.pending('desk')).map(({ eventId, waiting }) => [eventId, waiting])).toEqual([
          ['a', waiting()],
          ['b', waiting({ dueAt: time(9_000) })],
        ])
        expect(await taken(9, start + 9_000)).toEqual(['a', 'b'])
        expect(await store.pending('nobody')).toEqual([])
      })
    })

    describe('held', () => {
      const held = (until: string, by = 'quiet'): Outcome => ({
        state: 'held',
        until,
        by,
        why: 'it is night',
      })
      const heldNow = async () =>
        (await store.held()).toSorted(
          (one, other) =>
            one.eventId.localeCompare(other.eventId) || one.channel.localeCompare(other.channel),
        )
      const row = (eventId: string, afterMs: number, by = 'quiet', channel = 'desk') => ({
        eventId,
        channel,
        until: start + afterMs,
        by,
      })

      it('lists what is held, on every channel, and it is neither due nor a backlog', async () => {
        await store.accept([
          event('a', { desk: held(time(5)), other: waiting() }),
          event('b', { desk: held(time(9), 'act_1'), mail: held('no time', 'digest') }),
        ])
        const rows = [row('a', 5), row('b', 9, 'act_1'), row('b', -start, 'digest', 'mail')]
        expect(await heldNow()).toEqual(rows)
        expect(await taken(9, now + 1_000)).toEqual([])
        expect(await store.nextDue('desk')).toBeUndefined()
        expect(await store.backlog()).toEqual([{ channel: 'other', waiting: 1, oldest: time() }])
      })

      it('keeps it after a restart and a crash, even in a segment that is full and sealed', async () => {
        await store.accept([event('a', { desk: held(time(5)) })])
        for (let n = 0; n < 12; n++) await store.accept([event(`sent${n}`, { desk: sent() })])
        await reopen()
        expect(await heldNow()).toEqual([row('a', 5)])
        await store.alter('a', 'desk', () => ({ state: 'merged', in: 'dgs_1' }))
        expect(await store.held()).toEqual([])
        store = await keep(place.openAfterCrash())
        expect(await store.held()).toEqual([])
        expect((await store.find('a'))?.outcomes.desk).toEqual({ state: 'merged', in: 'dgs_1' })
      })

      it('is sent like anything else that waits, once it does', async () => {
        await store.accept([event('a', { desk: held(time(5)) }), event('b')])
        for (let n = 0; n < 12; n++) await store.accept([event(`sent${n}`, { desk: sent() })])
        await store.alter('a', 'desk', (was) => (was?.state === 'held' ? waiting() : undefined))
        expect(await taken()).toEqual(['a', 'b'])
      })

      it('is not dropped, however old', async () => {
        await store.accept([event('a', { desk: held(time(5)) })])
        for (let n = 0; n < 12; n++) await store.accept([event(`sent${n}`, { desk: sent() })])
        await store.retain(now + 1_000_000)
        expect(await heldNow()).toEqual([row('a', 5)])
        expect(await store.find('a')).toBeDefined()
      })
    })

    describe('list and find', () => {
      it('pages from the newest to the oldest', async () => {
        for (let n = 1; n <= 25; n++) await store.accept([event(`e${n}`, n % 2 ? {} : { desk: waiting() })])
        const pages: number[][] = []
        let before: number | undefined
        for (;;) {
          const page = await store.list({ limit: 10, ...(before === undefined ? {} : { before }) })
          if (page.length === 0) break
          pages.push(page.map(({ seq }) => seq))
          before = page.at(-1)?.seq
        }
        expect(pages.map((page) => page.length)).toEqual([10, 10, 5])
        expect(pages.flat()).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index))
      })

      it('finds nothing under an unknown id', async () => {
        expect(await store.find('nothing')).toBeUndefined()
      })

      it('does not let its reader change what is stored', async () => {
        await store.accept([event('a')])
        const stored = await store.find('a')
        if (stored !== undefined) stored.outcomes.desk = sent()
        expect((await store.find('a'))?.outcomes.desk).toEqual(waiting())
      })
    })

    describe('backlog', () => {
      it('counts what is pending on each channel, leased or not, and since when', async () => {
        const at = (id: string, receivedAt: string, channels: string[]): NewEntry => ({
          entry: alert({ id, receivedAt }),
          outcomes: Object.fromEntries(channels.map((channel) => [channel, waiting()])),
        })
        await store.accept([
          at('a', time(1), ['other']),
          at('b', time(2), ['desk']),
          at('c', time(3), ['desk', 'other']),
        ])
        await leaseSome(1)
        const rows = await store.backlog()
        expect(rows.sort((one, two) => one.channel.localeCompare(two.channel))).toEqual([
          { channel: 'desk', waiting: 2, oldest: time(2) },
          { channel: 'other', waiting: 2, oldest: time(1) },
        ])
        await store.settle('b', 'desk', sent())
        await store.settle('c', 'desk', sent())
        expect(await store.backlog()).toEqual([{ channel: 'other', waiting: 2, oldest: time(1) }])
      })
    })

    describe('retain', () => {
      it('drops what is old and not pending, and accepts its ids as new again', async () => {
        for (let n = 0; n < 12; n++) await store.accept([event(`old${n}`, { desk: sent() })])
        expect(await store.retain(now)).toBe(0)
        expect(await store.retain(now + 1)).toBe(12)
        expect(await store.list({ limit: 100 })).toEqual([])
        expect(await store.find('old0')).toBeUndefined()
        expect(await store.settle('old0', 'desk', waiting())).toBe(false)
        expect(await store.accept([event('old0')])).toEqual(['new'])
        expect((await store.find('old0'))?.seq).toBe(13)
        await reopen()
        expect(await listed()).toEqual(['old0'])
      })

      it('keeps what is newer', async () => {
        for (let n = 0; n < 12; n++) await store.accept([event(`old${n}`, {})])
        now += 1000
        for (let n = 0; n < 12; n++) await store.accept([event(`new${n}`, {})])
        const gone = await store.retain(now)
        expect(gone).toBeLessThanOrEqual(12)
        expect((await store.list({ limit: 12 })).map(({ seq }) => seq)).toEqual(
          Array.from({ length: 12 }, (_, index) => 24 - index),
        )
        expect(await store.list({ limit: 100 })).toHaveLength(24 - gone)
        expect(await store.accept([event('new0')])).toEqual(['duplicate'])
      })

      it('leaves its horizon: the newest time of what was dropped', async () => {
        expect(await store.horizon()).toBeUndefined()
        await store.accept([event('a', {})])
        await expect.poll(() => store.retain(now + 1)).toBe(1)
        expect(await store.horizon()).toBe(now)
        await reopen()
        expect(await store.horizon()).toBe(now)
      })

      it('keeps what is pending, however old', async () => {
        await store.accept([event('a')])
        expect(await store.retain(now + 1_000_000)).toBe(0)
        expect(await taken()).toEqual(['a'])
      })
    })

    describe('state', () => {
      it('keeps a value under each key, replaced as a whole', async () => {
        expect(await store.readState('subscription')).toBeUndefined()
        await store.changeState('subscription', () => ({ id: 'wh_1', secrets: ['whsec_a', 'whsec_b'] }))
        await store.changeState('signatures', () => [1, null, 'x'])
        await store.changeState('subscription', () => ({ id: 'wh_2' }))
        await reopen()
        expect(await store.readState('subscription')).toEqual({ id: 'wh_2' })
        expect(await store.readState('signatures')).toEqual([1, null, 'x'])
        expect(await store.readState('troubles')).toBeUndefined()
      })

      it('sees in each of many changes at once what those before it made, and changes nothing by undefined', async () => {
        const add = () =>
          store.changeState('budget', (before) => (typeof before === 'number' ? before : 0) + 1)
        await Promise.all(Array.from({ length: 20 }, add))
        await store.changeState('budget', () => undefined)
        const fault = store.changeState('budget', () => {
          throw new Error('a fault of the caller')
        })
        await expect(fault).rejects.toThrow('a fault of the caller')
        await reopen()
        expect(await store.readState('budget')).toBe(20)
      })

      it('keeps the last of concurrent writes', async () => {
        await Promise.all([1, 2, 3, 4].map((value) => store.changeState('troubles', () => value)))
        expect(await store.readState('troubles')).toBe(4)
        await reopen()
        expect(await store.readState('troubles')).toBe(4)
      })
    })

    describe('across processes', () => {
      it('has everything after a close, and calls what was in flight uncertain until it is settled', async () => {
        await store.accept([event('a'), event('b', { desk: sent() }), event('d'), event('e')])
        await store.settle('a', 'desk', waiting({ attempts: 1 }))
        await leaseSome(1, now, 60_000)
        await store.settle('e', 'desk', waiting({ attempts: 1 }))
        await reopen()
        expect(await store.accept([event('a'), event('b'), event('c')])).toEqual([
          'duplicate',
          'duplicate',
          'new',
        ])
        expect((await leaseSome()).map(({ eventId, uncertain }) => [eventId, uncertain])).toEqual([
          ['a', true],
          ['d', false],
          ['e', false],
          ['c', false],
        ])
        await store.settle('a', 'desk', waiting({ attempts: 2 }))
        expect(await leaseSome()).toMatchObject([
          { eventId: 'a', uncertain: false, waiting: { attempts: 2 } },
        ])
      })

      it('has everything that was acknowledged after a crash', async () => {
        const ids = Array.from({ length: 30 }, (_, index) => `e${index}`)
        for (const id of ids) {
          await store.accept([event(id, { desk: waiting({ dueAt: time(id === 'e7' ? 10 : 0) }) })])
          await leaseSome(1, now, 60_000)
          if (id !== 'e7' && id !== 'e29') await store.settle(id, 'desk', sent(id))
        }
        await store.changeState('subscription', () => ({ id: 'wh_1' }))
        const survivor = await keep(place.openAfterCrash())
        expect((await survivor.list({ limit: 100 })).map(({ entry }) => entry.id)).toEqual(ids.toReversed())
        expect((await survivor.find('e8'))?.outcomes.desk).toEqual(sent('e8'))
        const owed = await survivor.leaseDue('desk', { now: now + 10, limit: 10, leaseMs: 1 })
        expect(owed.map(({ eventId, uncertain }) => [eventId, uncertain])).toEqual([
          ['e7', false],
          ['e29', true],
        ])
        expect(await survivor.readState('subscription')).toEqual({ id: 'wh_1' })
        expect(await survivor.accept([event('e3')])).toEqual(['duplicate'])
      })

      it('finishes what is under way when it is closed, and takes nothing afterwards', async () => {
        const underWay = ['a', 'b', 'c'].map((id) => store.accept([event(id)]))
        await store.close()
        expect((await Promise.all(underWay)).flat()).toEqual(['new', 'new', 'new'])
        await expect(store.accept([event('d')])).rejects.toMatchObject({ name: 'StoreUnavailable' })
        await reopen()
        expect(await listed()).toEqual(['c', 'b', 'a'])
      })
    })

    describe('lists', () => {
      describeLists({ store: () => store })
    })

    describe('chain', () => {
      const afterCrash = () => keep(place.openAfterCrash())
      describeChain({ store: () => store, reopen, afterCrash, now: () => now })
    })

    describe('figures', () => {
      describeFigures({ store: () => store, reopen, afterCrash: () => keep(place.openAfterCrash()) })
    })

    it('lets its process hold what nobody else has, and again when it let go', async () => {
      const never = new AbortController().signal
      for (const round of [1, 2]) {
        const hold = await store.acquireLease('polling', never)
        expect([round, hold?.signal.aborted, hold?.takenOver]).toEqual([round, false, false])
        hold?.release()
      }
    })

    it('can say that it could store an event now', async () => {
      await expect(Promise.all([store.probe(), store.probe()])).resolves.toBeDefined()
    })
  })
}
