import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { onTestFinished, vi } from 'vitest'
import { readConfigFile } from '../../../src/config/load.ts'
import { delivery, openApp } from '../../support/app.ts'
import { type Receiver, startReceiver } from '../../support/fakes/receiver.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { freePort } from '../../support/free-port.ts'
import { endAll, start } from './process.ts'

const shared = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD3AsVfgQnZ5o='

interface Body {
  type: string
  data: { id: string; alert?: Record<string, unknown>; message: { headline: string; caveats: string[] } }
}

/** What came, each verified by the library from its bytes. */
export function eventsOf({ received }: Receiver) {
  return received.map(({ raw, headers }) => {
    const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
    const body = new Webhook(shared).verify(raw, Object.fromEntries(entries)) as Body
    return { ...body, delivery: headers['webhook-id'] }
  })
}

/** A desk whose one channel is another program, which verifies what it gets. */
export async function openToolDesk() {
  const receiver = await startReceiver()
  onTestFinished(() => {
    endAll()
    return receiver.close()
  })
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-tools-'))
  const file = join(folder, 'b.yaml')
  const port = await freePort()
  writeFileSync(
    file,
    `
webhook: { secrets: [${secret}] }
server: { host: 127.0.0.1, port: ${port} }
store: file:${folder}/data
channels:
  - { name: tools, type: webhook, to: "${receiver.origin}/hooks", secret: "${shared}", allowPrivate: true }
`,
  )
  const detectedAt = new Date().toISOString()
  const origin = `http://127.0.0.1:${port}`
  async function deliver(id: string, changes: Record<string, unknown> = {}): Promise<number> {
    const body = delivery(id, Date.now(), changes)
    const { status } = await fetch(`${origin}/webhook`, { method: 'POST', body, headers: signed(body) })
    return status
  }

  return {
    receiver,
    file,
    /** Starts Bluepencil in this process, until the test has ended. */
    async serveHere() {
      const app = await openApp().start(readConfigFile(file, {}).compose({}))
      onTestFinished(() => app.stop())
    },
    /** Starts Bluepencil as a process of its own. */
    async serve() {
      const serving = start(['serve', '--config', file])
      await vi.waitUntil(
        () =>
          fetch(`${origin}/healthz`).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      return serving
    },
    deliver,
    /** A report of so many percentage points, always detected at the same time. */
    async report(delta: string): Promise<number> {
      return await deliver('evt_1', { data: { category: 'political', delta, detected_at: detectedAt } })
    },
  }
}
