import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { AlertEvent } from '../../../src/event/event.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { dayMs } from '../../../src/platform/durations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { alert } from '../../support/fakes/events.ts'
import { openDesk } from './desk.ts'
import { textOf } from './markup.ts'

/** A desk on whose channel these alerts came to this end yesterday. */
async function deskAfter(alerts: { changes: Partial<AlertEvent>; desk: Outcome }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const times = { detectedAt: yesterday, receivedAt: yesterday }
  const entries = alerts.map(({ changes, desk }) => ({
    entry: alert({ ...times, ...changes }),
    outcomes: { desk },
  }))
  await store.accept(entries)
  await store.close()
  return openDesk({}, { folder })
}

const yesterday = new Date(Date.now() - dayMs).toISOString()
const sent: Outcome = { state: 'sent', at: yesterday, attempts: 1, receipt: { text: 'printed' } }

async function tried(desk: Awaited<ReturnType<typeof openDesk>>): Promise<string> {
  const { html } = await desk.visitor().submit('/silences', '/silences', { model: 'claude', until: 'try' })
  return textOf(html)
}

test('a silence is tried on the last thirty days before it is asked for', async () => {
  const desk = await openDesk()
  await desk.deliver('evt_1')
  await desk.deliver('evt_2', { model: 'gemini' })
  await vi.waitUntil(async () => (await desk.visitor().see('/alerts')).html.includes('Gemini’s refusal'))
  const visitor = desk.visitor()
  const tried = await visitor.submit('/silences', '/silences', { model: 'gemini', until: 'try' })
  expect(tried.status).toBe(200)
  const text = textOf(tried.html)
  expect(text).toContain('There are no active silences.')
  expect(text).toMatch(/In the last 30 days it would have held 1 alert\. Gemini’s refusal rate/)
  const noWhy = await visitor.submit('/silences', '/silences', { model: 'gemini', until: '2h', why: '' })
  expect(noWhy.html).toContain('<a href="#why">Say why, in a few words, for the others.</a>')
  const noEnd = await visitor.submit('/silences', '/silences', { until: 'at', at: '', why: 'a fault' })
  expect(noEnd.status).toBe(422)
  expect(noEnd.html).toMatch(/<a href="#at">Choose when it ends.*id="at-error">Choose when it ends/s)
  const at = new Date(Date.now() + dayMs).toISOString().slice(0, 16)
  const done = await visitor.submit('/silences', '/silences', {
    model: 'gemini',
    until: 'at',
    at,
    why: 'a fault',
  })
  expect(textOf(done.html)).toMatch(/Gemini .* this machine: a fault/)
})

test('what a silence would have held is each change once, without the corrections that it lets through', async () => {
  const desk = await deskAfter([
    { changes: { id: 'evt_1' }, desk: sent },
    {
      changes: { id: 'evt_1_poll', source: 'poll', sameAs: 'evt_1' },
      desk: { state: 'merged', in: 'evt_1' },
    },
    { changes: { id: 'evt_1~2', revises: 'evt_1', delta: 4 }, desk: sent },
    { changes: { id: 'evt_2', category: 'social' }, desk: { state: 'merged', in: 'dgs_1' } },
    { changes: { id: 'evt_3', delta: 1 }, desk: { state: 'not_sent', rule: 'minDelta', why: 'too small' } },
  ])
  const text = await tried(desk)
  expect(text).toContain('In the last 30 days it would have held 2 alerts.')
  expect(text).toMatch(/held 2 alerts\. Claude’s .* social .* Claude’s .* political .* rose 12 points/)
})

test('what a silence would have held says so if there are more alerts than are read', async () => {
  const alerts = Array.from({ length: 501 }, (_, index) => ({ changes: { id: `evt_${index}` }, desk: sent }))
  expect(await tried(await deskAfter(alerts))).toContain(
    'there were more than 500 such alerts. It would have held 500 alerts of the newest 500.',
  )
  expect(await tried(await deskAfter(alerts.slice(1)))).toContain('it would have held 500 alerts.')
})
