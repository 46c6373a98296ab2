import { withFigures } from '../../../src/decide/accept/accept.ts'
import { reportedAlertOf } from '../../../src/decide/accept/correlate.ts'
import type { Act } from '../../../src/event/act.ts'
import { readDelivery } from '../../../src/event/delivery.ts'
import { type PublishedStory, publishedIn } from '../../../src/event/desk.ts'
import type { AlertEvent, Entry, Notice } from '../../../src/event/event.ts'
import { otherContentId } from '../../../src/event/ids.ts'
import type { Levels, ShownByFigures } from '../../../src/event/levels.ts'
import type { Escalation } from '../../../src/event/outcome.ts'
import { alertOf } from '../../../src/intake/poll/finding-event.ts'
import type { Message } from '../../../src/message/message.ts'
import { renderTest } from '../../../src/message/render/test-message.ts'
import type { Language } from '../../../src/message/words/phrases.ts'
import { createAlarms } from '../../../src/operators/alarms.ts'
import { startIncidents } from '../../../src/operators/incidents.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { acknowledgement, digest, publication, silence, silenceReport } from './people.ts'
import { methodology, receivedAt, reported } from './reported.ts'

/** One thing that a desk may get, from what came in. */
export interface Example {
  /** Names its files. */
  name: string
  title: string
  /** What it shows, in a sentence. */
  about: string
  /** The body of the delivery, if one came. */
  delivery?: string
  entry: Entry
  /** If it is no entry of the store. */
  message?: Message
  /** The same change, as it came by the other way. */
  other?: AlertEvent
  /** What corrects or withdraws it. */
  later?: AlertEvent
  /** The other alerts of its story. */
  members?: AlertEvent[]
  /** What people did about it. */
  acts?: Act[]
  /** The story that was published about what it corrects. */
  published?: PublishedStory[]
  /** Nobody had acknowledged it elsewhere. */
  escalated?: Escalation
  /** Somebody listens: it has buttons. */
  isHeard?: true
  /** Else it is in English. */
  language?: Language
}

/** A handful of typical entries, each made by the code that makes them in service. */
export async function examples(): Promise<Example[]> {
  const rise = delivered(
    'rise',
    'A rise',
    'A censorship spike, as the service documents its events. The published figures show it already.',
    {
      id: 'evt_01J9ZK3T7M',
      type: 'censorship_spike',
      model: 'claude',
      data: { category: 'political', delta: '+12pp', detected_at: '2026-11-21T14:02:10Z' },
      methodology,
    },
    { state: 'visible', levels: { ...levelsOf(polled), size: 11.9, interval: [8.2, 15.8] } },
  )
  const { entry } = rise
  return [
    { ...rise, isHeard: true },
    {
      name: 'story',
      title: 'A story',
      about:
        'On a channel that asks for `stories`, alerts of one category and direction that come within ten minutes are one message, which is edited as it grows.',
      entry,
      isHeard: true,
      members: [
        another('evt_01J9ZK8Q2A', 'gemini', '+9pp', '2026-11-21T14:04:40Z'),
        another('evt_01J9ZKCX5V', 'qwen', '+6pp', '2026-11-21T14:06:02Z'),
        another('evt_01J9ZKHT90', 'mistral', '+4pp', '2026-11-21T14:09:31Z'),
      ],
    },
    {
      name: 'rise-de',
      title: 'The same in German',
      about: 'A channel with `language: de`.',
      entry,
      isHeard: true,
      language: 'de',
    },
    {
      name: 'acknowledged',
      title: 'An acknowledgement',
      about:
        'Somebody pressed the button in one place: the message says so in every place that can be edited.',
      entry,
      isHeard: true,
      acts: [acknowledgement],
    },
    {
      name: 'escalated',
      title: 'An escalation',
      about: 'Nobody acknowledged the alert in time, so it comes to another channel too, with the reason.',
      entry,
      isHeard: true,
      escalated: { from: 'ai-desk', since: receivedAt, at: '2026-11-21T14:20:13.000Z' },
    },
    {
      name: 'escalated-unsent',
      title: 'An escalation of what could not be sent',
      about: 'The first channel never got the alert: the message to the other channel says that.',
      entry,
      isHeard: true,
      escalated: { from: 'ai-desk', since: receivedAt, at: '2026-11-21T14:20:13.000Z', isUnsent: true },
    },
    {
      name: 'published',
      title: 'A published story',
      about: 'The desk has noted the story: the message begins with who published it, and its address.',
      entry,
      isHeard: true,
      acts: [acknowledgement, publication],
    },
    {
      name: 'silenced',
      title: 'A silence',
      about: 'Somebody asked for quiet from the message: it says who, of what, until when and why.',
      entry,
      isHeard: true,
      acts: [acknowledgement, silence],
    },
    {
      name: 'silence-report',
      title: 'What a silence held',
      about: 'When it ends, one message says what came.',
      entry: silenceReport,
    },
    {
      name: 'digest',
      title: 'A digest',
      about: 'What came in the quiet hours, the largest change first.',
      entry: digest,
    },
    delivered(
      'fall',
      'A fall',
      'A policy change after which a model refuses less. The figures do not show it yet.',
      {
        id: 'evt_01J9ZMQ4RD',
        type: 'policy_change',
        model: 'gemini',
        data: { category: 'safety', delta: '-3.5pp', detected_at: '2026-11-21T13:48:55Z' },
        methodology,
      },
    ),
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
      entry: polled,
    },
    {
      name: 'both',
      title: 'The same change, reported and seen',
      about:
        'A report is sent when it comes. When the published figures show it too, its message is edited in its place; an e-mail stays as it was sent.',
      entry: reported('+12pp', beforeReading),
      other: polled,
    },
    {
      name: 'another-size',
      title: 'If the figures show another size',
      about: 'Both are said: the number of the service is named as its own.',
      entry: { ...reported('+18pp', beforeReading), id: 'evt_01J9ZR6K0C' },
      other: polled,
    },
    {
      name: 'rose-again',
      title: 'A change that goes further',
      about:
        'Polling found a step, and two and a half days later the service reports a larger one: it is an alert of its own, with both figures.',
      entry: { ...reported('+23pp', '2026-11-24T02:10:00Z'), before: reportedAlertOf(polled) },
    },
    {
      name: 'correction',
      title: 'A correction',
      about:
        'The service sent something else under an id that it had used: who was sent the first figure is sent this one, with both.',
      entry: correction,
    },
    {
      name: 'correction-of-story',
      title: 'A correction of what was published',
      about:
        'Somebody had noted that a story about the first figure is published: the correction begins with who did, and its address.',
      entry: { ...correction, receivedAt: '2026-11-21T18:05:00.000Z' },
      published: [publishedIn([publication])].flatMap((story) => story ?? []),
    },
    {
      name: 'corrected',
      title: 'What was corrected',
      about:
        'The first message then reads like this: it is edited in its place. A mail shows it only if it was not sent yet.',
      entry: reported(),
      later: correction,
    },
    {
      name: 'withdrawn',
      title: 'What is withdrawn',
      about:
        'One reading showed a change, and the next readings did not confirm it. A withdrawal is sent, and the first message is edited to read like this.',
      entry: polled,
      later: {
        ...polled,
        id: 'poll_3f0c6a5d',
        delta: 0,
        revises: polled.id,
        before: reportedAlertOf(polled),
        receivedAt: '2026-11-22T14:05:21.000Z',
      },
    },
    {
      name: 'operators-notice',
      title: 'A notice to the operators',
      about: 'Bluepencil itself is in trouble, and says so once, to the channels under `operators`.',
      entry: await notice(),
    },
    {
      name: 'test',
      title: 'A test',
      about: 'What `bluepencil test-alert` sends. Nobody can take it for a report.',
      entry: reported(),
      message: renderTest(
        { id: 'test_5c1f0a9b7e24', by: 'ada', at: receivedAt },
        { timeZone: 'Europe/Berlin' },
      ),
    },
  ]
}

/** A message shows no level that was read before the change was detected. */
const beforeReading = '2026-11-21T13:59:10Z'

const polled = alertOf(
  'claude',
  {
    kind: 'spike',
    status: 'provisional',
    category: 'political',
    direction: 'rise',
    since: '2026-11-21T14:00:00.000Z',
    foundAt: '2026-11-21T14:00:00.000Z',
    version: null,
    figures: {
      rate: 0.3,
      baseline: 0.181,
      readings: 1,
      n: 500,
      baselineReadings: 29,
      baselineDays: 29,
      prompts: 500,
      baselineN: 14_500,
      size: 0.116,
      interval: [0.08, 0.153],
      standardErrors: 6.2,
      threshold: 5,
      readingsPerYear: 365,
      noise: 1,
      besides: 0,
      drift: 0,
    },
    completes: null,
    sentence:
      '+11.6 points (95%: 8.0 to 15.3), 30.0% of 500 against 18.1% of 14,500 in 29 readings; 6.2 standard errors, noise 1.0 × binomial; provisional: one reading shows it',
  },
  receivedAt,
)

const correction: AlertEvent = {
  ...reported('+2pp'),
  id: otherContentId(reported().id, 2),
  revises: reported().id,
  before: reportedAlertOf(reported()),
}

function delivered(
  name: string,
  title: string,
  about: string,
  payload: object,
  shown: ShownByFigures = { state: 'not-shown' },
): Example {
  const delivery = JSON.stringify(payload)
  const entry = withFigures(readDelivery(Buffer.from(delivery), { source: 'webhook', receivedAt }), shown)
  return { name, title, about, delivery, entry }
}

function another(id: string, model: string, delta: string, detected_at: string): AlertEvent {
  return { ...reported(delta, detected_at), id, model, receivedAt: detected_at }
}

function levelsOf({ figures }: AlertEvent): Levels {
  if (figures?.levels === undefined) throw new Error('the example has no levels')
  return figures.levels
}

/** The notice when three signed deliveries in a row do not verify. */
async function notice(): Promise<Notice> {
  const clock = createManualClock(Date.parse(receivedAt))
  const told: Notice[] = []
  const watch = await startIncidents({
    clock,
    state: { read: async () => undefined, change: async () => {} },
    acquireLease: async () => true,
    tallies: { read: async () => undefined, change: async () => {} },
    alert: async (one) => told.push(one),
    onError: (error) => {
      throw error
    },
  })
  watch.startAlerting()
  const alarms = createAlarms(watch, clock, () => undefined)
  for (let delivery = 0; delivery < 3; delivery++) alarms.received('forged')
  await watch.stop()
  const [only] = told
  if (only === undefined || told.length > 1) throw new Error(`${told.length} notices instead of one`)
  return only
}
