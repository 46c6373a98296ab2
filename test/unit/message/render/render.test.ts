import { describe, expect, test } from 'vitest'
import { changeOf } from '../../../../src/decide/accept/correlate.ts'
import type { AlertEvent, Notice } from '../../../../src/event/event.ts'
import { headline } from '../../../../src/message/render/headline.ts'
import { render } from '../../../../src/message/render/render.ts'
import { renderFollowUp } from '../../../../src/message/render/story.ts'
import { plain } from '../../../../src/platform/text.ts'
import { alert, finding, noFigures } from '../../../support/fakes/events.ts'

const context = { service: 'Censorship Monitoring Service', timeZone: 'Europe/Berlin' }

describe('the sentence', () => {
  test.each<[Partial<AlertEvent>, string]>([
    [{}, 'Claude’s refusal rate on political prompts rose 12 points.'],
    [{ delta: -3.5 }, 'Claude’s refusal rate on political prompts fell 3.5 points.'],
    [{ delta: 1, model: 'chatgpt' }, 'ChatGPT’s refusal rate on political prompts rose 1 point.'],
    [{ delta: 0.004 }, 'Claude’s refusal rate on political prompts rose less than 0.01 points.'],
    [{ delta: -0.004 }, 'Claude’s refusal rate on political prompts fell less than 0.01 points.'],
    [{ delta: 4.996 }, 'Claude’s refusal rate on political prompts rose 5 points.'],
    [{ delta: 1.005 }, 'Claude’s refusal rate on political prompts rose 1.01 points.'],
    [{ delta: 0 }, 'Claude’s refusal rate on political prompts did not change.'],
    [{ category: 'all' }, 'Claude’s refusal rate on all prompts rose 12 points.'],
    [
      { type: 'policy_change', model: 'mistral', category: 'social', delta: -9 },
      'Mistral policy change: refusals of social prompts down 9 points.',
    ],
    [
      { delta: null },
      'A censorship spike was reported for Claude on political prompts, but its size is unreadable.',
    ],
    [{ model: null }, 'An unnamed model’s refusal rate on political prompts rose 12 points.'],
    [{ model: 'constructor' }, 'The model constructor’s refusal rate on political prompts rose 12 points.'],
    [{ category: null }, 'Claude’s refusal rate on prompts in an unnamed category rose 12 points.'],
  ])('%j reads: %s', (changes, sentence) => {
    expect(headline(alert(changes))).toBe(sentence)
  })
})

describe('the message', () => {
  test('says what was reported, by whom, when it was detected and received, with a link to the method', () => {
    const { about: _figures, ...words } = render(alert(), context)
    expect(words).toEqual({
      id: 'evt_1',
      thread: 'claude/political',
      tone: 'rise',
      kicker: 'Censorship spike',
      headline: 'Claude’s refusal rate on political prompts rose 12 points.',
      text: ['The Censorship Monitoring Service reports a censorship spike.'],
      facts: [
        { label: 'Model', value: 'Claude' },
        { label: 'Category', value: 'political' },
        { label: 'Reported change', value: '+12 percentage points' },
        { label: 'Detected', value: '21 Nov 2026, 14:05 CET' },
        { label: 'Received', value: '21 Nov 2026, 14:05 CET' },
      ],
      links: [{ label: 'Methodology', url: 'https://monitor.example/methodology' }],
      caveats: [],
      source: 'Reported by the Censorship Monitoring Service · evt_1',
      happenedAt: Date.parse('2026-11-21T13:05:00Z'),
    })
  })

  test('an event that is not as documented says so, and shows what came', () => {
    const event = alert({
      type: 'model_retired',
      delta: null,
      unrecognised: [
        { field: 'type', problem: 'not one of policy_change, censorship_spike' },
        { field: 'delta', problem: 'missing' },
      ],
      body: { encoding: 'utf8', text: '{"type":"model_retired"}' },
    })
    const message = render(event, context)
    expect(message.kicker).toBe('Unrecognised event')
    expect(message.text).toEqual([
      'The Censorship Monitoring Service sent an event of an undocumented type: “model_retired”.',
    ])
    expect(message.caveats).toEqual([
      'This event does not match the documentation of the Censorship Monitoring Service: type (not one of policy_change, censorship_spike), delta (missing). Check it before you publish.',
      'As received: {"type":"model_retired"}',
    ])
  })

  test('where the body could not be read at all, that is said, and not every field', () => {
    const event = alert({
      type: null,
      model: null,
      unrecognised: [
        { field: 'body', problem: 'not JSON' },
        { field: 'type', problem: 'missing' },
      ],
      body: { encoding: 'utf8', text: 'hello' },
    })
    expect(render(event, context).caveats[0]).toBe(
      'This event does not match the documentation of the Censorship Monitoring Service: body (not JSON). Check it before you publish.',
    )
  })

  test('what polling found says how it was found, and that nobody reported it', () => {
    const message = render(finding(), context)
    expect(message).toMatchObject({
      kicker: 'Found in the published figures',
      headline: 'Claude’s refusal rate on political prompts rose 12 points.',
      text: [
        'Bluepencil found this change in the published figures of the Censorship Monitoring Service. The service itself has not reported it.',
      ],
      source: 'Found by Bluepencil in the published figures of the Censorship Monitoring Service · poll_1',
      links: [],
    })
    expect(message.facts.at(-1)).toEqual({ label: 'Found by Bluepencil', value: '21 Nov 2026, 14:05 CET' })
    expect(JSON.stringify(message)).not.toMatch(/censors\b/i)
  })

  test('a new version alone is a message of its own, without size and category', () => {
    const version = { from: '4.1', to: '4.2\u202E' }
    const event = finding({ type: 'version_change', category: null, delta: null, figures: null, version })
    const message = render(event, context)
    expect(message.kicker).toBe('New version')
    expect(message.headline).toBe('Claude’s version changed: 4.1 → 4.2.')
    expect(message.thread).toBe('claude/version')
    expect(message.tone).toBe('neutral')
    expect(message.facts.map(({ label }) => label)).toEqual(['Model', 'Detected', 'Found by Bluepencil'])
  })

  test('where both ways told of it, both are named', () => {
    const other = changeOf(finding())
    const reported = render(alert({ figures: { ...noFigures, state: 'not-yet' } }), { ...context, other })
    expect(reported).toMatchObject({
      alsoTells: ['poll_1'],
      caveats: [],
      source: 'Reported by the Censorship Monitoring Service and found in its published figures · evt_1',
    })
    expect(reported.text[1]).toBe('Also found in the published figures.')
    const ofFinding = render(finding(), {
      ...context,
      other: changeOf(alert({ id: 'evt_\u202Ex', delta: null })),
    })
    expect(ofFinding.text).toEqual([
      'Bluepencil found this change in the published figures of the Censorship Monitoring Service.',
      'Also reported by the Censorship Monitoring Service (evt_x).',
    ])
  })

  test.each([
    ['not-yet', ['Not visible in the published figures yet.']],
    ['visible', []],
    ['not-shown', []],
    ['not-read', []],
  ] as const)('a message has no row about Bluepencil itself: %s', (state, caveats) => {
    const message = render(alert({ figures: { ...noFigures, state } }), context)
    expect(message.caveats).toEqual(caveats)
    expect(message.facts.map(({ label }) => label)).toEqual([
      'Model',
      'Category',
      'Reported change',
      'Detected',
      'Received',
    ])
  })
})

describe('text from outside', () => {
  test.each([
    ['a\r\nBcc: x@y', 'a Bcc: x@y'],
    ['a\u202Eb\u2066c\u200Fd', 'abcd'],
    ['\u0007\u001B[31mred', '[31mred'],
    ['lone \uD800 surrogate', 'lone \uFFFD surrogate'],
    ['  many \u2028 blanks\t', 'many blanks'],
  ])('%j is shown as %j', (text, shown) => {
    expect(plain(text)).toBe(shown)
  })

  test('is cut at whole characters', () => {
    expect(plain('😀'.repeat(300), 5)).toBe('😀😀😀😀…')
  })
})

test('a notice says why it is here where no channel of the operators could be reached', () => {
  const notice: Notice = {
    kind: 'notice',
    id: 'ntc_1',
    phase: 'trouble',
    channel: 'ops',
    title: 'ops cannot be reached',
    text: 'Nothing has got through for 5 minutes',
    to: ['ops', 'desk'],
    receivedAt: '2026-11-21T15:05:00.000Z',
  }
  const context = { service: 'Service', timeZone: 'UTC' }
  const why = 'Bluepencil could not reach its operators, so you get this notice.'
  expect(render(notice, context).caveats).toEqual([])
  expect(render(notice, { ...context, isStandIn: true }).caveats).toEqual([`${why} Please let them know.`])
  expect(render({ ...notice, phase: 'over' }, { ...context, isStandIn: true }).caveats).toEqual([why])
})

test('a weekly report is neither trouble nor the end of one', () => {
  const report: Notice = {
    kind: 'notice',
    id: 'ntc_1',
    phase: 'over',
    channel: null,
    title: 'Bluepencil is watching Claude',
    text: 'No alert came in the last seven days.',
    to: ['desk'],
    status: true,
    receivedAt: '2026-11-23T09:00:00.000Z',
  }
  expect(render(report, { service: 'Service', timeZone: 'Europe/Berlin' })).toMatchObject({
    tone: 'neutral',
    kicker: 'Weekly status report',
    headline: 'Bluepencil is watching Claude',
    facts: [{ label: 'As of', value: '23 Nov 2026, 10:00 CET' }],
  })
})

test('a notice of an incident says so if the incident is resolved by the time it is sent', () => {
  const notice: Notice = {
    kind: 'notice',
    id: 'ntc_1',
    phase: 'trouble',
    channel: 'desk',
    title: 'desk cannot be reached',
    text: 'Nothing has got through for 5 minutes',
    about: { key: 'channel:desk', since: '2026-11-21T15:00:00.000Z' },
    receivedAt: '2026-11-21T15:05:00.000Z',
  }
  const context = { service: 'Service', timeZone: 'UTC' }
  expect(render(notice, context).kicker).toBe('Bluepencil needs attention')
  const late = render(notice, { ...context, isOver: true })
  expect(late.kicker).toBe('Bluepencil: resolved')
  expect(late.text).toEqual(['Nothing has got through for 5 minutes', 'This has been resolved.'])
})

describe('a story says where its alerts are from', () => {
  const reported = alert({ id: 'evt_2', model: 'gemini' })
  const polled = finding({ id: 'poll_2', model: 'gemini' })
  const service = 'Censorship Monitoring Service'
  test.each([
    ['reported alone', alert(), reported, `Reported by the ${service} · evt_1`],
    [
      'found alone',
      finding(),
      polled,
      `Found by Bluepencil in the published figures of the ${service} · poll_1`,
    ],
    ['both', alert(), polled, `Reported by the ${service} and found in its published figures · evt_1`],
  ])('%s', (_, first, member, source) => {
    expect(render(first, { ...context, members: [{ alert: member }] }).source).toBe(source)
  })

  test('and that it was sent again', () => {
    const again = { ...context, again: '2026-11-23T10:00:00.000Z' }
    const { source } = render(alert(), again)
    expect(source).toContain('evt_1-again-')
    expect(render(alert(), { ...again, members: [{ alert: reported }] }).source).toBe(source)
  })

  test('in its thread, of what is new there', () => {
    expect(renderFollowUp('poll_1', [{ alert: reported }], context).source).toBe(`Reported by the ${service}`)
    expect(renderFollowUp('evt_1', [{ alert: polled }], context).source).toContain('Found by Bluepencil')
  })
})
