import { expect, test } from 'vitest'
import { createContact } from '../../../src/app/services.ts'
import { pollingStateFrom } from '../../../src/intake/poll/state.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const stored = { ...pollingStateFrom(undefined, now), succeededAt: now - 5_000 }

test('the last contact with the service is the later of this process’s own and the stored one of polling', async () => {
  const contact = createContact({ readState: async () => stored }, { now: () => now })
  expect(await contact.lastAt()).toBe(now - 5_000)
  contact.noted()
  expect(await contact.lastAt()).toBe(now)
})

test('while the store cannot be read, the last contact is this process’s own', async () => {
  const readState = () => Promise.reject(new Error('away'))
  const contact = createContact({ readState }, { now: () => now })
  expect(await contact.lastAt()).toBeUndefined()
  contact.noted()
  expect(await contact.lastAt()).toBe(now)
})
