import { type OutgoingHttpHeaders, request } from 'node:http'
import { expect, test, vi } from 'vitest'
import { type Desk, openDesk } from './desk.ts'
import { quickHashOf } from './quick-hash.ts'
import type { Visitor } from './visitor.ts'

/** What comes of live updates, as text that grows, until the answer ends. */
async function listen(
  desk: Desk,
  since = '',
  headers: OutgoingHttpHeaders = {},
): Promise<{ heard(): string; ended: Promise<void> }> {
  let heard = ''
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  await new Promise<void>((begun, reject) => {
    const connection = request(`${desk.url}live${since}`, { headers }, (answer) => {
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        heard += text
      })
      answer.on('close', resolve)
      begun()
    })
    connection.on('error', reject)
    connection.end()
  })
  return { heard: () => heard, ended }
}

test('an open page is updated when an alert comes and when its state changes', async () => {
  const desk = await openDesk()
  const { heard } = await listen(desk)
  await desk.deliver('evt_1')
  await vi.waitUntil(() => heard().includes('event: changed'))
  expect((await desk.visitor().see('/')).html).toContain('evt_1')
})

test('a page that missed something before it connected is updated at once, and one that missed nothing is not', async () => {
  const desk = await openDesk()
  const linkOf = (html: string) => /data-live="[^"]*\/live([^"]+)"/.exec(html)?.[1] ?? ''
  const made = linkOf((await desk.visitor().see('/')).html)
  expect(made).not.toBe('')
  await desk.deliver('evt_1')
  const late = await listen(desk, made)
  await vi.waitUntil(() => late.heard().includes('event: changed'))
  const stranger = await listen(desk, made, { 'Last-Event-ID': 'of-a-process-before.3' })
  await vi.waitUntil(() => stranger.heard().includes('event: changed'))
  await vi.waitUntil(() => desk.shown('desk').length === 1)
  // As soon as what became of the alert is stored, too.
  await vi.waitFor(async () => {
    const upToDate = linkOf((await desk.visitor().see('/')).html)
    const told = { 'Last-Event-ID': upToDate.replace('?since=', '') }
    for (const page of [await listen(desk, upToDate), await listen(desk, made, told)]) {
      await vi.waitUntil(() => page.heard() !== '')
      expect(page.heard()).toBe('retry: 5000\n\n')
    }
  })
})

test('a page that connects after a change since it was rendered is updated', async () => {
  const desk = await openDesk()
  const linkOf = (html: string) => /data-live="[^"]*\/live([^"]+)"/.exec(html)?.[1] ?? ''
  const told = (heard: string) => heard.split('event: changed').length - 1
  const { html } = await desk.visitor().see('/')
  await desk.deliver('evt_1')
  const late = await listen(desk, linkOf(html))
  await vi.waitUntil(() => told(late.heard()) > 0)
  expect((await desk.visitor().see('/')).html).toContain('evt_1')
})

test('open pages do not hold up a stop', async () => {
  const desk = await openDesk({}, { closing: () => {} })
  const pages = await Promise.all(Array.from({ length: 20 }, () => listen(desk)))
  const began = performance.now()
  await desk.app.stop()
  await Promise.all(pages.map(({ ended }) => ended))
  expect(performance.now() - began).toBeLessThan(1_500)
})

test('beyond a hundred open pages the answer is to retry later, and a closed page makes room', async () => {
  const desk = await openDesk()
  await Promise.all(Array.from({ length: 100 }, () => listen(desk)))
  const { status, headers } = await desk.visitor().see('/live')
  expect([status, headers['retry-after']]).toEqual([503, '60'])
})

test('one session has ten open pages at most, and they end when it does', async () => {
  const password = await quickHashOf('a long password')
  const desk = await openDesk({
    console: {
      users: [
        { name: 'bob', password },
        { name: 'ana', password },
      ],
    },
  })
  const [bob, ana] = [desk.visitor(), desk.visitor()]
  await bob.signIn('bob', 'a long password')
  await ana.signIn('ana', 'a long password')
  const cookieOf = ({ cookies }: Visitor) => ({ cookie: [...cookies].map((one) => one.join('=')).join('; ') })
  const pages = await Promise.all(Array.from({ length: 10 }, () => listen(desk, '', cookieOf(bob))))
  expect((await bob.see('/live')).status).toBe(503)
  const { heard } = await listen(desk, '', cookieOf(ana))
  await bob.submit('/', '/sign-out')
  await Promise.all(pages.map(({ ended }) => ended))
  await desk.deliver('evt_1')
  await vi.waitUntil(() => heard().includes('event: changed'))
})
