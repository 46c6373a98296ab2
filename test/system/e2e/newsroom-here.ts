import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { createMovedClock } from '../../../src/commands/demo/clock.ts'
import { readConfigFile } from '../../../src/config/load.ts'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { type AppOfTest, openApp } from '../../support/app.ts'
import { freePort } from '../../support/free-port.ts'
import { type ChannelSettings, configText, openProviders } from './newsroom.ts'

type Event = Parameters<Awaited<ReturnType<typeof startSandbox>>['fire']>[0]

/**
 * The same newsroom as `openNewsroom`, with Bluepencil and the monitoring service in this process, subscribed. Both live on one
 * clock: it runs at its usual pace, and `skip` moves it on.
 */
export async function openNewsroomHere(channels: ChannelSettings, polling: 'auto' | 'off' = 'off') {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-e2e-'))
  const clock = createMovedClock(0)
  const [providers, sandbox, port] = await Promise.all([
    openProviders(),
    startSandbox({ port: 0, seed: 7, clock }),
    freePort(),
  ])
  const origin = `http://127.0.0.1:${port}`
  const configFile = join(folder, 'b.yaml')
  const store = `file:${folder}/data`
  writeFileSync(
    configFile,
    configText(providers, channels, { service: sandbox.url, publicUrl: origin, port, polling, store }),
  )
  let subscription = ''
  const opened = openApp({
    clock,
    onSubscription(state) {
      subscription = state
    },
  })
  const app: AppOfTest = await opened.start(readConfigFile(configFile, {}).compose({}))
  await vi.waitUntil(() => subscription === 'active', { interval: 5 })

  return {
    ...providers,
    sandbox,
    configFile,
    origin,
    /** Log lines, as they were written. */
    log: opened.log,
    /** Moves the clock on by so many milliseconds. */
    skip: clock.move,
    /** Fires an event, and waits until each of its deliveries was answered. */
    async fire(event: Event): Promise<string> {
      const before = sandbox.deliveries().length
      const { id, deliveries } = sandbox.fire(event)
      await vi.waitUntil(() => sandbox.deliveries().length >= before + deliveries, { interval: 5 })
      return id
    },
    async close() {
      await app.stop()
      await Promise.all([sandbox.close(), providers.close()])
    },
  }
}

export type NewsroomHere = Awaited<ReturnType<typeof openNewsroomHere>>
