import { saidBy } from '../../../src/accept/correlate.ts'
import { readDelivery } from '../../../src/event/delivery.ts'
import type { AlertEvent, Entry, Notice } from '../../../src/event/event.ts'
import { otherContentId } from '../../../src/event/ids.ts'
import { createAlarms } from '../../../src/operators/alarms.ts'
import { startIncidents } from '../../../src/operators/incidents.ts'
import { alertOf } from '../../../src/poll/finding-event.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

/** One thing that a desk may be told, from what came in. */
export interface Example {
  /** Names its files. */
  name: string
  title: string
  /** What it shows, in a sentence. */
  about: string
  /** The body of the delivery, where one came. */
  delivery?: string
  entry: Entry
  /** The same change, as it came by the other way. */
  other?: AlertEvent
  /** What corrects or withdraws it. */
  later?: AlertEvent
}

/** The time of all examples: what is made from them is the same on every day and machine. */
const receivedAt = '2026-11-21T14:05:33.000Z'
const methodology = 'https://monitor.example/methodology'

/** A handful of typical entries, each made by the code that makes them in service. */
export async function examples(): Promise<Example[]> {
  return [
    delivered('rise', 'A rise', 'A censorship spike, as the service documents its events.', {
      id: 'evt_01J9ZK3T7M',
      type: 'censorship_spike',
      model: 'claude',
      data: { category: 'political', delta: '+12pp', detected_at: '2026-11-21T14:02:10Z' },
      methodology,
    }),
    delivered('fall', 'A fall', 'A policy change after which a model refuses less.', {
      id: 'evt_01J9ZMQ4RD',
      type: 'policy_change',
      model: 'gemini',
      data: { category: 'safety', delta: '-3.5pp', detected_at: '2026-11-21T13:48:55Z' },
      methodology,
    }),
    delivered(
      'not-as-documented',
      'An event that is not as documented',
      'It is authentic, so it is not dropped: it is shown as far as it can be read, and says what to be careful of.',
      {
        id: 'evt_01J9ZP8V2X',
        type: 'version_change',
        model: 'llama',
        data: { category: 'political', delta: 'about 8 points', detected_at: '2026-11-21T14:05:02Z' },
        methodology,
      },
    ),
    {
      name: 'found',
      title: 'A change that polling found',
      about:
        'Nobody reported it: Bluepencil saw it in the published figures, and says so, with every figure.',
      entry: found,
    },
    {
      name: 'both',
      title: 'The same change, reported and seen',
      about:
        'A report is told when it comes. When the published figures show it too, its message is edited in its place; an e-mail stays as it was sent.',
      entry: reported(),
      other: found,
    },
    {
      name: 'rose-again',
      title: 'A change that goes further',
      about:
        'Polling found a step, and two and a half days later the service reports a larger one: it is an alert of its own, with both figures.',
      entry: { ...reported('+23pp', '2026-11-24T02:10:00Z'), before: saidBy(found) },
    },
    {
      name: 'correction',
      title: 'A correction',
      about:
        'The service sent something else under an id that it had used: who was sent the first figure is sent this one, with both.',
      entry: correction,
    },
    {
      name: 'corrected',
      title: 'What was corrected',
      about:
        'The first message then reads like this: it is edited in its place. A mail says so only where it had not been sent yet.',
      entry: reported(),
      later: correction,
    },
    {
      name: 'withdrawn',
      title: 'What is withdrawn',
      about:
        'Polling found a change by one reading, and the next did not bear it out. A correction is sent, and the first message is edited to read like this.',
      entry: found,
      later: {
        ...found,
        id: 'poll_3f0c6a5d',
        delta: 0,
        revises: found.id,
        before: saidBy(found),
        receivedAt: '2026-11-22T14:05:21.000Z',
      },
    },
    {
      name: 'operators-notice',
      title: 'A notice to the operators',
      about: 'Bluepencil itself is in trouble, and says so once, to the channels under `operators`.',
      entry: await notice(),
    },
  ]
}

const found = alertOf(
  'claude',
  {
    kind: 'spike',
    status: 'found',
    category: 'political',
    direction: 'rise',
    since: '2026-11-21T14:00:00.000Z',
    foundAt: '2026-11-21T14:00:00.000Z',
    version: null,
    figures: {
      rate: 0.3,
      baseline: 0.18,
      readings: 1,
      n: 500,
      baselineReadings: 30,
      baselineDays: 30,
      prompts: 500,
      baselineN: 15_000,
      size: 0.12,
      interval: [0.08, 0.16],
      standardErrors: 6.7,
      threshold: 5,
      readingsPerYear: 365,
      noise: 1,
      besides: 0,
      drift: 0,
    },
    completes: null,
    sentence: '30 % of 500, against 18 % over 30 days; 6.7 standard errors',
  },
  receivedAt,
)

const correction: AlertEvent = {
  ...reported('+2pp'),
  id: otherContentId(reported().id, 2),
  revises: reported().id,
  before: saidBy(reported()),
}

function reported(delta = '+12pp', detected_at = '2026-11-21T14:02:10Z'): AlertEvent {
  const payload = {
    id: 'evt_01J9ZK3T7M',
    type: 'censorship_spike',
    model: 'claude',
    data: { category: 'political', delta, detected_at },
    methodology,
  }
  const cameAt = new Date(Math.max(Date.parse(receivedAt), Date.parse(detected_at))).toISOString()
  return readDelivery(Buffer.from(JSON.stringify(payload)), { source: 'webhook', receivedAt: cameAt })
}

function delivered(name: string, title: string, about: string, payload: object): Example {
  const delivery = JSON.stringify(payload)
  const entry = readDelivery(Buffer.from(delivery), { source: 'webhook', receivedAt })
  return { name, title, about, delivery, entry }
}

/** What is told when three signed deliveries in a row do not verify. */
async function notice(): Promise<Notice> {
  const clock = createManualClock(Date.parse(receivedAt))
  const told: Notice[] = []
  const watch = await startIncidents({
    clock,
    state: { read: async () => undefined, change: async () => {} },
    hold: async () => true,
    tallies: { read: async () => undefined, change: async () => {} },
    tell: async (one) => told.push(one),
    onError: (error) => {
      throw error
    },
  })
  const alarms = createAlarms(watch, clock)
  for (let delivery = 0; delivery < 3; delivery++) alarms.received('forged')
  await watch.stop()
  const [only] = told
  if (only === undefined || told.length > 1) throw new Error(`${told.length} notices instead of one`)
  return only
}
