import { expect, test } from 'vitest'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { type Desk, openDesk } from './desk.ts'
import { quickHashOf } from './quick-hash.ts'

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
