import { afterEach, expect, test, vi } from 'vitest'
import { endAll, start } from './process.ts'

afterEach(endAll)

test('the demo shows within ten seconds how an event reads in Slack, Discord and e-mail, and stops cleanly', async () => {
  const demo = start(['demo'])
  const shown = (text: RegExp) => vi.waitUntil(() => text.test(demo.stdout()), { timeout: 10_000 })
  await shown(/#newsroom|newsroom/)
  await shown(/Subject: .*percentage point/)
  await shown(/evt_/)
  demo.kill('SIGINT')
  expect(await demo.ended).toBe(0)
  expect(demo.stderr()).toBe('')
})
