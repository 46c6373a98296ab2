import { changeOf, reportedAlertOf } from '../../../../src/decide/accept/correlate.ts'
import { asRepeat } from '../../../../src/deliver/sent-message.ts'
import type { Act } from '../../../../src/event/act.ts'
import { readDelivery } from '../../../../src/event/delivery.ts'
import { publishedIn } from '../../../../src/event/desk.ts'
import type { AlertEvent, Digest } from '../../../../src/event/event.ts'
import type { Levels } from '../../../../src/event/levels.ts'
import type { Message } from '../../../../src/message/message.ts'
import { type RenderContext, render, renderSummary } from '../../../../src/message/render/render.ts'
import { renderTest } from '../../../../src/message/render/test-message.ts'
import type { Language } from '../../../../src/message/words/phrases.ts'
import { alert, finding, levels, noFigures } from '../../../support/fakes/events.ts'
import { examples } from '../../renderings/examples.ts'
import { stories, storyThatGrows } from './stories-in.ts'

/** Every message that a reader may get, by the name of the case. */
export type Said = [name: string, message: Message]

const contextIn = (language: Language): RenderContext => ({
  service: 'Censorship Monitoring Service',
  timeZone: 'Europe/Berlin',
  language,
})

const later = '2026-11-23T13:05:00.000Z'
const shown = (known: Partial<Levels> = {}): Pick<AlertEvent, 'figures'> => ({
  figures: { ...noFigures, state: 'visible', rate: 30, levels: levels(known) },
})

/** What is recorded for each language and provider. */
export function recorded(language: Language): Record<string, Message> {
  const context = contextIn(language)
  const reported = alert(shown())
  const polled = finding(shown())
  const takenBack = finding({ id: 'poll_2', delta: 0, revises: polled.id, before: reportedAlertOf(polled) })
  const more = finding({
    id: 'poll_3',
    delta: 11,
    ...shown({ now: { rate: 29, prompts: 1_500, readings: 3 } }),
  })
  const confirmation = { ...changeOf(more), receivedAt: later }
  const correction = alert({ id: 'evt_1~2', delta: 2, revises: 'evt_1', before: reportedAlertOf(reported) })
  const paged = { ...context, pageOf: (id: string) => `https://desk.example/console/alerts/${id}` }
  const heardContext = { ...paged, isHeard: true }
  const silence = { by: ada, why: '—', scope: silenced.scope }
  return {
    alert: render(reported, context),
    acknowledged: render(reported, { ...heardContext, acts: [acknowledgement] }),
    checking: render(reported, { ...heardContext, acts: [set('checking')] }),
    published: render(reported, {
      ...heardContext,
      acts: [acknowledgement, set('published')],
      revision: { ...reportedAlertOf(correction), receivedAt: later },
    }),
    reopened: render(reported, { ...heardContext, acts: [set('new')] }),
    correctionOfStory: render(correction, { ...heardContext, published }),
    withdrawalOfStory: render(takenBack, { ...heardContext, published }),
    escalated: render(reported, {
      ...heardContext,
      acts: [acknowledgement],
      escalated: { from: 'desk', since: reported.receivedAt, at: later },
    }),
    escalatedUnsent: render(reported, {
      ...heardContext,
      escalated: { from: 'desk', since: reported.receivedAt, at: later, isUnsent: true },
    }),
    silenced: render(reported, { ...heardContext, acts: [acknowledgement, silenced] }),
    silenceReport: render(
      digestOf([alert({ id: 'evt_3', delta: 30 }), alert({ id: 'evt_4', delta: -4 })], { silence }),
      paged,
    ),
    correction: render(correction, context),
    withdrawal: render(takenBack, context),
    confirmation: render(polled, { ...context, confirmation }),
    outage: renderSummary({ waiting: 3, since: Date.parse(later), out: 'channel' }, context),
    story: storyThatGrows(context),
    digest: render(digestOf([reported, alert({ id: 'evt_2', model: 'gemini', delta: -4 })]), context),
  }
}

const ada = { name: 'Ada', via: 'slack' } as const
const acknowledgement: Act = {
  kind: 'act',
  id: 'act_a',
  does: 'acknowledge',
  by: ada,
  about: 'evt_1',
  receivedAt: later,
}
const set = (state: 'new' | 'checking' | 'published'): Act => ({
  ...acknowledgement,
  id: `act_${state}`,
  does: 'set-desk',
  about: 'evt_1',
  state,
  click: 'act_c',
  ...(state === 'published' && { story: 'https://news.example/1' }),
})
const published = [publishedIn([set('published')])].flatMap((story) => story ?? [])
const silenced = {
  kind: 'act',
  id: 'act_b',
  does: 'silence',
  by: ada,
  about: 'evt_1',
  scope: { model: 'claude', category: 'political' },
  until: '2026-11-24T08:00:00.000Z',
  why: '',
  receivedAt: later,
} satisfies Act

function digestOf(items: AlertEvent[], held: Pick<Digest, 'silence'> = {}, ids: string[] = []): Digest {
  return {
    kind: 'digest',
    id: 'dgs_1',
    channel: 'desk',
    by: 'quiet',
    from: '2026-11-21T21:00:00.000Z',
    until: '2026-11-22T06:00:00.000Z',
    count: items.length + ids.length,
    of: [...items.map(({ id }) => id), ...ids],
    items,
    ...held,
    receivedAt: later,
  }
}

/** Every sentence that is rendered for a reader, at least once. */
export async function everything(language: Language): Promise<Said[]> {
  return [
    ...Object.entries(recorded(language)),
    ...(await ofExamples(language)),
    ...ofLevels(language),
    ...ofFigures(language),
    ...ofActs(language),
    ...ofForms(language),
    ...stories(contextIn(language)),
    ...badBodies.map((body): Said => [`the body ${body}`, render(delivered(body), contextIn(language))]),
  ]
}

async function ofExamples(language: Language): Promise<Said[]> {
  const context = contextIn(language)
  return (await examples()).flatMap(({ name, entry, message, other, later: revised }): Said[] => {
    if (entry.kind !== 'alert') return []
    if (message !== undefined) {
      return [[name, renderTest({ id: 'test_1', by: 'ada', at: later }, { timeZone: 'UTC', language })]]
    }
    const revision = revised && { ...reportedAlertOf(revised), receivedAt: revised.receivedAt }
    const rendered = render(withoutBody(entry), { ...context, other: other && changeOf(other), revision })
    return [
      [name, rendered],
      [`${name}, perhaps again`, asRepeat(rendered)],
    ]
  })
}

function ofLevels(language: Language): Said[] {
  const context = contextIn(language)
  const odd = shown({
    category: 'overall',
    drift: -1.04,
    besides: 1.2,
    noise: 0.4,
    before: { rate: 30, prompts: null, readings: 29 },
    now: { rate: 18.1, prompts: null, readings: 3 },
    driftSince: '2026-10-10T00:00:00.000Z',
    version: { from: '4.1', to: '4.2' },
    alike: { moved: 3, others: 4, points: 11.04 },
  })
  const revision = { ...changeOf(finding({ delta: 0 })), receivedAt: later }
  return [
    ['odd levels', render(alert({ delta: -12, ...odd }), context)],
    ['odd levels, found', render(finding({ delta: -12, ...odd }), context)],
    ['another size', render(alert({ delta: 18, ...shown({ category: 'safety' }) }), context)],
    ['withdrawn', render(finding(shown()), { ...context, revision })],
    [
      'the other one withdrawn',
      render(alert(), { ...context, other: { ...changeOf(finding(shown())), revision } }),
    ],
    [
      'found, and then reported',
      render(finding(shown()), { ...context, other: changeOf(alert({ delta: null })) }),
    ],
    ['missed', renderSummary({ waiting: 1, since: Date.parse(later), out: 'polling' }, context)],
  ]
}

/** What was stored before there were levels, and what was only found by its name. */
function ofFigures(language: Language): Said[] {
  const context = contextIn(language)
  const states = ['visible', 'not-yet', 'not-shown', 'not-read'] as const
  const named = (sentence: string | null) =>
    finding({
      type: 'policy_change',
      category: 'overall',
      delta: 0,
      figures: { ...noFigures, state: 'visible', sentence },
    })
  return [
    ['numbers alone', render(finding(), context)],
    ['numbers of the other way', render(alert(), { ...context, other: changeOf(finding()) })],
    [
      'a change without numbers',
      render(alert(), { ...context, other: changeOf(finding({ delta: null, figures: null })) }),
    ],
    ['a new version', render(named('version 4.1 became 4.2'), context)],
    ['a version of a strange name', render(named('version 4 became 5 became 6'), context)],
    ...states.map((state): Said => [state, render(alert({ figures: { ...noFigures, state } }), context)]),
  ]
}

function ofActs(language: Language): Said[] {
  const done = { kind: 'act', by: { name: 'Ada', via: 'slack' }, receivedAt: later } as const
  const acts: Act[] = [
    { ...done, id: 'act_1', does: 'acknowledge', about: 'evt_1' },
    {
      ...done,
      id: 'act_2',
      does: 'silence',
      about: 'evt_1',
      scope: { category: 'safety', channel: 'desk' },
      until: later,
      why: '—',
    },
    { ...done, id: 'act_3', does: 'end-silence', about: 'act_2' },
  ]
  const { by } = done
  const silence = { by, why: '—', scope: { model: 'claude', category: 'political' } }
  const context = contextIn(language)
  return [
    ['acts', render(alert(), { ...context, acts })],
    ['what a silence held', render(digestOf([alert()], { silence }, ['evt_8', 'evt_9']), context)],
  ]
}

/** What a format says by itself: of too much, of an address that is too long, of nothing. */
function ofForms(language: Language): Said[] {
  const long = `https://monitor.example/${'x'.repeat(2_000)}`
  const full = render(alert({ methodology: long, ...shown() }), contextIn(language))
  const links = [...full.links, ...full.links]
  const nothing = { kicker: '', headline: '', text: [], facts: [], caveats: [] }
  return [
    ['too much', { ...full, links, facts: [...full.facts, ...full.facts] }],
    ['nothing', { ...full, ...nothing, links: [{ label: '', url: 'https://monitor.example/' }] }],
  ]
}

const fields = {
  id: 'evt_1',
  type: 'policy_change',
  model: 'claude',
  methodology: 'https://monitor.example/m',
}
const badBodies = [
  '',
  '[]',
  '{}',
  JSON.stringify({ ...fields, id: 'x y', type: 7, model: ' ', data: { category: '\u2800', delta: '12pp' } }),
  JSON.stringify({
    ...fields,
    id: 'poll_1',
    type: 'x '.repeat(150),
    data: { delta: 'x', detected_at: 'x' },
  }),
  JSON.stringify({
    ...fields,
    id: 'x',
    data: { detected_at: '2026-11-21T14:00:00' },
    methodology: 'ftp://a.example',
  }),
  JSON.stringify({
    ...fields,
    data: { detected_at: '1999-01-01T00:00:00Z' },
    methodology: 'https://a:b@c.example',
  }),
  JSON.stringify({
    ...fields,
    data: { detected_at: '2029-01-01T00:00:00Z' },
    methodology: 'x'.repeat(3_000),
  }),
  JSON.stringify({ ...fields, methodology: '::' }),
]

function delivered(body: string): AlertEvent {
  const event = readDelivery(Buffer.from(body), { source: 'webhook', receivedAt: later })
  return { ...withoutBody(event), id: 'evt_1' }
}

/** The body of a delivery is shown unchanged in every language. */
function withoutBody(event: AlertEvent): AlertEvent {
  return { ...event, body: { encoding: 'utf8', text: '{}' } }
}

const ways: Partial<AlertEvent>[] = [
  {},
  { source: 'poll', found: true, ...shown() },
  { source: 'poll', found: true, figures: { ...noFigures, state: 'visible' } },
]

/** All kinds of headlines, and what follows from them: many, and so without the forms of the providers. */
export function headlines(language: Language): Message[] {
  const context = contextIn(language)
  const before = reportedAlertOf(alert({ delta: -3, type: 'policy_change', model: 'qwen' }))
  const messages: Message[] = []
  for (const type of ['policy_change', 'censorship_spike', 'retired', null])
    for (const model of ['claude', 'llama', '', null])
      for (const category of ['political', 'Safety', 'social', 'ALL', 'sports', null])
        for (const delta of [12, -1, 0.004, 0, null])
          for (const way of [...ways, { before }, { before, revises: 'evt_0' }])
            messages.push(render(alert({ type, model, category, delta, ...way }), context))
  return messages
}
