import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { hourMs, minuteMs } from '../../../src/platform/durations.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { configOf, delivery, openApp } from '../../support/app.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { freePort } from '../../support/free-port.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'
import { chance } from '../../system/detector/chance.ts'
import { absurdAnswer, absurdDelivery } from './absurd.ts'

/** More with ABSURD_ANSWERS=2000; other ones with ABSURD_SEED=7. */
const answersWanted = Number(process.env.ABSURD_ANSWERS ?? 100)
const firstSeed = Number(process.env.ABSURD_SEED ?? 1)
const began = Date.parse('2026-11-21T15:05:09Z')
const stepMs = 15_000
const absurdShare = 0.9
const lookEveryMs = 5 * minuteMs
const deliveriesEach = 10
/** Of the alerts that there are, so many are opened each time. */
const alertsOpened = 4

const Ready = z.object({
  status: z.enum(['ready', 'degraded']),
  subscription: z.object({ state: z.string() }),
  polling: z.object({ lastSuccess: z.string().nullable(), nextLook: z.string().nullable() }),
})
/** Faults of ours, not of the service. */
const ours = /"error":\{"name":"(TypeError|RangeError|SyntaxError|ReferenceError|ZodError)"/

/** An hour of `serve` beside a service that gives an absurd answer nine times of ten, then an hour in which it is well. */
async function absurdHour(seed: number) {
  const folder = mkdtempSync(join(tmpdir(), 'absurd-'))
  const random = chance(seed, 1)
  const ask = globalThis.fetch
  let open = 0
  let isAbsurd = true
  const times: number[] = []
  const clock = createManualClock(began, settled)
  async function settled() {
    while (open > 0) await turn()
  }
  const sandbox = await startSandbox({ port: 0, seed, clock })
  vi.stubGlobal('fetch', async (address: URL, init: RequestInit) => {
    open += 1
    try {
      const response = await ask(address, init)
      const { status } = response
      const text = await response.text()
      times.push(clock.now())
      const isMangled = isAbsurd && random() < absurdShare
      if (isMangled) return absurdAnswer(random, { status, text })
      return new Response(status === 204 ? null : text, response)
    } finally {
      open -= 1
    }
  })
  const port = await freePort()
  const backing = createMemoryBacking(clock)
  const opened = openApp({
    clock,
    openStore: async () => backing.open(),
    serveControl: async () => async () => {},
  })
  const app = await opened.start(
    configOf([{ name: 'desk', type: 'console' }], {
      store: `file:${folder}`,
      monitor: { baseUrl: sandbox.url, apiKey: 'sandbox-pro', tier: 'pro' },
      webhook: { publicUrl: `http://127.0.0.1:${port}`, secrets: [secret] },
      server: { host: '127.0.0.1', port },
      console: { listen: { port: 0 } },
    }),
  )
  onTestFinished(async () => {
    vi.unstubAllGlobals()
    await app.stop()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const wrong: string[] = []
  const seen = new Map<number, number>()
  async function see(path: string, init?: RequestInit): Promise<string> {
    const origin = path.startsWith('/console')
      ? new URL(app.consoleUrl ?? '').origin
      : `http://127.0.0.1:${port}`
    const response = await ask(`${origin}${path}`, init)
    const text = await response.text()
    seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
    if (response.status >= 500) wrong.push(`${path} answered ${response.status}: ${text.slice(0, 200)}`)
    if (/Invalid Date|NaN/.test(text)) wrong.push(`${path} shows what is no date or number`)
    return text
  }

  async function ready() {
    return Ready.parse(JSON.parse(await see('/readyz')))
  }

  async function look(): Promise<void> {
    for (let count = 0; count < deliveriesEach; count++) {
      const documented: object = JSON.parse(delivery(`evt_${times.length}_${count}`, clock.now()))
      const body = absurdDelivery(random, documented)
      await see('/webhook', { method: 'POST', body, headers: signed(body) })
    }
    const { status, polling } = await ready()
    const quietMs = clock.now() - Date.parse(polling.lastSuccess ?? new Date(began).toISOString())
    if (status === 'ready' && quietMs > hourMs) wrong.push('ready, and nothing was read for an hour')
    const category = ['overall', 'political', 'safety', 'social'][Math.floor(random() * 4)]
    for (const path of [
      '/healthz',
      '/metrics',
      '/console/',
      `/console/models?category=${category}`,
      '/console/channels',
    ])
      await see(path)
    const links = [...(await see('/console/alerts')).matchAll(/href="(\/console\/alerts\/[^"?]+)"/g)]
    for (const [index, [, link = '']] of links.slice(0, alertsOpened).entries())
      for (const part of [
        '',
        '/chart',
        '/chart-light.svg',
        '/citation.json',
        ...(index === 0 ? ['/evidence'] : []),
      ])
        await see(`${link}${part}`)
  }

  async function pass(milliseconds: number): Promise<void> {
    const until = clock.now() + milliseconds
    while (clock.now() < until) {
      await clock.advance(stepMs)
      if (isAbsurd && (clock.now() - began) % lookEveryMs === 0) await look()
    }
  }

  await pass(hourMs)
  const answers = times.length
  isAbsurd = false
  await pass(hourMs + minuteMs)
  const gaps = times.map((at, index) => at - (times[index - 1] ?? began))
  const faults = opened.log.filter((line) => line.includes('"level":"error"') && ours.test(line))
  return {
    answers,
    longestGapMs: Math.max(...gaps),
    seen,
    wrong: [...wrong, ...faults],
    ready: await ready(),
  }
}

test('an hour beside a service that answers every absurd thing: no page fails, and no silence is longer than the hour', async () => {
  let answers = 0
  for (let seed = firstSeed; answers < answersWanted; seed++) {
    const hour = await absurdHour(seed)
    answers += hour.answers
    const pages = [...hour.seen].map(([status, count]) => `${count} × ${status}`)
    console.info(
      `seed ${seed}: ${hour.answers} answers, longest gap ${hour.longestGapMs / minuteMs} min; ours: ${pages.join(', ')}`,
    )
    expect(hour.wrong, `ABSURD_SEED=${seed}`).toEqual([])
    expect(hour.longestGapMs, `ABSURD_SEED=${seed}`).toBeLessThanOrEqual(hourMs)
    expect(hour.ready, `ABSURD_SEED=${seed}`).toMatchObject({
      subscription: { state: 'active' },
      polling: { lastSuccess: expect.any(String) },
    })
  }
}, 3_600_000)
