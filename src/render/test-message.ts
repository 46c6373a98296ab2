import type { Message } from '../channels/message.ts'
import type { AlertEvent } from '../event/event.ts'
import type { Levels } from '../event/levels.ts'
import { headline } from './headline.ts'
import { levelFacts } from './levels.ts'
import { modelName, when } from './words.ts'

/** Who sends a test, and when: ISO 8601. */
export interface TestSent {
  id: string
  by: string
  at: string
}

/** What a channel is sent to try it out: it reads as an alert does, and nobody can take it for one. */
export function renderTest({ id, by, at }: TestSent, { timeZone }: { timeZone: string }): Message {
  const levels = { ...exampleLevels, since: at }
  const event = { ...example, id, detectedAt: at, receivedAt: at }
  return {
    id,
    thread: 'operators/test',
    tone: 'neutral',
    kicker: 'Test',
    headline: `TEST, not a report: ${headline(event, { levels })}`,
    text: ['This is a test of Bluepencil. An alert would read like this.'],
    facts: [
      { label: 'Model', value: `${modelName(event.model)} (an example)` },
      { label: 'Category', value: `${event.category} (an example)` },
      ...levelFacts(event, levels, { timeZone }).map(({ label, value }) => ({
        label,
        value: `${value} (an example)`,
      })),
    ],
    links: [],
    caveats: ['Nothing of the sort was reported, and nothing was found.'],
    source: `Sent by ${by} with “bluepencil test-alert” on ${when(at, timeZone)} · ${id}`,
    happenedAt: Date.parse(at),
  }
}

/** An alert as the service documents it, of something that never happened: at a time, ISO 8601. */
export function exampleAlert(at: string): AlertEvent {
  return {
    ...example,
    id: 'evt_example',
    detectedAt: at,
    receivedAt: at,
    methodology: 'https://monitor.example/methodology',
    figures: {
      state: 'visible',
      sentence: null,
      rate: null,
      sampleSize: null,
      baseline: null,
      baselineDays: null,
      standardErrors: null,
      readAt: null,
      levels: { ...exampleLevels, since: at },
    },
  }
}

const example: Omit<AlertEvent, 'id' | 'detectedAt' | 'receivedAt'> = {
  kind: 'alert',
  type: 'censorship_spike',
  model: 'claude',
  category: 'political',
  delta: 12,
  methodology: null,
  source: 'webhook',
  unrecognised: [],
  body: { encoding: 'utf8', text: '' },
  figures: null,
  sameAs: null,
}

const exampleLevels: Omit<Levels, 'since'> = {
  category: 'political',
  before: { rate: 18.1, prompts: 5_800, readings: 29 },
  now: { rate: 30, prompts: 200, readings: 1 },
  size: 11.9,
  interval: [5.6, 18.6],
  standardErrors: 3.9,
  noise: 1,
  besides: 0,
  drift: 0,
}
