import { expect, test } from 'vitest'
import { runSlow } from './slow.ts'

test('providers that are slow to answer get each alert once, in order', { timeout: 60_000 }, async () => {
  const rows = await runSlow({ seed: 7, leastMs: 20, mostMs: 500, events: 6, everyMs: 100 })
  const once = { sent: 6, copies: 0, orderKept: true }
  expect(rows).toEqual(
    ['slack-bot', 'slack-webhook', 'discord-bot', 'discord-webhook', 'mail'].map((channel) => ({
      channel,
      ...once,
    })),
  )
})
