import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { knownCategories } from '../../../src/event/event.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { openDesk } from '../../system/console/desk.ts'

const Requests = z.object({ requests: z.array(z.object({ path: z.string() })) })

test('charts cost no request once polling has read the figures, and are there after a restart without the service', {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'models-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  const histories = async () => {
    const answer = await fetch(new URL('/_sandbox/requests', sandbox.url))
    return Requests.parse(await answer.json()).requests.filter(({ path }) => path.includes('/history')).length
  }
  const monitor = { baseUrl: sandbox.url, apiKey: 'sandbox-enterprise', tier: 10_000 }
  const config = { monitor, polling: { mode: 'always' }, log: 'debug' }
  const closed: (() => Promise<void>)[] = []
  const options = { folder, closing: (close: () => Promise<void>) => void closed.push(close) }
  const desk = await openDesk(config, options)
  await vi.waitUntil(() => desk.log.some((line) => line.includes('poll of the figures')), { timeout: 50_000 })
  const count = await histories()
  const charts = async (visitor: ReturnType<typeof desk.visitor>) => {
    const paths = knownCategories.map((category) => `/models/claude/chart-light.svg?category=${category}`)
    const seen = await Promise.all(paths.map((path) => visitor.see(path)))
    return seen.map(({ html }) => html.includes('<svg'))
  }
  const all = knownCategories.map(() => true)
  expect(await charts(desk.visitor())).toEqual(all)
  expect(await histories()).toBe(count)
  await desk.app.stop()
  await sandbox.close()
  const later = await openDesk({ ...config, polling: { mode: 'off' } }, options)
  onTestFinished(async () => {
    for (const close of closed) await close()
  })
  expect(await charts(later.visitor())).toEqual(all)
  expect((await later.visitor().see('/models')).html).toContain('Last read from the service')
})
