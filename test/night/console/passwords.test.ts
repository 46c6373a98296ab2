import { expect, test } from 'vitest'
import { quickHashOf } from '../../system/console/quick-hash.ts'
import { folderWithSettings, openUnset, password } from '../../system/console/setup-desk.ts'

test('wrong passwords are limited here as at the sign-in', async () => {
  const account = { name: 'ana', password: await quickHashOf(password), role: 'admin' }
  const folder = await folderWithSettings({ revision: 2, users: [account] })
  const ana = (await openUnset({ channels: [{ name: 'desk', type: 'console' }] }, { folder })).visitor()
  await ana.signIn('ana', password)
  const { html } = await ana.see('/settings/password')
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const chosen = { password: 'another one of ana', again: 'another one of ana' }
  const tries = Array.from({ length: 55 }, (_, index) =>
    ana.post('/settings/password', { token, key: `${index}`, now: `guess ${index}`, ...chosen }),
  )
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([422, 429]))
})
