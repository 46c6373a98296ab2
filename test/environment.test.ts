import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { startApp } from '../src/app.ts'
import { Config } from '../src/config/schema.ts'
import type { Environment } from '../src/environment.ts'
import { handedHttp } from './fakes/handed-http.ts'
import { createManualClock } from './fakes/manual-clock.ts'
import { createMemoryStore } from './fakes/memory-store.ts'

const secret = 'whsec_of_several_applications'

test('two applications run in one process, without a file, a socket or a timer of the machine', async () => {
  const clock = createManualClock(Date.parse('2026-11-21T15:05:09Z'))
  const http = handedHttp()
  const apps = await Promise.all([1, 2].map((which) => start(which)))

  async function start(which: number) {
    const shown: string[] = []
    const environment: Environment = {
      clock,
      random: () => 0.5,
      openStore: async () => createMemoryStore(),
      listen: http.listen,
      serveControl: async () => async () => {},
      showsProcess: false,
    }
    const app = await startApp(
      Config.parse({
        webhook: { secrets: [secret] },
        store: `file:of-nobody-${which}`,
        server: { port: 0 },
        operators: ['desk'],
        channels: [{ name: 'desk', type: 'console' }],
      }),
      {
        ...environment,
        writeLog() {},
        out: { write: (text) => void shown.push(text), width: 100, colour: false },
      },
    )
    return { app, shown }
  }

  async function deliver(which: number, id: string): Promise<number> {
    const data = { category: 'political', delta: '+12pp', detected_at: new Date(clock.now()).toISOString() }
    const body = JSON.stringify({ id, type: 'censorship_spike', model: 'claude', data })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = { 'x-service-signature': signature }
    const { status } = await http.ask(apps[which]?.app.port ?? 0, {
      method: 'POST',
      url: '/webhook',
      headers,
      body,
    })
    return status
  }

  expect(await deliver(0, 'evt_1')).toBe(202)
  expect(await deliver(0, 'evt_1')).toBe(200)
  expect(await deliver(1, 'evt_1')).toBe(202)
  await clock.advance(1_000)
  for (const { shown } of apps) expect(shown.join('')).toContain('evt_1')
  const metrics = await http.ask(apps[0]?.app.port ?? 0, { method: 'GET', url: '/metrics' })
  expect(metrics.body).toContain('bluepencil_deliveries_received_total{outcome="accepted"} 1')
  expect(metrics.body).not.toContain('process_')

  const stopped = Promise.all(apps.map(({ app }) => app.stop()))
  await clock.advance(0)
  await stopped
  expect(http.listening()).toBe(0)
  expect(clock.sleeping()).toBe(0)
})
