import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { WebhookBody, webhookJsonSchema } from '../../../../src/channels/webhook/body.ts'
import { formatEdit, formatWebhook } from '../../../../src/channels/webhook/format.ts'
import type { Notice } from '../../../../src/event/event.ts'
import { render, renderSummary } from '../../../../src/message/render/render.ts'
import { renderTest } from '../../../../src/message/render/test-message.ts'
import { alert, finding, levels, noFigures } from '../../../support/fakes/events.ts'
import { allOf, read } from '../../../support/markdown.ts'
import { context } from './opened.ts'

const before = {
  id: 'evt_0',
  by: 'service',
  type: 'censorship_spike',
  model: 'claude',
  category: 'political',
  delta: 20,
  detectedAt: '2026-11-21T13:05:00.000Z',
} as const
const receivedAt = '2026-11-22T08:00:00.000Z'
const notice: Notice = {
  kind: 'notice',
  id: 'ntc_1',
  phase: 'trouble',
  channel: 'ai-desk',
  title: 'Nothing gets through to ai-desk',
  text: 'Slack does not know the token.',
  receivedAt,
}
const figures = { ...noFigures, state: 'visible', levels: levels() } as const

const messages = {
  alert: render(alert({ figures }), context),
  'alert.correction': render(alert({ id: 'evt_0~2', revises: 'evt_0', before, delta: 9 }), context),
  'alert.withdrawal': render(
    finding({
      id: 'poll_2',
      delta: 0,
      revises: 'poll_1',
      before: { ...before, id: 'poll_1', by: 'figures' },
    }),
    context,
  ),
  notice: render(notice, context),
  digest: render(
    {
      kind: 'digest',
      id: 'dgs_1',
      channel: 'tools',
      by: 'quiet',
      from: receivedAt,
      until: receivedAt,
      count: 2,
      of: ['evt_1', 'poll_1'],
      items: [alert({ figures }), finding()],
      receivedAt,
    },
    context,
  ),
  report: render({ ...notice, status: true, phase: 'over' }, context),
  test: renderTest({ id: 'test_1', by: 'somebody', at: receivedAt }, context),
  message: renderSummary({ waiting: 7, since: Date.parse(receivedAt), out: 'channel' }, context),
}

test.each(Object.entries(messages))('what is called %s is said to be it', (type, message) => {
  expect(formatWebhook(message).body.type).toBe(type)
})

test('an alert has its figures and its words', () => {
  expect(formatWebhook(messages.alert)).toEqual({
    id: 'evt_1',
    body: {
      type: 'alert',
      timestamp: '2026-11-21T13:05:00.000Z',
      data: {
        id: 'evt_1',
        thread: 'claude/political',
        alert: {
          kind: 'alert',
          id: 'evt_1',
          type: 'censorship_spike',
          model: 'claude',
          category: 'political',
          delta: 12,
          detectedAt: '2026-11-21T13:05:00.000Z',
          receivedAt: '2026-11-21T13:05:02.000Z',
          methodology: 'https://monitor.example/methodology',
          reportedBy: 'service',
          levels: levels(),
          before: null,
          alsoReportedAs: null,
          revisedBy: null,
          confirmedBy: null,
          unrecognised: [],
        },
        message: {
          tone: 'rise',
          kicker: 'Censorship spike',
          headline: 'Claude refused 30% of political prompts, up from 18%.',
          text: messages.alert.text,
          facts: messages.alert.facts,
          links: [{ label: 'Methodology', url: 'https://monitor.example/methodology' }],
          caveats: [],
          source: 'Reported by the Censorship Monitoring Service · evt_1',
        },
      },
    },
  })
})

test('a correction names what it corrects, and what is corrected says by what', () => {
  expect(formatWebhook(messages['alert.correction']).body.data.alert).toMatchObject({ delta: 9, before })
  const revision = { ...before, id: 'evt_1~2', delta: 9, receivedAt }
  const corrected = render(alert(), { ...context, revision })
  const { type, timestamp, data } = formatEdit(corrected, { since: '', now: Date.parse(receivedAt) }).body
  expect([type, timestamp]).toEqual(['alert.edited', receivedAt])
  expect(data).toMatchObject({ id: 'evt_1', alert: { delta: 12, revisedBy: revision } })
  expect(data.message.headline).toContain('CORRECTED')
})

test('what could not be read is null, and said to be', () => {
  const unrecognised = [{ field: 'delta', problem: 'missing' }] as const
  const { alert: about } = formatWebhook(
    render(alert({ delta: null, unrecognised: [...unrecognised] }), context),
  ).body.data
  expect(about).toMatchObject({ delta: null, unrecognised })
})

describe('the published schema', () => {
  const ajv = formats.default(new Ajv2020())

  test('is current: run "npm run schema"', () => {
    expect(JSON.parse(readFileSync('docs/webhook.schema.json', 'utf8'))).toEqual(webhookJsonSchema())
  })

  const edits = Object.values(messages).map((message) => formatEdit(message, { since: '', now: 0 }))
  const all = [...Object.values(messages).map((message) => formatWebhook(message)), ...edits]

  test('fits all that is sent, and names each field of it', () => {
    const fits = ajv.compile(webhookJsonSchema())
    for (const { body } of all) {
      expect([fits(body), fits.errors]).toEqual([true, null])
      // What the schema does not name is taken out.
      expect(WebhookBody.parse(body)).toEqual(body)
    }
  })

  test('fits the example of the page', () => {
    const examples = allOf('code', read('docs/webhook.md')).filter(({ lang }) => lang === 'json')
    const [example] = examples.map(({ text }) => JSON.parse(text))
    expect(ajv.validate(webhookJsonSchema(), example)).toBe(true)
    expect(WebhookBody.parse(example)).toEqual(example)
  })

  test('lets receivers go on when fields are added, and refuses what lacks one', () => {
    const fits = ajv.compile(webhookJsonSchema())
    const [{ body } = { body: undefined }] = all
    expect(fits({ ...body, more: 1 })).toBe(true)
    expect(fits({ ...body, data: {} })).toBe(false)
  })
})

test('the other alerts of a story come with the first, as figures', () => {
  const gemini = alert({ id: 'evt_2', model: 'gemini', delta: 8 })
  const { body } = formatEdit(render(alert({ figures }), { ...context, members: [{ alert: gemini }] }), {
    since: receivedAt,
    now: Date.parse(receivedAt),
  })
  expect(WebhookBody.parse(body)).toEqual(body)
  expect(body).toMatchObject({
    type: 'alert.edited',
    data: { alert: { id: 'evt_1', model: 'claude' }, story: [{ id: 'evt_2', model: 'gemini', delta: 8 }] },
  })
})
