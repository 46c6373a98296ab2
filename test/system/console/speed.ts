// npm run bench:console: lists, search and pages over 100,000 alerts beside a load on the webhook, and what the console costs it.
import { mkdtempSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '../../../src/durations.ts'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import type { Decided } from '../../../src/store/store.ts'
import { configOf, delivery, openApp } from '../../support/app.ts'
import { alert } from '../../support/fakes/events.ts'
import { signed } from '../../support/fakes/signed.ts'
import { createVisitor } from './visitor.ts'

const count = Number(process.argv[2] ?? 100_000)
const loadMs = Number(process.argv[3] ?? 10_000)
const folder = mkdtempSync(join(tmpdir(), 'speed-'))
const pages = [
  '/',
  '/alerts',
  '/alerts?model=claude&category=safety',
  '/alerts?words=claude+refuses+word1',
  '/alerts?words=evt_77',
  '/alerts?outcome=failed',
  '/alerts?outcome=not_sent&channel=other',
  '/alerts?from=2020-01-01&outcome=failed',
  '/alerts/evt_5000',
  '/failed',
]

await fill()
const without = await accepted(false)
const beside = await accepted(true)
const share = Math.round((beside.each / without.each) * 100)
console.log(
  `accepted each second: ${without.each}, beside the console and its pages ${beside.each} (${share} %)`,
)
console.log(
  `processor time for each: ${without.cost} ms, beside them ${beside.cost} ms, the sender’s included`,
)
for (const [page, times] of beside.times) {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(0)
  console.log(`${page.padEnd(42)} median ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, of ${sorted.length}`)
}

async function fill(): Promise<void> {
  const store = await openLowdbStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  for (let from = 0; from < count; from += 500) {
    await store.accept(Array.from({ length: 500 }, (_, index) => one(from + index)))
  }
  await store.close()
}

function one(number: number): Decided {
  const at = new Date(Date.now() - (count - number) * minuteMs).toISOString()
  const model = ['claude', 'gemini', 'chatgpt', 'qwen', 'mistral'][number % 5] ?? null
  const category = ['political', 'safety', 'social'][number % 3] ?? null
  const body = {
    encoding: 'utf8' as const,
    text: JSON.stringify({ model, category, note: `word${number % 1_000}` }),
  }
  const entry = alert({
    id: `evt_${number}`,
    model,
    category,
    delta: (number % 40) - 20,
    detectedAt: at,
    receivedAt: at,
    body,
  })
  const isFailed = number % 997 === 0
  return {
    entry,
    outcomes: {
      desk: isFailed
        ? { state: 'failed', at, attempts: 3, why: 'the mailbox is full' }
        : { state: 'sent', at, attempts: 1, receipt: { text: 'r' } },
      other: { state: 'not_sent', rule: 'models', why: 'the channel asks for another model' },
    },
  }
}

async function accepted(hasConsole: boolean) {
  const channels = ['desk', 'other'].map((name) => ({ name, type: 'console', minDelta: 90 }))
  const more = {
    store: `file:${folder}/data`,
    log: 'error',
    ...(hasConsole && { console: { listen: { port: 0 } } }),
  }
  const app = await openApp().start(configOf(channels, more))
  const visitor = createVisitor(app.consoleUrl ?? '')
  if (hasConsole) while (!(await visitor.see('/alerts?before=30')).html.includes('evt_3<')) await sleep(500)
  const times = new Map<string, number[]>(pages.map((page) => [page, []]))
  const ended = performance.now() + loadMs
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  let done = 0
  const before = process.cpuUsage()
  async function send(worker: number): Promise<void> {
    for (let number = 0; performance.now() < ended; number++) {
      const body = delivery(`evt_${hasConsole}_${worker}_${number}`, Date.now(), { model: 'qwen' })
      if ((await post(app.port, body, agent)) === 202) done += 1
    }
  }
  /** As a newsroom that looks at it: two pages a second. */
  async function look(): Promise<void> {
    for (let index = 0; hasConsole && performance.now() < ended; index++) {
      const page = pages[index % pages.length] ?? '/'
      const began = performance.now()
      await visitor.see(page)
      times.get(page)?.push(performance.now() - began)
      await sleep(500)
    }
  }
  await Promise.all([look(), ...Array.from({ length: 16 }, (_, worker) => send(worker))])
  const { user, system } = process.cpuUsage(before)
  agent.destroy()
  await app.stop()
  return {
    each: Math.round((done / loadMs) * 1_000),
    cost: ((user + system) / 1_000 / done).toFixed(3),
    times,
  }
}

function post(port: number, body: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...signed(body), 'content-length': Buffer.byteLength(body) }
    const asked = request(
      { host: '127.0.0.1', port, path: '/webhook', method: 'POST', headers, agent },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}
