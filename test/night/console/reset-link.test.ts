import { expect, test } from 'vitest'
import { realEnvironment } from '../../../src/app/environment.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { firstAdmin, openUnset } from '../../system/console/setup-desk.ts'
import type { Visitor } from '../../system/console/visitor.ts'

async function linkFor(ana: Visitor, name: string): Promise<string> {
  const { html } = await ana.submit('/settings/people', '/settings/people', { name, role: 'editor' })
  return /reset#([\w-]{43})/.exec(html)?.[1] ?? ''
}

function choose(visitor: Visitor, key: string, password: string, again = password) {
  return visitor.submit('/reset', '/reset', { key, password, again })
}

test('a link still works after its new password could not be stored', async () => {
  let isFull = false
  const desk = await openUnset(
    {},
    {
      async openStore(place, options) {
        const store = await realEnvironment.openStore(place, options)
        const { changeState } = store
        store.changeState = async (key, change) => {
          if (isFull && key === 'settings') throw new StoreUnavailable('the disk is full')
          return changeState(key, change)
        }
        return store
      },
    },
  )
  const key = await linkFor(await firstAdmin(desk), 'ben')
  const ben = desk.visitor()
  isFull = true
  const refused = await choose(ben, key, 'five words of ben here')
  expect([refused.status, refused.html.includes('the disk is full')]).toEqual([409, true])
  isFull = false
  expect((await choose(ben, key, 'too short')).status).toBe(422)
  expect((await choose(ben, key, 'five words of ben here', 'six words of ben in here')).status).toBe(422)
  expect((await choose(ben, key, 'five words of ben here')).html).toContain('ben, editor')
  expect((await choose(desk.visitor(), key, 'other words of ben')).status).toBe(401)
})

test('of two who use one link at once, one chooses the password', async () => {
  const desk = await openUnset()
  const key = await linkFor(await firstAdmin(desk), 'ben')
  const answers = await Promise.all(
    ['first words of ben', 'other words of ben'].map((password) => choose(desk.visitor(), key, password)),
  )
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401])
})
