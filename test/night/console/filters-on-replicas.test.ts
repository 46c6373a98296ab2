import { expect, test, vi } from 'vitest'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { type Desk, openDesk } from '../../system/console/desk.ts'

const server = postgresForTests()

const page = '/channels/desk/filters'

async function outcome(desk: Desk, id: string): Promise<string> {
  expect(await desk.deliver(id)).toBe(202)
  const { html } = await desk.visitor().see(`/alerts/${id}`)
  return html.includes('the channel gets only changes of at least 20') ? 'filtered' : 'sent'
}

test('what is changed at one process is in force at the other without a word to it, and at one that begins later', {
  timeout: 120_000,
}, async () => {
  const store = await server().create()
  const open = () => openDesk({ store, channels: [{ name: 'desk', type: 'console' }] })
  const [one, other] = [await open(), await open()]
  expect(await outcome(other, 'evt_1')).toBe('sent')
  const visitor = one.visitor()
  const { html } = await visitor.see(page)
  const hidden = ['token', 'key', 'basis'].map((name) => {
    const [, value = ''] = new RegExp(`name="${name}" value="([^"]+)"`).exec(html) ?? []
    return [name, value] as const
  })
  const put = await visitor.post(page, { ...Object.fromEntries(hidden), direction: 'both', minDelta: '20' })
  expect(put.headers.location).toContain('done=filters-changed')
  await vi.waitUntil(
    async () => (await other.visitor().see('/channels')).html.includes('at least 20'),
    20_000,
  )
  expect(await outcome(one, 'evt_2')).toBe('filtered')
  expect(await outcome(other, 'evt_3')).toBe('filtered')
  expect(await outcome(await open(), 'evt_4')).toBe('filtered')
  await other.visitor().submit(page, `${page}/restore`)
  await vi.waitUntil(async () => !(await one.visitor().see('/channels')).html.includes('at least 20'), 20_000)
  expect(await outcome(one, 'evt_5')).toBe('sent')
})
