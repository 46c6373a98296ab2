import { expect, test, vi } from 'vitest'
import { systemClock } from '../../../src/platform/clock.ts'
import { hourMs } from '../../../src/platform/durations.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { type Desk, openDesk } from '../../system/console/desk.ts'
import { hourlySweeps } from '../../system/console/hourly-sweeps.ts'
import { quickHashOf } from '../../system/console/quick-hash.ts'

const server = postgresForTests()

async function follow(desk: Desk) {
  const visitor = desk.visitor()
  await visitor.signIn('eve', 'correct horse battery')
  const { html } = await visitor.submit('/feeds', '/feeds')
  return { visitor, path: /\/console(\/feed\/bpown_[\w-]{43}\/alerts\.atom)/.exec(html)?.[1] ?? '' }
}

test('an address of one process is read at the other, withdrawn there, and gone at both; twenty are the most on both', {
  timeout: 120_000,
}, async () => {
  const store = await server().create()
  const users = [{ name: 'eve', password: await quickHashOf('correct horse battery'), role: 'reader' }]
  const open = () => openDesk({ store, console: { users } })
  const [one, other] = [await open(), await open()]
  const { path } = await follow(one)
  expect(await other.visitor().see(path)).toMatchObject({ status: 200 })

  const eve = other.visitor()
  await eve.signIn('eve', 'correct horse battery')
  const [id = ''] = /feed_[\w-]+(?=\/withdraw)/.exec((await eve.see('/feeds')).html) ?? []
  await eve.submit('/feeds', `/feeds/${id}/withdraw`)
  for (const desk of [one, other]) expect(await desk.visitor().see(path)).toMatchObject({ status: 410 })

  const made = await Promise.all(Array.from({ length: 24 }, (_, index) => follow(index % 2 ? one : other)))
  expect(made.filter((one) => one.path !== '')).toHaveLength(20)
  expect((await eve.see('/feeds')).html.match(/\/withdraw"/g)).toHaveLength(20)
})

test('while one process has a configuration without the owner, her feed rests there, goes on at the other, and is not withdrawn', {
  timeout: 120_000,
}, async () => {
  const store = await server().create()
  const password = await quickHashOf('correct horse battery')
  const users = ['ana', 'eve'].map((name) => ({ name, password, role: name === 'ana' ? 'admin' : 'reader' }))
  let moved = 0
  const now = () => Date.now() + moved
  async function open(of: typeof users) {
    const { clock, sweep } = hourlySweeps({ ...systemClock, now })
    const desk = await openDesk({ store, console: { users: of } }, { clock })
    return { ...desk, sweep }
  }
  const [newer, older] = [await open(users), await open(users.slice(0, 1))]
  const { path } = await follow(newer)
  const statuses = () =>
    Promise.all([newer, older].map(async (desk) => (await desk.visitor().see(path)).status))
  expect(await statuses()).toEqual([200, 403])
  // They may sweep in any order, also one twice in a row.
  for (const [first, second] of [
    [newer, older],
    [older, newer],
    [older, newer],
    [newer, older],
    [newer, older],
  ] as const) {
    await first.sweep()
    await second.sweep()
    moved += hourMs
  }
  expect(await statuses()).toEqual([200, 403])

  // When all agree, it ends.
  await newer.app.stop()
  await vi.waitUntil(async () => {
    await older.sweep()
    moved += hourMs
    return (await older.visitor().see(path)).status === 410
  })
})
