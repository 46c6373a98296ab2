import { get } from 'node:http'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hashOf } from '../../../src/console/access/password.ts'
import { type Desk, openDesk } from './desk.ts'
import type { Visitor } from './visitor.ts'

const ends: (() => Promise<void>)[] = []
let desk: Desk
let ana: Visitor
let token: string

beforeAll(async () => {
  const password = await hashOf('correct horse battery', { ln: 14, r: 8, p: 1 })
  const users = [{ name: 'ana', password, role: 'admin' }]
  const publicUrl = 'https://desk.example/console'
  desk = await openDesk({ console: { users, publicUrl } }, { closing: (end) => void ends.push(end) })
  ana = desk.visitor()
  await ana.signIn('ana', 'correct horse battery')
  const data = (delta: string) => ({ category: 'safety', delta, detected_at: '2026-11-20T10:00:00Z' })
  for (let index = 0; index < 30; index++) await desk.deliver(`evt_${index}`, { model: `model${index}` })
  await desk.deliver('evt_gemini', { model: 'gemini', data: data('-6pp') })
  await desk.deliver('evt_gemini', { model: 'gemini', data: data('-2pp') })
  await desk.deliver('evt_formula', { model: '=HYPERLINK("https://evil.example")', data: data('+3pp') })
  await vi.waitUntil(async () => (await ana.see('/alerts')).html.includes('evt_formula'), 60_000)
  const { html } = await ana.submit('/tokens', '/tokens', { name: 'script', use: 'api' })
  token = /aria-label="The token">([^<]+)</.exec(html)?.[1] ?? ''
}, 120_000)
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

test('the list as a CSV file: every alert of the filter, newest first, and no formula', async () => {
  const { status, headers, html } = await ana.see('/alerts.csv')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
  expect(headers['content-disposition']).toMatch(
    /^attachment; filename="bluepencil-alerts-\d{4}-\d\d-\d\d\.csv"$/,
  )
  const rows: Record<string, string>[] = parse(html, { columns: true, record_delimiter: '\r\n' })
  expect(rows).toHaveLength(33)
  expect(rows[0]).toMatchObject({ id: 'evt_formula', model: `'=HYPERLINK("https://evil.example")` })
  expect(rows[1]).toMatchObject({
    id: 'evt_gemini~2',
    kind: 'correction',
    revises: 'evt_gemini',
    delta: '-2',
  })
  expect(rows.at(-1)?.url).toBe('https://desk.example/console/alerts/evt_0')
  const some = (await ana.see('/alerts.csv?model=gemini')).html
  expect(some.trim().split('\r\n')).toHaveLength(3)
})

test('the same as JSON, for a script with a token', async () => {
  const script = desk.visitor({ authorization: `Bearer ${token}` })
  const { status, html } = await script.see('/alerts.json?words=model1')
  expect(status).toBe(200)
  const ids = JSON.parse(html).map(({ id }: { id: string }) => id)
  expect(ids).toEqual([19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 1].map((index) => `evt_${index}`))
  expect(JSON.parse((await script.see('/alerts.json?model=none')).html)).toEqual([])
})

test('nobody else gets a file, and a misspelt filter gets none', async () => {
  for (const path of ['/alerts.csv', '/alerts.json', '/alerts/evt_1/citation.bib']) {
    expect(await desk.visitor().see(path)).toMatchObject({ status: 401 })
    const wrong = desk.visitor({ authorization: 'Bearer bpapi_wrong' })
    expect(await wrong.see(path)).toMatchObject({ status: 401 })
  }
  expect(await desk.visitor().see(`/alerts.csv?token=${token}`)).toMatchObject({ status: 401 })
  expect(await ana.see('/alerts.csv?modle=gemini')).toMatchObject({ status: 400 })
})

test('each alert says how it is cited, also as CSL-JSON and BibTeX, and that it was corrected', async () => {
  const { html } = await ana.see('/alerts/evt_gemini')
  expect(html).toContain(
    'Censorship Monitoring Service. (2026, November 20). CORRECTED: Censorship spike: Gemini, safety prompts, −6 percentage points. Event evt_gemini (detected 2026-11-20 10:00Z; methodology https://monitor.example/methodology). As recorded by Bluepencil ',
  )
  const csl = await ana.see('/alerts/evt_gemini/citation.json')
  expect(csl.headers['content-type']).toBe('application/vnd.citationstyles.csl+json; charset=utf-8')
  expect(JSON.parse(csl.html)).toMatchObject([
    {
      title: expect.stringMatching(/^CORRECTED: Censorship spike: Gemini/),
      URL: 'https://desk.example/console/alerts/evt_gemini',
    },
  ])
  const bibtex = await ana.see('/alerts/evt_gemini/citation.bib')
  expect(bibtex.html).toMatch(/^@misc\{bluepencil-evt_gemini,/)
  const evidence = JSON.parse((await ana.see('/alerts/evt_gemini/evidence')).html)
  for (const text of [html, csl.html, bibtex.html])
    expect(text).toContain(`SHA-256 of its body ${evidence.link.body}`)
  expect(await ana.see('/alerts/evt_none/citation.bib')).toMatchObject({
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
  })
})

test('the data dictionary is a page, and the list leads to it', async () => {
  expect((await ana.see('/alerts')).html).toContain('href="/console/dictionary"')
  const { html } = await ana.see('/dictionary')
  expect(html).toContain('<code>sizeFrom</code>')
})

test('who stops in the middle of a file does no harm, and a stop of the service does not wait', {
  timeout: 60_000,
}, async () => {
  const secondDesk = await openDesk({}, { closing: () => {} })
  for (let index = 0; index < 20; index++)
    await secondDesk.deliver(`evt_${index}`, { more: 'x'.repeat(9_000) })
  await vi.waitUntil(async () => (await secondDesk.visitor().see('/alerts')).html.includes('evt_19'))
  const address = `${secondDesk.url}alerts.json`
  await new Promise<void>((resolve) => {
    get(address, (answer) => answer.once('data', () => resolve(void answer.destroy())))
  })
  // One who reads nothing.
  const waiting = get(address, { agent: false }, (answer) => void answer.pause())
  waiting.on('error', () => {})
  await new Promise((resolve) => waiting.once('response', resolve))
  const began = performance.now()
  await secondDesk.app.stop()
  expect(performance.now() - began).toBeLessThan(8_000)
  expect(secondDesk.log.filter((line) => line.includes('"error"'))).toEqual([])
})

test('the tables of changes, notifications and figures, and what they are, for a person and for a script', async () => {
  const script = desk.visitor({ authorization: `Bearer ${token}` })
  const changes: Record<string, string>[] = parse((await script.see('/changes.csv')).html, { columns: true })
  expect(changes).toHaveLength(32)
  const corrected = {
    id: 'evt_gemini',
    status: 'corrected',
    reportedSize: '-2',
    alerts: 'evt_gemini evt_gemini~2',
  }
  expect(changes.find(({ model }) => model === 'gemini')).toMatchObject(corrected)
  const { html: lines, headers } = await script.see('/notifications.jsonl?model=gemini')
  expect(headers['content-type']).toBe('application/jsonl; charset=utf-8')
  const ofGemini = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(new Set(ofGemini.map(({ change, alert }) => `${change} ${alert}`))).toEqual(
    new Set(['evt_gemini evt_gemini', 'evt_gemini evt_gemini~2']),
  )
  expect((await script.see('/changes.csv?from=2020-01-01&to=2020-01-31')).html.split('\r\n')).toHaveLength(2)

  const { resources } = JSON.parse((await script.see('/datapackage.json')).html)
  for (const { path } of resources) expect((await script.see(`/${path}`)).status).toBe(200)
  expect((await script.see('/codebook.md')).html).toContain('## Changes (changes.csv)')

  const wrong = await script.see('/changes.csv?from=yesterday')
  expect([wrong.status, wrong.html.includes('from')]).toEqual([400, true])
  expect((await desk.visitor().see('/figures.csv')).status).toBe(401)
  const { html: page } = await ana.see('/figures?from=2026-11-01')
  expect(page).toContain('The service has not revised any rates.')
  expect(page).toContain('/console/figures.csv?from=2026-11-01')
})
