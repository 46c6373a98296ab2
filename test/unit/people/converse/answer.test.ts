import { expect, test } from 'vitest'
import type { ChatRequest } from '../../../../src/channels/interaction.ts'
import { english } from '../../../../src/message/words/words.ts'
import { actsOn } from '../../../../src/people/converse/acts.ts'
import { type AnswerParts, createAnswer } from '../../../../src/people/converse/answer.ts'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const by = { id: 'U1', name: 'Ana', via: 'slack' } as const
const place = ['C1']

async function openConversation(changes: Partial<AnswerParts> = {}) {
  const clock = createManualClock(Date.parse('2026-11-21T15:05:09Z'))
  const store = createMemoryBacking(clock).open()
  await store.accept([
    { entry: alert({ id: 'evt_1', category: 'political' }), outcomes: {} },
    { entry: alert({ id: 'evt_nameless', model: null }), outcomes: {} },
  ])
  const errors: unknown[] = []
  const answer = createAnswer({
    acts: await actsOn(store, clock.now),
    store,
    clock,
    telling: async () => ({
      words: english,
      timeZone: 'Europe/Berlin',
      scope: ({ model = 'all', category = 'all' }) => `${model}/${category}`,
      headline: async ({ id }) => `What ${id} says`,
    }),
    may: () => true,
    consult: async (question) => ({ text: JSON.stringify(question) }),
    status: async () => ['Status: ready'],
    explain: async () => undefined,
    channels: () => ['desk (slack)'],
    sendTest: async () => ({ text: 'Sent.' }),
    sendHeld: async () => ({ result: 'nothing-held' }),
    onError: (error) => errors.push(error),
    ...changes,
  })
  const acts = async () =>
    (await store.list({ limit: 50 })).flatMap(({ entry }) => (entry.kind === 'act' ? [entry] : []))
  let keys = 0
  /** What is answered to a command, each of its own. */
  const say = async (words: string) => {
    keys += 1
    return (await answer({ by, place, key: `k${keys}`, does: 'command', words })).reply
  }
  return { answer, say, store, clock, errors, acts }
}

test.each([
  ['silence claude 2 days the holidays', 'claude/all', '23 Nov 2026, 16:05', 'the holidays'],
  ['silence claude political two days', 'claude/political', '23 Nov 2026, 16:05', ''],
  ['silence all friday Night desk', 'all/all', '27 Nov 2026, 09:00', 'Night desk'],
])('%s: the end may be several words', async (words, scope, until, why) => {
  const { say, acts } = await openConversation()
  const { text } = await say(words)
  expect(text).toContain(scope)
  expect(text).toContain(until)
  expect(await acts()).toMatchObject([{ does: 'silence', why }])
})

test('what takes two seconds is answered then, and again when it is there', async () => {
  const consulted = Promise.withResolvers<{ text: string }>()
  const { answer, clock } = await openConversation({ consult: () => consulted.promise })
  const answered = answer({ by, place, key: 'k', does: 'history', about: 'evt_1' })
  await clock.advance(1_999)
  expect(await Promise.race([answered, Promise.resolve('nothing yet')])).toBe('nothing yet')
  await clock.advance(1)
  const { reply, later } = await answered
  expect(reply.text).toBe('This takes longer; the answer follows.')
  consulted.resolve({ text: 'Here it is.' })
  expect(await later).toEqual({ text: 'Here it is.', language: 'en' })
  expect(clock.sleeping()).toBe(0)
})

test('a form that comes too late to be opened is none: what follows says so', async () => {
  const { answer, clock, store } = await openConversation()
  const lookup = Promise.withResolvers<void>()
  const slow = { ...store, find: (id: string) => lookup.promise.then(() => store.find(id)) }
  const { answer: slowly } = await openConversation({ store: slow, clock })
  const answered = slowly({ by, place, key: 'k', does: 'ask-silence', about: 'evt_1' })
  await clock.advance(2_000)
  const { later } = await answered
  lookup.resolve()
  expect(await later).toEqual({
    text: expect.stringMatching(/^The form came too late .* nothing was done\./),
    language: 'en',
  })
  const again = await answer({ by, place, key: 'k2', does: 'ask-silence', about: 'evt_1' })
  expect(again.reply.form).toMatchObject({ about: 'evt_1' })
})

test('the same asked again is one act, one question, and the same answer', async () => {
  let questions = 0
  const { answer, acts } = await openConversation({
    async consult() {
      questions += 1
      return { text: 'figures' }
    },
  })
  const all: ChatRequest[] = [
    { by, place, key: 'k1', does: 'history', about: 'evt_1' },
    { by, place, key: 'k2', does: 'command', words: 'silence claude 1h' },
  ]
  for (const request of all) {
    const first = await answer(request)
    expect(first.isRepeat).toBe(false)
    expect(await answer(request)).toEqual({ reply: first.reply, isRepeat: true })
  }
  expect(questions).toBe(1)
  expect(await acts()).toHaveLength(1)
})

test('what could not be stored was not done, which is said, and may be tried again', async () => {
  const full = new StoreUnavailable('the disk is full')
  let isFull = true
  const store = createMemoryBacking(createManualClock(0)).open()
  await store.accept([{ entry: alert({ id: 'evt_1' }), outcomes: {} }])
  const acts = await actsOn(
    { ...store, accept: (batch) => (isFull ? Promise.reject(full) : store.accept(batch)) },
    () => 0,
  )
  const { answer, errors } = await openConversation({ acts })
  const request: ChatRequest = { by, place, key: 'k', does: 'acknowledge', about: 'evt_1' }
  expect((await answer(request)).reply.text).toMatch(/^It could not be stored, so nothing was done/)
  expect(errors).toEqual([full])
  isFull = false
  expect((await answer(request)).reply.text).toMatch(/^Acknowledged/)
})

test('an alert that names no model, or is no longer stored, cannot be silenced by its button', async () => {
  const { answer, acts } = await openConversation()
  for (const [about, text] of [
    ['evt_nameless', /names no model/],
    ['evt_gone', /no longer stored; nothing was done/],
  ] as const) {
    for (const request of [
      { by, place, key: about, does: 'ask-silence', about } as const,
      { by, place, key: about, does: 'silence', about, until: '1h', why: 'x' } as const,
      { by, place, key: about, does: 'history', about } as const,
    ]) {
      expect((await answer(request)).reply.text).toMatch(about === 'evt_gone' ? /no longer stored/ : text)
    }
  }
  expect(await acts()).toEqual([])
})

test.each([
  ['silence claude 1h', { model: 'claude' }, '2026-11-21T16:05', ''],
  [
    'silence  Claude Political 2d  An Old story',
    { model: 'claude', category: 'political' },
    '2026-11-23T15:05',
    'An Old story',
  ],
  ['SILENCE all tomorrow', {}, '2026-11-22T08:00', ''],
])('/bluepencil %s', async (words, scope, until, why) => {
  const { say, acts } = await openConversation()
  expect((await say(words)).text).toContain('are held until ')
  const [act] = await acts()
  expect(act).toMatchObject({ does: 'silence', scope, why, until: expect.stringContaining(until) })
})

test.each([
  'silence',
  'silence claude',
  'silence grok 1h',
  'silence claude political forever',
  'compare claude',
  'history',
])('/bluepencil %s says how it is written, and does nothing', async (words) => {
  const { say, acts } = await openConversation()
  expect((await say(words)).text).toMatch(/^Write \/bluepencil .*; models are chatgpt, claude,/)
  expect(await acts()).toEqual([])
})

test('a silence of a category that nobody knows is refused with those that there are; one that an alert had is not', async () => {
  const { say, acts, store } = await openConversation()
  expect((await say('silence claude politcal 1h')).text).toBe(
    'No alert has had the category politcal; there are overall, political, safety, social, all. Nothing was done.',
  )
  expect(await acts()).toEqual([])
  await store.accept([{ entry: alert({ id: 'evt_2', category: 'Medical' }), outcomes: {} }])
  expect((await say('silence claude medical 1h')).text).toContain('are held until ')
  expect((await say('silence claude OVERALL 1h')).text).toContain('are held until ')
  expect(await acts()).toHaveLength(2)
})

test('a person who may silence can send held messages now; others get the setting that permits it', async () => {
  const calls: unknown[] = []
  const sendHeld: AnswerParts['sendHeld'] = async (doer, channel) => {
    calls.push([doer.by.name, channel])
    return channel === 'desk'
      ? { result: 'sent', count: 2, running: true }
      : { result: 'unknown-channel', channels: ['desk', 'mail'] }
  }
  const { say } = await openConversation({ sendHeld })
  expect(await say('send-held')).toMatchObject({
    text: '/bluepencil send-held CHANNEL',
    list: ['desk (slack)'],
  })
  expect(await say('send-held desk')).toMatchObject({ text: '2 held alerts go to desk now.' })
  expect(await say('send-held post')).toMatchObject({
    text: 'No channel is called post; there are desk, mail. Nothing was sent.',
  })
  expect(calls).toEqual([
    [by.name, 'desk'],
    [by.name, 'post'],
  ])
  const refused = await openConversation({ sendHeld, may: () => false })
  expect((await refused.say('send-held desk')).text).toMatch(
    /^You may not send held alerts here; nothing was done\..* chat\.silence\.$/,
  )
  expect(calls).toHaveLength(2)
})
