import { expect, test } from 'vitest'
import { alertPage } from '../../../../src/console/pages/alert.ts'
import type { Act } from '../../../../src/event/act.ts'
import { alert } from '../../../support/fakes/events.ts'
import { textOf } from '../../../system/console/markup.ts'

const context = { base: '/console', token: '', timeZone: 'UTC', now: Date.parse('2026-11-21T14:05:02.000Z') }
const nothing = {
  entry: alert(),
  message: undefined,
  size: undefined,
  explained: { title: 'It rose', came: 'by webhook', marks: [], members: [], outcomes: [] },
  acts: [],
  members: [],
  outcomes: {},
  links: new Set<string>(),
  messages: [],
  hasChart: false,
  shared: undefined,
  mayAct: false,
}

test('the page of the first alert of a story shows what the desk does about each of the others', () => {
  const act: Act = {
    kind: 'act',
    id: 'act_1',
    by: { name: 'Ana', via: 'slack' },
    receivedAt: '2026-11-21T13:05:02.000Z',
    does: 'set-desk',
    about: 'evt_2',
    state: 'published',
    story: 'https://news.example/gemini',
    click: '1',
  }
  const members = [
    { alert: alert({ id: 'evt_2', model: 'gemini' }), outcomes: {}, acts: [act] },
    { alert: alert({ id: 'evt_3', model: 'qwen' }), outcomes: {} },
  ]
  const text = textOf(String(alertPage({ ...nothing, members }, context).body))
  expect(text).toMatch(
    /Alerts that belong to it Gemini’s refusal rate on political prompts rose 12 points\. Published by Ana 60 minutes ago ?: https:\/\/news\.example\/gemini Qwen’s refusal rate on political prompts rose 12 points\. New: nobody is checking it yet\./,
  )
})

test('hundreds of acknowledgements make no page of megabytes: the newest are shown, and how many came before', () => {
  const acts = Array.from(
    { length: 600 },
    (_, number): Act => ({
      kind: 'act',
      id: `act_${number}`,
      by: { name: `person${number}`, via: 'slack' },
      receivedAt: '2026-11-21T13:05:02.000Z',
      does: 'acknowledge',
      about: 'evt_1',
    }),
  )
  const lines = acts.map(({ by }) => `Acknowledged by ${by.name} on 21 Nov 2026, 14:05 CET.`)
  const messages = Array.from({ length: 44 }, () => ({ head: 'As it was sent', lines }))
  const { body } = alertPage({ ...nothing, acts, messages }, context)
  const page = String(body)
  expect(page.length).toBeLessThan(400_000)
  expect(page).toContain('499 more before these are in the audit log.')
  expect(page).toContain('person599 acknowledged')
  expect(page).not.toContain('person499 acknowledged')
})
