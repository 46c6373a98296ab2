import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../../src/platform/clock.ts'
import { hourMs, minuteMs } from '../../../src/platform/durations.ts'
import { readAtom } from '../../support/atom.ts'
import { nasty } from '../security/texts.ts'
import { type Desk, openDesk } from './desk.ts'
import { quickHashOf } from './quick-hash.ts'
import type { Visitor } from './visitor.ts'

const ends: (() => Promise<void>)[] = []
let moved = 0
const clock = { ...systemClock, now: () => Date.now() + moved }
let desk: Desk
let ana: Visitor

beforeAll(async () => {
  const password = await quickHashOf('correct horse battery')
  const users = [
    { name: 'ana', password, role: 'admin' },
    { name: 'eve', password, role: 'reader' },
  ]
  desk = await openDesk(
    {
      channels: [
        { name: 'desk', type: 'console', timeZone: 'UTC' },
        { name: 'safety', type: 'console', categories: ['safety'] },
      ],
      console: { users, publicUrl: 'https://desk.example/console' },
    },
    { closing: (end) => void ends.push(end), clock },
  )
  ana = desk.visitor()
  await ana.signIn('ana', 'correct horse battery')
  await desk.deliver('evt_first')
  await desk.deliver('evt_gemini', { model: 'gemini', data: dataOf('safety', '-6pp') })
  await listed('evt_gemini')
}, 120_000)
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

function dataOf(category: string, delta: string) {
  return { category, delta, detected_at: new Date(clock.now()).toISOString() }
}

async function listed(id: string): Promise<void> {
  await vi.waitUntil(
    async () => (await ana.see(`/alerts?words=${id}`)).html.includes(`/alerts/${id}"`),
    30_000,
  )
}

async function feed(query = '', visitor = ana) {
  const { status, html } = await visitor.see(`/feed.atom${query}`)
  expect(status).toBe(200)
  return readAtom(html)
}

async function newToken(name: string, use: 'feeds' | 'api'): Promise<string> {
  const { html } = await ana.submit('/tokens', '/tokens', { name, use })
  return /aria-label="The token">([^<]+)</.exec(html)?.[1] ?? ''
}

describe('a feed', () => {
  test('has the alerts of the list, newest first, in Atom and as JSON', async () => {
    const atom = await feed()
    expect(atom.title).toBe('Bluepencil: alerts')
    expect(atom.links).toEqual({
      self: 'https://desk.example/console/feed.atom',
      alternate: 'https://desk.example/console/alerts',
    })
    expect(atom.entries.map(({ title, tags }) => [title, tags])).toEqual([
      ['Gemini’s refusal rate on safety prompts fell 6 points.', ['gemini', 'safety', 'censorship_spike']],
      [
        'Claude’s refusal rate on political prompts rose 12 points.',
        ['claude', 'political', 'censorship_spike'],
      ],
    ])
    expect(atom.updated).toBe(atom.entries[0]?.updated)

    const { headers, html } = await ana.see('/feed.json')
    expect(headers['content-type']).toBe('application/feed+json; charset=utf-8')
    const json = JSON.parse(html)
    expect(json).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      feed_url: 'https://desk.example/console/feed.json',
      home_page_url: 'https://desk.example/console/alerts',
    })
    expect(json.items.map(({ id, content_html }: Record<string, string>) => [id, content_html])).toEqual(
      atom.entries.map(({ id, content }) => [id, content]),
    )
  })

  test.each([
    ['?model=gemini', 1],
    ['?category=political&type=censorship_spike', 1],
    ['?words=claude', 1],
    ['?channel=safety&outcome=sent', 1],
    ['?model=', 2],
    ['?from=2020-01-01&to=2020-01-02', 0],
  ])('of %s has what the list has', async (query, count) => {
    // What was sent is in the list a moment later.
    await expect.poll(async () => (await feed(query)).entries.length).toBe(count)
    expect((await ana.see(`/alerts${query}`)).html.match(/class="headline"/g) ?? []).toHaveLength(count)
  })

  test('has an id of its own by its filters, and the same entries have the same ids in each', async () => {
    const [all, some] = [await feed(), await feed('?model=gemini')]
    expect(some.id).not.toBe(all.id)
    expect(some.entries[0]?.id).toBe(all.entries[0]?.id)
    expect((await feed()).id).toBe(all.id)
  })

  test('says what it does not know, and does not pass it over', async () => {
    for (const query of ['?modle=gemini', '?outcome=any', '?from=yesterday', '?model=a&model=b']) {
      const { status, headers, html } = await ana.see(`/feed.atom${query}`)
      expect([query, status]).toEqual([query, 400])
      expect(headers['content-type']).toBe('application/problem+json')
      expect(JSON.parse(html)).toMatchObject({ status: 400, detail: expect.stringMatching(/\w/) })
    }
  })

  test('a correction is an update of its entry: the same id, a later time, and what is said now', async () => {
    await desk.deliver('evt_corrected', { model: 'qwen', data: dataOf('social', '+9pp') })
    await listed('evt_corrected')
    const before = (await feed()).entries[0]
    expect(before?.title).toBe('Qwen’s refusal rate on social prompts rose 9 points.')

    moved += hourMs
    await desk.deliver('evt_corrected', { model: 'qwen', data: dataOf('social', '+2pp') })
    await listed('evt_corrected~2')
    const { entries } = await feed()
    const ofQwen = entries.filter(({ tags }) => tags.includes('qwen'))
    expect(ofQwen).toHaveLength(1)
    expect(ofQwen[0]).toMatchObject({
      id: before?.id,
      published: before?.published,
      title: 'Correction: Qwen’s refusal rate on social prompts rose 2 points, not 9.',
    })
    expect(Date.parse(ofQwen[0]?.updated ?? '') - Date.parse(before?.updated ?? '')).toBeGreaterThanOrEqual(
      hourMs,
    )
  })

  test('does not say who acknowledged what', async () => {
    await ana.submit('/alerts/evt_first', '/alerts/evt_first/acknowledge')
    expect((await ana.see('/alerts/evt_first')).html).toContain('<strong>ana</strong> is checking it')
    expect((await ana.see('/feed.atom')).html).not.toMatch(/Acknowledged|checking/)
  })

  test('that is known is answered with 304, until something is new', async () => {
    moved += 2 * minuteMs
    const { headers } = await ana.see('/feed.atom')
    const { etag, 'last-modified': time } = headers
    expect(headers['cache-control']).toBe('private, no-cache')
    const unchanged = await ana.see('/feed.atom', { 'if-none-match': `"other", W/${String(etag)}` })
    expect(unchanged).toMatchObject({ status: 304, html: '', headers: { etag } })
    expect(await ana.see('/feed.atom', { 'if-modified-since': String(time) })).toMatchObject({ status: 304 })
    const newer = new Date(Date.parse(String(time)) + hourMs).toUTCString()
    expect(await ana.see('/feed.atom', { 'if-modified-since': newer })).toMatchObject({ status: 200 })

    await desk.deliver('evt_new', { model: 'mistral', data: dataOf('safety', '+5pp') })
    await listed('evt_new')
    const fresh = await ana.see('/feed.atom', { 'if-none-match': String(etag) })
    expect(fresh.status).toBe(200)
    // More may come in the minute that is not over.
    expect(fresh.headers['last-modified']).toBeUndefined()
  })

  test('with hostile text is well-formed, and holds none of it as markup', { timeout: 60_000 }, async () => {
    for (const [index, whole] of nasty.entries()) {
      const text = whole.slice(0, 4_000)
      const data = { category: text, delta: '+3pp', detected_at: new Date(clock.now()).toISOString() }
      await desk.deliver(`evt_nasty${index}`, { type: text, model: text, methodology: text, data })
    }
    const breaking = ']]></content></entry></feed><script>ran()</script>&#0;'
    await desk.deliver(breaking, { model: breaking, data: dataOf(breaking, '+3pp') })
    await desk.deliver('half \ud800 a character')
    await vi.waitUntil(async () => (await feed()).entries.some(({ title }) => title.includes(']]>')))
    const { entries } = await feed()
    for (const { content } of entries) {
      expect(
        content.replaceAll(/<\/?(?:p|em|strong|ul|li)>|<a href="https?:[^"<>]*">|<\/a>/g, ''),
      ).not.toMatch(/[<>]/)
    }
    await vi.waitFor(async () => {
      const json = JSON.parse((await ana.see('/feed.json')).html)
      expect(json.items).toHaveLength((await feed()).entries.length)
    })
  })

  test('goes on with the older ones where there are more than a hundred', { timeout: 60_000 }, async () => {
    const statuses: number[] = []
    for (let index = 0; index < 110; index++)
      statuses.push(
        await desk.deliver(`evt_many${index}`, { model: `model${index}`, data: dataOf('social', '+3pp') }),
      )
    expect(statuses.filter((status) => status !== 202)).toEqual([])
    // The lists follow the store, and may lack some in between for a moment.
    await vi.waitFor(async () => {
      const first = await feed()
      expect(first.entries).toHaveLength(100)
      const second = await feed(new URL(first.links.next ?? '').search)
      const titles = [...first.entries, ...second.entries].map(({ title }) => title)
      expect(new Set(titles.filter((title) => / model\d/.test(title))).size).toBe(110)
    })
  })
})

describe('who may read a feed', () => {
  test('is who is signed in, and nobody else; no page to sign in is shown to a program', async () => {
    const eve = desk.visitor()
    const { status, headers } = await eve.see('/feed.atom')
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="bluepencil"'])
    expect(headers['set-cookie']).toBeUndefined()
    await eve.signIn('eve', 'correct horse battery')
    expect((await feed('', eve)).entries.length).toBeGreaterThan(1)
  })

  test('is who has a token for feeds in the address, which is shown once, until it is revoked', async () => {
    const token = await newToken('Feed reader of Ana', 'feeds')
    expect(token).toMatch(/^bpfeeds_[\w-]{43}$/)
    const reader = desk.visitor()
    const { links } = await feed(`?token=${token}&model=gemini`, reader)
    expect(links.self).toBe(`https://desk.example/console/feed.atom?model=gemini&token=${token}`)
    expect(links.alternate).toBe('https://desk.example/console/alerts?model=gemini')

    // When a token was last used is written beside the answer.
    const html = await vi.waitFor(async () => {
      const { html: tokens } = await ana.see('/tokens')
      expect(tokens).toMatch(/Feed reader of Ana[\s\S]*by ana[\s\S]*last used/)
      return tokens
    })
    expect(html).not.toContain(token)
    expect((await ana.see('/log')).html).toContain('ana made the token “Feed reader of Ana” for feeds')

    const id = /\/tokens\/(tok_\w+)\/revoke/.exec(html)?.[1] ?? ''
    await ana.submit('/tokens', `/tokens/${id}/revoke`)
    expect(await reader.see(`/feed.atom?token=${token}`)).toMatchObject({ status: 401 })
    expect((await ana.see('/log')).html).toContain('ana revoked the token “Feed reader of Ana” for feeds')
    expect(desk.log.join('')).not.toContain(token)
  })

  test('is nobody with a token for something else, a wrong one, or part of one', async () => {
    const reader = desk.visitor()
    const tokens = [await newToken('script', 'api'), (await newToken('feed', 'feeds')).slice(0, -1), 'x', '']
    for (const token of tokens) {
      expect(await reader.see(`/feed.atom?token=${token}`)).toMatchObject({ status: 401 })
    }
    expect(await reader.see('/feed.atom?token[]=x')).toMatchObject({ status: 401 })
  })

  test('a form that is sent twice makes one token, and the second is not shown another', async () => {
    const { html } = await ana.see('/tokens')
    const hidden = Object.fromEntries(
      Array.from(html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [
        name,
        value,
      ]),
    )
    const fields = { ...hidden, name: 'twice', use: 'feeds' }
    expect((await ana.post('/tokens', fields)).html).toContain('aria-label="The token"')
    const second = await ana.post('/tokens', fields)
    expect(second.html).toContain('This form was already sent')
    expect((await ana.see('/tokens')).html.match(/<th scope="row">twice</g)).toHaveLength(1)
  })

  test('tokens are made by administrators alone', async () => {
    const eve = desk.visitor()
    await eve.signIn('eve', 'correct horse battery')
    expect(await eve.see('/tokens')).toMatchObject({ status: 403 })
    const token = /name="token" value="([^"]+)"/.exec((await eve.see('/')).html)?.[1] ?? ''
    expect(await eve.post('/tokens', { token, key: 'k', name: 'n', use: 'api' })).toMatchObject({
      status: 403,
    })
    expect(await ana.post('/tokens', { token, key: 'k', name: 'n', use: 'api' })).toMatchObject({
      status: 403,
    })
  })

  test('where nobody has to sign in, is this machine alone, whoever holds a token', async () => {
    const open = await openDesk({}, { closing: (end) => void ends.push(end) })
    const here = open.visitor()
    expect(await here.see('/feed.atom')).toMatchObject({ status: 200 })
    const { html } = await here.submit('/tokens', '/tokens', { name: 'n', use: 'feeds' })
    const token = /aria-label="The token">([^<]+)</.exec(html)?.[1] ?? ''
    const other = { host: 'evil.example' }
    expect(await here.see(`/feed.atom?token=${token}`, other)).toMatchObject({ status: 403 })
  })
})
