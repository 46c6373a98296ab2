import { expect, test } from 'vitest'
import { firstAdmin, openUnset } from '../../system/console/setup-desk.ts'

test('wrong passwords are limited here as at the sign-in', async () => {
  const ana = await firstAdmin(await openUnset())
  const { html } = await ana.see('/settings/password')
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const chosen = { password: 'another one of ana', again: 'another one of ana' }
  const tries = Array.from({ length: 55 }, (_, index) =>
    ana.post('/settings/password', { token, key: `${index}`, now: `guess ${index}`, ...chosen }),
  )
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([422, 429]))
}, 40_000)
