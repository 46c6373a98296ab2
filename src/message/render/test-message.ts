import { type AlertEvent, noFigures } from '../../event/event.ts'
import type { Levels } from '../../event/levels.ts'
import type { Message } from '../message.ts'
import type { Language } from '../words/phrases.ts'
import { wordsOf } from '../words/words.ts'
import { headline } from './headline.ts'
import { levelFacts, statedSize } from './levels.ts'
import { categoryIn, inLanguage, modelName } from './words.ts'

/**
 * A message that tries out a channel: it reads as an alert does, and nobody can take it for one. `at`: when it was sent, ISO 8601.
 * `command`: what the person wrote for it.
 */
export function renderTest(
  { id, by, at, command = 'bluepencil test-alert' }: { id: string; by: string; at: string; command?: string },
  { timeZone, language }: { timeZone: string; language?: Language },
): Message {
  const words = wordsOf(language)
  const { say } = words
  const event = { ...exampleAlert(at), id }
  const size = statedSize(event)
  return {
    id,
    thread: 'operators/test',
    tone: 'neutral',
    ...inLanguage(words),
    kicker: say('test'),
    headline: say('testHeadline', { headline: headline(event, { words, size }) }),
    text: [say('isTest')],
    facts: [
      { label: say('model'), value: modelName(event.model, words) },
      { label: say('ofCategory'), value: say('category', categoryIn(event.category)) },
      ...levelFacts(size, { words, timeZone }),
    ].map(({ label, value }) => ({ label, value: say('example', { value }) })),
    links: [],
    caveats: [say('noSuchChange')],
    about: { kind: 'test' },
    source: `${say('testSource', { by, command, at: words.time(at, timeZone) })} · ${id}`,
    happenedAt: Date.parse(at),
  }
}

/** An alert as the service documents it, of something that never happened: at a time, ISO 8601. */
export function exampleAlert(at: string): AlertEvent {
  const levels: Levels = {
    category: 'political',
    since: at,
    before: { rate: 18.1, prompts: 5_800, readings: 29 },
    now: { rate: 30, prompts: 200, readings: 1 },
    size: 11.9,
    interval: [5.6, 18.6],
    standardErrors: 3.9,
    noise: 1,
    besides: 0,
    drift: 0,
  }
  return {
    kind: 'alert',
    id: 'evt_example',
    type: 'censorship_spike',
    model: 'claude',
    category: 'political',
    delta: 12,
    detectedAt: at,
    methodology: 'https://monitor.example/methodology',
    source: 'webhook',
    figures: { ...noFigures, state: 'visible', levels },
    sameAs: null,
    receivedAt: at,
    unrecognised: [],
    body: { encoding: 'utf8', text: '' },
  }
}
