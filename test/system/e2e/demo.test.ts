import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { afterEach, expect, test, vi } from 'vitest'
import { endAll, run, start } from './process.ts'

afterEach(endAll)

const temporary = () => mkdtempSync(join(tmpdir(), 'demo-'))

test('the demo shows within ten seconds how an alert reads in Slack, stays until Ctrl+C, and leaves nothing behind', {
  timeout: 60_000,
}, async () => {
  const folder = temporary()
  const demo = start(['demo'], { env: { TMPDIR: folder } })
  const shown = (text: RegExp, timeout: number) =>
    vi.waitUntil(() => text.exec(demo.stdout()) ?? undefined, { timeout })
  await shown(/newsroom, as it reads in Slack\n.*percentage points/s, 10_000)

  const [, events] = await shown(/npx bluepencil events --config (\S+)/, 1_000)
  const [, address = ''] = await shown(/until Ctrl\+C\. .*curl -d '\{\}' (\S+)\n/s, 40_000)
  const asked = await run(['events', '--config', events ?? '', '--json'])
  expect(asked).toMatchObject({ code: 0, stderr: '' })
  expect(asked.stdout.match(/"id":"(evt|poll)_/g)).toHaveLength(3)

  const before = demo.stdout().length
  const fired = await (await fetch(address, { method: 'POST', body: '{}' })).text()
  const [id = ''] = /evt_[0-9a-f]{24}/.exec(fired) ?? []
  await vi.waitUntil(() => demo.stdout().slice(before).includes(id), { timeout: 10_000 })
  demo.kill('SIGINT')
  expect(await demo.ended).toBe(0)
  expect(demo.stderr()).toBe('')
  expect(readdirSync(folder)).toEqual([])
})

test('each act of the demo shows what it promises, on lines that fit, and then it ends', {
  timeout: 60_000,
}, async () => {
  const folder = temporary()
  const { code, stdout, stderr } = await run(['demo', '--once'], { env: { TMPDIR: folder } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(readdirSync(folder)).toEqual([])

  const lines = stdout.split('\n')
  expect(lines.length).toBeLessThanOrEqual(120)
  expect(lines.filter((line) => stringWidth(line) > 100)).toEqual([])

  const [, ...acts] = stdout.split(/\n\n(?=\d {2}\d\d:\d\d UTC {2}|In all\n)/).map(squeezed)
  const [delivered, repeated, forged, polled, late, explained, summary] = acts
  expect(acts).toHaveLength(7)
  const [reported = ''] = /evt_[0-9a-f]{24}/.exec(delivered ?? '') ?? []
  expect(delivered).toMatch(/answered 202\b/)
  expect(delivered).toMatch(
    /newsroom sent politics-discord not sent: .* the category is safety big-changes-mail sent/,
  )
  expect(delivered).toMatch(/Gemini refuses 9 percentage points more safety prompts\./)
  expect(repeated).toMatch(new RegExp(`${reported}: answered 200\\b.*nothing is sent`))
  expect(forged).toMatch(/answered 401\. Nothing is stored/)

  const [found = ''] = /poll_[0-9a-f]{32}/.exec(polled ?? '') ?? []
  const [tried = ''] = /evt_[0-9a-f]{24}/.exec(polled ?? '') ?? []
  expect(polled).toMatch(/: no answer/)
  expect(polled).toMatch(/ChatGPT refuses 2\d(\.\d)? percentage points more political prompts\./)
  expect(polled).toMatch(/newsroom sent politics-discord sent big-changes-mail sent/)
  expect(polled).toMatch(/operators: Webhooks cannot be relied upon/)
  expect(late).toMatch(new RegExp(`${tried}, try \\d+: answered 202\\b`))
  expect(late).toMatch(/newsroom nothing new is sent.*edited politics-discord nothing new is sent.*edited/)
  expect(late).toMatch(new RegExp(`\\+ Also reported by the .*\\(${tried}\\): \\+25 percentage points`))
  expect(late).toMatch(/operators: Resolved: Webhooks cannot be relied upon/)
  expect(explained).toMatch(new RegExp(`explain ${found} .*the same change came as ${tried} later`))
  expect(explained).toMatch(new RegExp(`it also reports ${tried}; edited`))
  expect(summary).toMatch(/4 deliveries: 2 accepted, 1 repeat, 1 forged; \d+ tries got no answer\./)
  expect(summary).toMatch(/newsroom 2 alerts sent, 1 edited, 2 notices to the operators/)
  expect(summary).toMatch(/politics-discord 1 alert sent, 1 edited big-changes-mail 2 alerts sent/)
  expect(summary).toMatch(/2 changes; no channel was alerted twice/)
})

test('Ctrl+C ends the demo in the middle of its acts, and nothing is left behind', async () => {
  const folder = temporary()
  const demo = start(['demo'], { env: { TMPDIR: folder } })
  await vi.waitUntil(() => demo.stdout().includes('forges a delivery'), { timeout: 15_000 })
  demo.kill('SIGINT')
  expect(await demo.ended).toBe(0)
  expect(demo.stderr()).toBe('')
  expect(demo.stdout()).not.toContain('In all')
  expect(readdirSync(folder)).toEqual([])
})

test('the demo ends and leaves nothing behind when nobody reads on', async () => {
  const folder = temporary()
  const { stdout, stderr } = await run(['demo'], {
    env: { TMPDIR: folder },
    through: ['sh', '-c', '"$@" | head -n 1', 'sh'],
  })
  expect(stdout).toBe('Bluepencil demo\n')
  expect(stderr).toBe('')
  expect(readdirSync(folder)).toEqual([])
})

/** On one line, whatever the width that it was broken for. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ')
}
