import type { AlertEvent, PublishedFigures } from '../../../src/event/event.ts'
import type { Levels } from '../../../src/event/levels.ts'

/** An alert as the service documents it; a test names what matters to it. */
export function alert(changes: Partial<AlertEvent> = {}): AlertEvent {
  return {
    kind: 'alert',
    id: 'evt_1',
    type: 'censorship_spike',
    model: 'claude',
    category: 'political',
    delta: 12,
    detectedAt: '2026-11-21T13:05:00.000Z',
    methodology: 'https://monitor.example/methodology',
    source: 'webhook',
    receivedAt: '2026-11-21T13:05:02.000Z',
    unrecognised: [],
    body: { encoding: 'utf8', text: '{}' },
    figures: null,
    sameAs: null,
    ...changes,
  }
}

/** A change that polling found in the published figures. */
export function finding(changes: Partial<AlertEvent> = {}): AlertEvent {
  return alert({
    id: 'poll_1',
    source: 'poll',
    found: true,
    methodology: null,
    figures: {
      state: 'visible',
      sentence: '30% of 500, against 18% over 30 days; 6.7 standard errors',
      rate: 18 + (changes.delta ?? 12),
      sampleSize: 500,
      baseline: 18,
      baselineDays: 30,
      standardErrors: 6.7,
      readAt: '2026-11-21T13:05:00.000Z',
    },
    ...changes,
  })
}

/** Where nothing is known of the published figures but what they show. */
export const noFigures: Omit<PublishedFigures, 'state'> = {
  sentence: null,
  rate: null,
  sampleSize: null,
  baseline: null,
  baselineDays: null,
  standardErrors: null,
  readAt: null,
}

/** What the published figures show of the alert above: 30%, up 12 points from 18%. */
export function levels(changes: Partial<Levels> = {}): Levels {
  return {
    category: 'political',
    since: '2026-11-21T13:00:00.000Z',
    before: { rate: 18.1, prompts: 14_500, readings: 29 },
    now: { rate: 30, prompts: 500, readings: 1 },
    size: 11.6,
    interval: [8, 15.3],
    standardErrors: 6.2,
    noise: 1,
    besides: 0,
    drift: 0,
    ...changes,
  }
}
