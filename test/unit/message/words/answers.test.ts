import { describe, expect, test } from 'vitest'
import { contentOfReply, responseTo } from '../../../../src/channels/discord/interaction.ts'
import type { ChatReply, ChatRequest } from '../../../../src/channels/interaction.ts'
import { modalAnswer, noForm, replyPayload, silenceModal } from '../../../../src/channels/slack/reply.ts'
import { consult } from '../../../../src/commands/consult.ts'
import { type RateSeries, seriesOf } from '../../../../src/message/chart/series.ts'
import { svgOf } from '../../../../src/message/chart/svg.ts'
import { altText } from '../../../../src/message/chart/words.ts'
import { scopeInWords } from '../../../../src/message/render/acts.ts'
import { headline } from '../../../../src/message/render/headline.ts'
import { type Language, languages } from '../../../../src/message/words/phrases.ts'
import { loadWords, wordsOf } from '../../../../src/message/words/words.ts'
import { actsOn } from '../../../../src/people/converse/acts.ts'
import { type AnswerParts, createAnswer } from '../../../../src/people/converse/answer.ts'
import { htmlOf, type ReaderPage } from '../../../../src/people/readers/routes.ts'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'
import { example } from '../../../system/chart/examples.ts'
import { peopleService, sandbox } from '../../commands/monitor/asked.ts'
import { foreignIn } from './of-language.ts'

await loadWords(languages)

const by = { id: 'U1', name: 'Ada', via: 'slack' } as const
const commands = [
  'help',
  'nothing-of-the-kind',
  'status',
  'latest',
  'silences',
  'silence claude political 1h',
  'silence gemini 2d x',
  'silences',
  'silence claude 90d',
  'silence claude',
  'silence claude 1h30',
  'silence claude retired 1h',
  'history',
  'history claude political 90d',
  'compare claude',
  'channels',
  'why',
  'why evt_gone',
  'checking',
  'checking evt_1',
  'published evt_1',
  'published evt_1 nonsense',
  'published evt_1 https://news.example/A?b=1',
  'reopen evt_1',
  'reopen evt_gone',
  'test',
  'send-held',
  'send-held desk',
]

async function openChat(language: Language, changes: Partial<AnswerParts> = {}) {
  const clock = createManualClock(Date.parse('2026-11-21T15:05:09Z'))
  const store = createMemoryBacking(clock).open()
  const words = wordsOf(language)
  await store.accept([
    { entry: alert({ id: 'evt_1', category: 'political' }), outcomes: {} },
    { entry: alert({ id: 'evt_2', model: null }), outcomes: {} },
  ])
  const service = await peopleService(await sandbox())
  return createAnswer({
    acts: await actsOn(store, clock.now),
    store,
    clock,
    telling: async () => ({
      words,
      timeZone: 'Europe/Berlin',
      scope: (scope) => scopeInWords(scope, words),
      headline: async (one) => headline(one, { words }),
    }),
    may: () => true,
    consult: (question, words) => consult(question, words, service),
    status: async () => [],
    explain: async () => undefined,
    channels: () => ['desk'],
    sendHeld: async () => ({ result: 'sent', count: 2, running: true }),
    sendTest: async () => ({ text: words.say('noChannelHere') }),
    onError() {},
    ...changes,
  })
}

/** What people write is the same in all languages. */
const toBeWritten = 'overall, political, safety, social, all'

/** Every answer that people can get, by what they did. */
async function answersIn(language: Language): Promise<[string, ChatReply][]> {
  const answer = await openChat(language)
  const fails = await openChat(language, { consult: () => Promise.reject(new StoreUnavailable('x')) })
  const breaks = await openChat(language, { status: () => Promise.reject(new Error('x')) })
  const refuses = await openChat(language, { may: () => false })
  const holdsNothing = await openChat(language, { sendHeld: async () => ({ result: 'nothing-held' }) })
  const elsewhere = await openChat(language, {
    sendHeld: async () => ({ result: 'unknown-channel', channels: ['news'] }),
  })
  const abouts = ['evt_1', 'evt_2', 'evt_gone']
  const clicks: ChatRequest[] = abouts.flatMap((about): ChatRequest[] => [
    { by, place: [], key: `a ${about}`, does: 'acknowledge', about },
    { by, place: [], key: `again ${about}`, does: 'acknowledge', about },
    { by, place: [], key: `f ${about}`, does: 'ask-silence', about },
    { by, place: [], key: `s ${about}`, does: 'silence', about, until: 'tomorrow', why: '' },
    { by, place: [], key: `h ${about}`, does: 'history', about },
  ])
  const written = commands.map(
    (words, index): ChatRequest => ({ by, place: [], key: `c${index}`, does: 'command', words }),
  )
  const all: [string, ChatReply][] = []
  for (const request of [...clicks, ...written])
    all.push([JSON.stringify(request), (await answer(request)).reply])
  for (const click of clicks) all.push([`refused ${click.key}`, (await refuses(click)).reply])
  for (const [chat, name] of [
    [fails, 'history claude'],
    [breaks, 'status'],
    [refuses, 'send-held desk'],
    [holdsNothing, 'send-held desk'],
    [elsewhere, 'send-held desk'],
  ] as const) {
    const request: ChatRequest = { by, place: [], key: name, does: 'command', words: name }
    all.push([`${all.length} ${name}`, (await chat(request)).reply])
  }
  return all
}

/** Of what goes to a provider, the values that it shows. */
const shownKeys = new Set(['text', 'content', 'title', 'label', 'description', 'placeholder'])

function shownIn(payload: unknown): string[] {
  if (typeof payload !== 'object' || payload === null) return []
  return Object.entries(payload).flatMap(([key, value]) =>
    typeof value === 'string' ? (shownKeys.has(key) ? [value] : []) : shownIn(value),
  )
}

const state = { about: 'evt_1', respondTo: 'https://slack.example/', place: [] }

function everywhere(reply: ChatReply): string[] {
  const forms = [replyPayload(reply), modalAnswer(reply), responseTo(reply), contentOfReply(reply)]
  const modal = reply.form === undefined ? [] : [silenceModal(reply.form, state, reply.language)]
  return shownIn([...forms, ...modal])
}

const reader = { channel: 'desk', address: 'ada@news.example' }
const pages: ReaderPage[] = [
  { shows: 'question', ...reader, contact: 'desk@news.example' },
  { shows: 'done', ...reader, contact: 'desk@news.example' },
  { shows: 'was-done', ...reader, contact: undefined },
  { shows: 'not-valid', contact: 'desk@news.example' },
  { shows: 'not-valid', contact: undefined },
  { shows: 'not-stored' },
]

const now = Date.UTC(2026, 10, 22, 12)
const plain = { model: 'Claude', category: 'political', isSizeOfAll: false, span: 9, now } as const
const charts: RateSeries[] = [
  example,
  seriesOf({ ...plain, readings: [] }),
  seriesOf({ ...plain, isSizeOfAll: true, readings: [{ at: now, percent: 3, sampleSize: 5 }] }),
  seriesOf({
    ...plain,
    model: 'ChatGPT',
    category: 'social',
    readings: [{ at: now - 86_400_000, percent: 3, sampleSize: null }],
    change: { at: now, before: 2 },
  }),
  seriesOf({ ...plain, category: 'overall', readings: [{ at: now, percent: 3, sampleSize: null }] }),
]

const texts = /<(?:text|title|h1|p|button)[^>]*>([^<]*)</g

test.each(languages)('what who pressed a button is shown is recorded in %s', async (language) => {
  const answer = await openChat(language)
  const requests: ChatRequest[] = [
    { by, place: [], key: 'a', does: 'acknowledge', about: 'evt_1' },
    { by, place: [], key: 'f', does: 'ask-silence', about: 'evt_1' },
    { by, place: [], key: 's', does: 'silence', about: 'evt_1', until: '1h', why: '' },
  ]
  const [acknowledged, form, silenced] = await Promise.all(
    requests.map(async (one) => (await answer(one)).reply),
  )
  if (!(acknowledged && form?.form && silenced)) throw new Error('something was not answered')
  const payloads = {
    slack: {
      acknowledged: replyPayload(acknowledged),
      form: silenceModal(form.form, state, language),
      silenced: modalAnswer(silenced),
    },
    discord: {
      acknowledged: responseTo(acknowledged),
      form: responseTo(form),
      silenced: responseTo(silenced),
    },
  }
  await expect(`${JSON.stringify(payloads, null, 2)}\n`).toMatchFileSnapshot(
    `../render/payloads/${language}.answers.json`,
  )
})

describe.each(languages.filter((one) => one !== 'en'))('in %s', (language) => {
  const words = wordsOf(language)

  test('every word that somebody is answered in a chat is of the language, a name or an id', async () => {
    const foreign = new Map<string, string>()
    for (const [asked, reply] of await answersIn(language))
      for (const text of everywhere(reply))
        for (const word of foreignIn(language, text.replace(toBeWritten, '')))
          foreign.set(word, `${asked}: ${text}`)
    expect(Object.fromEntries(foreign)).toEqual({})
    expect(foreignIn(language, noForm(language).text)).toEqual([])
  })

  test('so is every word of the page that ends mail', () => {
    const shown = pages.map((page) => htmlOf(page, words))
    const visible = shown.flatMap((html) => Array.from(html.matchAll(texts), ([, text = '']) => text))
    expect(visible.length).toBeGreaterThan(10)
    expect(visible.flatMap((text) => foreignIn(language, text))).toEqual([])
    for (const html of shown) expect(html).toContain(`<html lang="${language}">`)
  })

  test('so is every word of a chart, and of what it says to who cannot see it', () => {
    for (const series of charts) {
      const drawn = Array.from(svgOf(series, 'light', words).matchAll(texts), ([, text = '']) => text)
      expect([altText(series, words), ...drawn].flatMap((text) => foreignIn(language, text))).toEqual([])
    }
  })

  test('what a form of Slack or Discord has little room for is not cut', () => {
    for (const key of ['formTitle', 'formSend', 'formCancel', 'formClose'] as const)
      expect(words.say(key).length).toBeLessThanOrEqual(24)
    for (const key of ['formDuration', 'formWhy'] as const)
      expect(words.say(key).length).toBeLessThanOrEqual(45)
  })

  test('what stands on a chart fits beside its plot', () => {
    for (const series of charts) {
      const drawn = Array.from(svgOf(series, 'light', words).matchAll(texts), ([, text = '']) => text)
      const [, title = '', ...others] = drawn
      expect(title.length).toBeLessThanOrEqual(46)
      expect(others.filter((text) => text.length > 62)).toEqual([])
    }
  })
})
