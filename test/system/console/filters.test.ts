import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { configOf } from '../../support/app.ts'
import { type Desk, openDesk } from './desk.ts'
import { page, tryOut, untried } from './filters-form.ts'
import { textOf } from './markup.ts'
import { quickHashOf } from './quick-hash.ts'
import type { Visitor } from './visitor.ts'

const desk = { name: 'desk', type: 'console' }

const fields = { direction: 'both', minDelta: '20' }

/** As somebody does it who sees what it would mean, and puts it in force. */
async function change(visitor: Visitor, wanted: Record<string, string> = fields, at = page) {
  const { text, form } = await tryOut(visitor, wanted, at)
  const put = () => visitor.post(at, form)
  return { tried: text, put, answer: await put() }
}

async function restarted(before: Desk, channels: object[]): Promise<Desk> {
  await before.app.stop()
  return openDesk({ channels }, { folder: before.folder, tryFilters: untried })
}

async function sent(desk: Desk, id: string, delta: string): Promise<boolean> {
  const data = { category: 'political', delta, detected_at: new Date().toISOString() }
  expect(await desk.deliver(id, { data })).toBe(202)
  const { html } = await desk.visitor().see(`/alerts/${id}`)
  return !textOf(html).includes('desk not sent')
}

test('what other filters would have meant is shown before they are put in force', async () => {
  const here = await openDesk({ channels: [desk, { name: 'other', type: 'console' }] })
  expect(await sent(here, 'evt_1', '+12pp')).toBe(true)
  expect(await sent(here, 'evt_2', '-30pp')).toBe(true)
  const tried = textOf((await here.visitor().submit(page, `${page}/try`, fields)).html)
  expect(tried).toMatch(/Alerts about every model, of at least 20 percentage points\./)
  expect(tried).toMatch(/2 alerts came in since .* Messages 2 1 /)
  expect(tried).toMatch(/Alerts not sent \(minDelta\) 0 1/)
  expect(tried).toMatch(
    /It would no longer get \(1\) .*Claude’s refusal rate on political prompts rose 12 points/,
  )
  expect(await sent(here, 'evt_3', '+12pp')).toBe(true)
})

test('what a channel gets is changed at once, by an entry with its person, and given back to the file', async () => {
  const here = await openDesk({ channels: [desk] }, { tryFilters: untried })
  const visitor = here.visitor()
  const { answer } = await change(visitor)
  expect(answer.headers.location).toBe('/console/channels?done=filters-changed')
  expect(await sent(here, 'evt_3', '+12pp')).toBe(false)
  expect(await sent(here, 'evt_4', '+25pp')).toBe(true)
  const channels = textOf((await visitor.see('/channels')).html)
  expect(channels).toMatch(/Changed here by this machine, .*\. The file says: Alerts about every model\./)
  const back = await visitor.submit(page, `${page}/restore`)
  expect(textOf(back.html)).toContain('uses the filters of the configuration file again')
  expect(await sent(here, 'evt_5', '+12pp')).toBe(true)
  expect(textOf((await visitor.see('/log')).html)).toMatch(
    /restored the filters of the configuration file for desk.*this machine changed the filters of desk/,
  )
})

test('it survives a restart and a reload; if the file changed meanwhile, operators are notified', async () => {
  const first = await openDesk({ channels: [desk] }, { closing: () => {}, tryFilters: untried })
  await change(first.visitor())
  const here = await restarted(first, [desk])
  expect(await sent(here, 'evt_1', '+12pp')).toBe(false)
  const store = { store: `file:${here.folder}/data`, console: { listen: { port: 0 } } }
  await here.app.reload(configOf([desk], { ...store, retention: '30d' }))
  expect(await sent(here, 'evt_2', '+12pp')).toBe(false)
  expect(here.alerts()).toEqual([])
  const other = configOf([{ ...desk, minDelta: 3 }], store)
  await here.app.reload(other)
  await here.app.reload(other)
  expect(await sent(here, 'evt_3', '+12pp')).toBe(false)
  await vi.waitUntil(() => here.alerts().length > 0)
  expect(here.alerts()).toEqual(['The file’s filters for desk are not used'])
  expect(textOf((await here.visitor().see(page)).html)).toContain('The file was changed since.')
  await here.visitor().submit(page, `${page}/restore`)
  expect(await sent(here, 'evt_4', '+12pp')).toBe(true)
  expect(await sent(here, 'evt_5', '+2pp')).toBe(false)
})

test('where the file says that a channel is fixed, the file alone counts, and nobody changes it here', async () => {
  const first = await openDesk({ channels: [desk] }, { closing: () => {}, tryFilters: untried })
  const before = first.visitor()
  await change(before)
  const { html } = await before.see(page)
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? []
  const here = await restarted(first, [{ ...desk, fixed: true }])
  expect(await sent(here, 'evt_1', '+12pp')).toBe(true)
  const visitor = here.visitor()
  for (const [name, value] of before.cookies) visitor.cookies.set(name, value)
  expect((await visitor.see(page)).status).toBe(409)
  expect((await visitor.post(page, { token, ...fields })).status).toBe(409)
  expect((await visitor.post(`${page}/restore`, { token })).status).toBe(409)
  const channels = (await visitor.see('/channels')).html
  expect(textOf(channels)).toContain('By the file it is fixed')
  expect(channels).not.toContain(page)
})

test('a second click, and a form from before somebody else’s change, change nothing', async () => {
  const here = await openDesk({ channels: [desk] }, { tryFilters: untried })
  const [ana, ben] = [here.visitor(), here.visitor()]
  const slow = await ben.see(page)
  const { put } = await change(ana)
  expect((await put()).headers.location).toBe('/console/channels?done=filters-changed')
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(slow.html) ?? []
  const [, basis = ''] = /name="basis" value="([^"]+)"/.exec(slow.html) ?? []
  const late = await ben.post(page, { token, basis, key: 'late', direction: 'rise' })
  expect(late.status).toBe(422)
  expect(textOf(late.html)).toContain('Somebody else has changed what this channel gets')
  const log = textOf((await ana.see('/log')).html)
  expect(log.match(/changed the filters of desk/g)).toHaveLength(1)
})

test('what cannot be is said in words, and nothing is changed', async () => {
  const here = await openDesk({ channels: [desk] }, { tryFilters: untried })
  const visitor = here.visitor()
  const wrong = {
    direction: 'sideways',
    minDelta: '400',
    quietFrom: '22:00',
    digestEvery: 'day',
    digestAt: '25:00',
  }
  const { status, html } = await visitor.submit(page, `${page}/try`, wrong)
  expect(status).toBe(422)
  const text = textOf(html)
  expect(text).toContain('The change must be 100 at most.')
  expect(text).toContain('The direction must be one of')
  expect(text).toContain('Quiet to must be an hour')
  expect(text).toContain('The hour of the digest must be an hour')
  expect(text).not.toContain('Put it in force')
  expect(html).toContain('value="400"')
  // Each stands at its field, and above the form as a link to it; the keyboard begins at the first.
  for (const field of ['minDelta', 'direction', 'quietTo', 'digestAt']) {
    expect(html).toContain(`<p class="error" id="${field}-error">`)
    expect(html).toContain(`<li><a href="#${field}">`)
  }
  expect(text).toContain('Nothing was saved. Please check 4 answers')
  expect(html.match(/<[^>]* autofocus[^>]*>/g)).toEqual([expect.stringContaining('<input id="minDelta"')])
  const { html: unknown } = await visitor.submit(page, `${page}/try`, {
    direction: 'both',
    models: '"><script>',
  })
  expect(textOf(unknown)).toContain('Models: there is no')
  expect(unknown).not.toContain('"><script>')
})

test('hours and digests are changed here too, and what they hold goes out by them', async () => {
  const here = await openDesk({ channels: [desk] }, { tryFilters: untried })
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
  const quiet = { direction: 'both', quietFrom: hour(-2), quietTo: hour(2), quietUnless: '20' }
  const { tried } = await change(here.visitor(), quiet)
  expect(tried).toMatch(/Quiet from .* at once all the same\./)
  await here.deliver('evt_1')
  expect(textOf((await here.visitor().see('/alerts/evt_1')).html)).toMatch(/desk held/)
  expect(await sent(here, 'evt_2', '+25pp')).toBe(true)
})

test('an editor may, a reader may not, and a channel for trouble alone is the file’s', async () => {
  const users = await Promise.all(
    (['reader', 'editor'] as const).map(async (role) => ({
      name: role,
      role,
      password: await quickHashOf('correct horse'),
    })),
  )
  const here = await openDesk({
    console: { users },
    channels: [desk, { name: 'quiet-ops', type: 'console', events: [] }],
    operators: ['ops', 'quiet-ops'],
  })
  const [reader, editor] = [here.visitor(), here.visitor()]
  await reader.signIn('reader', 'correct horse')
  await editor.signIn('editor', 'correct horse')
  expect((await reader.see(page)).status).toBe(403)
  expect((await reader.post(page, fields)).status).toBe(403)
  expect((await editor.see(page)).status).toBe(200)
  expect((await editor.post(page, fields)).status).toBe(403)
  expect((await editor.see('/channels/quiet-ops/filters')).status).toBe(409)
  expect((await editor.see('/channels/nowhere/filters')).status).toBe(404)
})

test('what is in the store and cannot be read leaves the file in force', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const first = await openDesk({ channels: [desk] }, { folder, closing: () => {}, tryFilters: untried })
  await change(first.visitor())
  await first.app.stop()
  const { openSqliteStore } = await import('../../../src/store/sqlite/open.ts')
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.changeState('settings', () => ({
    revision: 2,
    filters: { desk: { filters: { minDelta: 'many' } } },
  }))
  await store.close()
  const here = await openDesk({ channels: [desk] }, { folder })
  expect(await sent(here, 'evt_1', '+12pp')).toBe(true)
})
