import { expect, test } from 'vitest'
import type { Manner } from '../../system/security/echo.ts'
import { findLeaks } from '../../system/security/planted-secrets.ts'

test.each<Manner>([500, 200, 'page'])(
  'no planted secret is shown, logged, sent or stored when everything fails and answers %s with an echo of the request',
  { timeout: 150_000 },
  async (how) => {
    expect(await findLeaks(how)).toEqual({})
  },
)
