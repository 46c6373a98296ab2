import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { hashOf } from '../../../src/console/access/password.ts'
import { openApiOf } from '../../../src/console/api/openapi.ts'
import { lint } from '../../contract/lint.ts'
import { type Desk, openDesk } from './desk.ts'
import type { Visitor } from './visitor.ts'

const ends: (() => Promise<void>)[] = []
let desk: Desk
let ana: Visitor
let script: Visitor
let token: string

beforeAll(async () => {
  const password = await hashOf('correct horse battery', { ln: 14, r: 8, p: 1 })
  const users = [{ name: 'ana', password, role: 'admin' }]
  desk = await openDesk({ console: { users } }, { closing: (end) => void ends.push(end) })
  ana = desk.visitor()
  await ana.signIn('ana', 'correct horse battery')
  for (let index = 0; index < 4; index++) await desk.deliver(`evt_${index}`)
  await desk.deliver('evt_odd', { model: 'gemini', data: { category: 'safety', delta: 'much' } })
  await vi.waitUntil(async () => (await ana.see('/alerts')).html.includes('evt_odd'), 60_000)
  const { html } = await ana.submit('/tokens', '/tokens', { name: 'script', use: 'api' })
  token = /aria-label="The token">([^<]+)</.exec(html)?.[1] ?? ''
  script = desk.visitor({ authorization: `Bearer ${token}` })
}, 120_000)
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const Document = z.looseObject({
  paths: z.record(
    z.string(),
    z.object({ get: z.looseObject({ responses: z.record(z.string(), z.unknown()) }) }),
  ),
})

/** What of an answer is not as the document of this very installation says. */
async function breaches(path: string, visitor = script): Promise<string[]> {
  const seen = await visitor.see(`/api/v1${path}`)
  const document = JSON.parse((await script.see('/api/v1/openapi.json')).html)
  const [bare = ''] = path.split('?')
  const template = /^\/events\/./.test(bare) ? '/events/{id}' : bare
  const documented = Document.parse(document).paths[template]?.get.responses[seen.status]
  if (documented === undefined) return [`${seen.status} is not documented for ${template}`]
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const escaped = template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
  const type = String(seen.headers['content-type']).split(';')[0]?.replaceAll('/', '~1') ?? ''
  const at = z.object({ $ref: z.string() }).safeParse(documented).data?.$ref
  const answer = at?.replace('#', 'openapi#') ?? `openapi#/paths/${escaped}/get/responses/${seen.status}`
  const validate = ajv.getSchema(`${answer}/content/${type}/schema`)
  if (validate === undefined) return [`${type} is not documented`]
  await validate(JSON.parse(seen.html))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

async function events(query = '', visitor = script) {
  const { status, html } = await visitor.see(`/api/v1/events${query}`)
  expect(status).toBe(200)
  const { data, next } = JSON.parse(html)
  return { ids: data.map(({ id }: { id: string }) => id), next, data }
}

describe('the API', () => {
  test.each([
    '/events',
    '/events?limit=1',
    '/events?model=none',
    '/events/evt_odd',
    '/events/evt_none',
    '/events?limit=0',
  ])('answers %s as its description says', async (path) => {
    expect(await breaches(path)).toEqual([])
  })

  test('answers as its description says where there is no token, too', async () => {
    expect(await breaches('/events', desk.visitor())).toEqual([])
    expect((await desk.visitor().see('/api/v1/events')).status).toBe(401)
  })

  test('gives pages by cursor, each alert once, while others come in', async () => {
    const first = await events('?limit=2')
    expect(first.ids).toEqual(['evt_odd', 'evt_3'])
    await desk.deliver('evt_later', { model: 'qwen' })
    await vi.waitUntil(async () => (await events()).ids.includes('evt_later'), 30_000)
    const second = await events(`?limit=2&cursor=${first.next}`)
    const third = await events(`?limit=2&cursor=${second.next}`)
    expect([second.ids, third.ids, third.next]).toEqual([['evt_2', 'evt_1'], ['evt_0'], null])
  })

  test('filters as the list does', async () => {
    expect((await events('?category=safety')).data).toMatchObject([
      {
        id: 'evt_odd',
        model: 'gemini',
        delta: null,
        unrecognised: expect.arrayContaining([expect.stringMatching(/^delta: /)]),
      },
    ])
    expect((await events('?from=2000-01-01&to=2000-01-02')).ids).toEqual([])
  })

  test('refuses what it does not know, with a sentence', async () => {
    for (const query of [
      '?modle=x',
      '?limit=501',
      '?limit=x',
      '?cursor=%20',
      '?cursor=abc',
      '?model=a&model=b',
    ]) {
      const { status, headers, html } = await script.see(`/api/v1/events${query}`)
      expect([query, status, headers['content-type']]).toEqual([query, 400, 'application/problem+json'])
      expect(JSON.parse(html).detail).toMatch(/\w/)
    }
    expect(await script.see('/api/v2/events')).toMatchObject({ status: 404 })
    expect(await script.post('/api/v1/events', {})).toMatchObject({ status: 404 })
  })

  test('a token for feeds, or in the address, opens nothing; a revoked one does not either', async () => {
    const { html } = await ana.submit('/tokens', '/tokens', { name: 'other', use: 'feeds' })
    const feeds = /aria-label="The token">([^<]+)</.exec(html)?.[1] ?? ''
    expect(await desk.visitor({ authorization: `Bearer ${feeds}` }).see('/api/v1/events')).toMatchObject({
      status: 401,
    })
    expect(await desk.visitor().see(`/api/v1/events?token=${token}`)).toMatchObject({ status: 401 })
    const made = await ana.submit('/tokens', '/tokens', { name: 'short-lived', use: 'api' })
    const short = desk.visitor({
      authorization: `Bearer ${/aria-label="The token">([^<]+)</.exec(made.html)?.[1]}`,
    })
    expect((await short.see('/api/v1/events')).status).toBe(200)
    const id = /short-lived<[\s\S]*?\/tokens\/(tok_\w+)\/revoke/.exec(made.html)?.[1] ?? ''
    await ana.submit('/tokens', `/tokens/${id}/revoke`)
    expect((await short.see('/api/v1/events')).status).toBe(401)
    expect(desk.log.join('')).not.toMatch(/bp(?:api|feeds)_/)
  })
})

describe('its description', () => {
  const document = openApiOf('http://127.0.0.1:8081/console')

  test('passes the linter', async () => {
    expect(await lint(document, 'console')).toEqual([])
  })

  test('is that of docs/api.openapi.json', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(
      '../../../docs/api.openapi.json',
    )
  })
})

describe('docs/http.md', () => {
  const page = readFileSync('docs/http.md', 'utf8')
  const examples = [...page.matchAll(/^ {4}curl -H 'Authorization: Bearer bpapi_TOKEN' '([^']+)'$/gm)]

  test('has examples, and each answers as it says', async () => {
    const shown = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json))
    const statuses: number[] = []
    const answers: Record<string, unknown>[] = []
    for (const [, address = ''] of examples) {
      const { status, html } = await script.see(address.replace('http://127.0.0.1:8081/console', ''))
      statuses.push(status)
      answers.push(JSON.parse(html))
    }
    expect(statuses).toEqual([200, 200, 200, 400])
    const [list, , , problem] = answers
    expect(Object.keys(list ?? {})).toEqual(Object.keys(shown[0]))
    expect(list).toMatchObject({
      data: [{ model: 'claude', delta: 12, kind: 'alert' }, { model: 'claude' }],
    })
    expect(problem).toEqual(shown[1])
  })
})
