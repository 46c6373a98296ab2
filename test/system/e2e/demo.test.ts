import { mkdtempSync, readdirSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { expectActs } from './demo-acts.ts'
import { endAll, start } from './process.ts'
import { runHere } from './run-here.ts'

afterEach(endAll)

/** Longer where more processes wait for a core than there are cores. */
function tenSecondsMs(): number {
  const [waiting = 0] = loadavg()
  return 10_000 * Math.min(4, Math.max(1, waiting / availableParallelism()))
}

test('the demo shows within ten seconds how an alert reads in Slack, and each act what it promises; it stays until Ctrl+C, and leaves nothing behind', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  const demo = start(['demo'], { env: { TMPDIR: folder } })
  const shown = (text: RegExp, timeout: number) =>
    vi.waitUntil(() => text.exec(demo.stdout()) ?? undefined, { timeout })
  await shown(/newsroom, as it reads in Slack\n.*percentage points/s, tenSecondsMs())

  const [, events] = await shown(/npx bluepencil events --config (\S+)/, 5_000)
  const [played, address = ''] = await shown(/^.*until Ctrl\+C\. .*curl -d '\{\}' (\S+)\n/s, 40_000)
  expectActs(played.slice(0, played.indexOf('The demo stays')))
  const listed = await runHere(['events', '--config', events ?? '', '--json'])
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(listed.stdout.match(/"id":"(evt|poll)_/g)).toHaveLength(3)

  const before = demo.stdout().length
  const fired = await (await fetch(address, { method: 'POST', body: '{}' })).text()
  const [id = ''] = /evt_[0-9a-f]{24}/.exec(fired) ?? []
  await vi.waitUntil(() => demo.stdout().slice(before).includes(id))
  demo.kill('SIGINT')
  expect(await demo.ended).toBe(0)
  expect(demo.stderr()).toBe('')
  expect(readdirSync(folder)).toEqual([])
})
