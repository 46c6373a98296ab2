import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AppEnvironment } from '../../../src/app/environment.ts'
import { filterTrials } from '../../../src/commands/console-trials.ts'
import { configOf, delivery, openApp } from '../../support/app.ts'
import { signed } from '../../support/fakes/signed.ts'
import { createVisitor, type Visitor } from './visitor.ts'

type Closing = (close: () => Promise<void>) => void

/** The application in this process, on a store of its own, with its console. `closing`: `afterAll`, for all tests of a file. */
export async function openDesk(
  more: { console?: object; channels?: object[]; [key: string]: unknown } = {},
  given: Partial<AppEnvironment> & { closing?: Closing; folder?: string } = {},
) {
  const { closing = onTestFinished, folder = mkdtempSync(join(tmpdir(), 'console-')), ...environment } = given
  const { channels = [{ name: 'desk', type: 'console' }], console, ...rest } = more
  const config = configOf(channels, {
    store: `file:${folder}/data`,
    console: { listen: { port: 0 }, ...console },
    ...rest,
  })
  const opened = openApp({ tryFilters: filterTrials(), ...environment })
  const app = await opened.start(config)
  closing(async () => {
    await app.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const url = app.consoleUrl ?? ''
  return {
    ...opened,
    app,
    config,
    folder,
    url,
    /** A browser of somebody's, without a script. */
    visitor: (headers: Record<string, string> = {}): Visitor => createVisitor(url, headers),
    async deliver(id: string, changes: object = {}, at = Date.now()): Promise<number> {
      const body = delivery(id, at, changes)
      const address = `http://127.0.0.1:${app.port}/webhook`
      return (await fetch(address, { method: 'POST', body, headers: signed(body) })).status
    },
  }
}

export type Desk = Awaited<ReturnType<typeof openDesk>>
