import { expect, test } from 'vitest'
import { createContact } from '../../../src/app/services.ts'
import { pollingStateFrom } from '../../../src/intake/poll/state.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const stored = { ...pollingStateFrom(undefined, now), succeededAt: now - 5_000 }

test('when the service was last heard is the latest of what this process knows and what polling has stored', async () => {
  const contact = createContact({ readState: async () => stored }, { now: () => now })
  expect(await contact.lastAt()).toBe(now - 5_000)
  contact.noted()
  expect(await contact.lastAt()).toBe(now)
})

test('while the store cannot be read, what this process knows is what is known', async () => {
  const readState = () => Promise.reject(new Error('away'))
  const contact = createContact({ readState }, { now: () => now })
  expect(await contact.lastAt()).toBeUndefined()
  contact.noted()
  expect(await contact.lastAt()).toBe(now)
})
