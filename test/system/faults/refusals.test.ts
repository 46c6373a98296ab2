import { describe, expect, test } from 'vitest'
import { minute } from './desk.ts'
import { openDeskWithProviders, troubleOf } from './providers.ts'
import { refusals, restsUntilMended } from './refusals.ts'

describe('a channel that takes nothing until a person acts', () => {
  // The others wait for the night.
  test.each(refusals.slice(0, 1))(
    '%s: one notice at once, calm retries, and all arrives when it is mended',
    async (...refusal) => {
      const both = ['evt_1', 'evt_2']
      expect(await restsUntilMended(refusal)).toEqual({ slack: both, discord: both, mail: both })
    },
  )
})

describe('TLS that does not verify', () => {
  test('of the mail server: nothing goes unencrypted, and a notice comes at once', async () => {
    const { desk, lines, smtp } = await openDeskWithProviders({ email: { requireTls: true, ca: undefined } })
    await desk.deliver('evt_1')
    await desk.pass(minute)
    expect(await desk.hears(1)).toEqual([troubleOf('mail', 'rejects our messages')])
    expect(desk.toldInFull()[0]).toMatch(/a certificate that cannot be verified .* email\.ca/)
    expect(smtp.messages()).toEqual([])
    expect(lines.mail.taken()).toBe(1)
  })
})
