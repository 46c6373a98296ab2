import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { AppEnvironment } from '../../../src/app/environment.ts'
import { filterTrials, tryAnswers } from '../../../src/commands/console-trials.ts'
import { type ConfigFile, composeConfig } from '../../../src/config/compose.ts'
import { Config } from '../../../src/config/schema.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { openApp } from '../../support/app.ts'
import { createVisitor, type Visitor } from './visitor.ts'

type Closing = (close: () => Promise<void>) => void

/** As if a file had this in it; what is made in the browser comes to it. */
function fileWith(value: { store: string; [key: string]: unknown }): ConfigFile {
  const file = { path: 'desk.yaml', value, placeOf: () => ({ line: 3, column: 1 }) }
  return {
    ...file,
    written: value,
    base: { store: value.store, log: 'info' },
    compose: (made, of = value) => composeConfig({ ...file, value: of }, made, Config),
  }
}

/** An installation that nobody has set up, and the key that it shows. */
export async function openUnset(
  more: object = {},
  given: Partial<AppEnvironment> & { closing?: Closing; folder?: string } = {},
) {
  const { closing = onTestFinished, folder = mkdtempSync(join(tmpdir(), 'setup-')), ...environment } = given
  const printed: string[] = []
  const opened = openApp({
    tryFilters: filterTrials(),
    tryAnswers,
    out: { write: (text) => void printed.push(text), width: 200, colour: false },
    ...environment,
  })
  const app = await opened.start(
    fileWith({
      store: `file:${folder}/data`,
      copies: 0,
      server: { host: '127.0.0.1', port: 0 },
      console: { listen: { port: 0 } },
      ...more,
    }),
  )
  closing(async () => {
    await app.stop()
    if (given.folder === undefined) rmSync(folder, { recursive: true, force: true })
  })
  const url = app.consoleUrl ?? ''
  const key = /setup#([\w-]{43})/.exec(printed.join(''))?.[1] ?? ''
  return {
    ...opened,
    app,
    folder,
    url,
    key,
    printed,
    visitor: (headers: Record<string, string> = {}): Visitor => createVisitor(url, headers),
  }
}

export type UnsetDesk = Awaited<ReturnType<typeof openUnset>>

export const password = 'four words of ana'

/** Somebody who has used the key and made the first account. */
export async function firstAdmin(desk: UnsetDesk, name = 'ana'): Promise<Visitor> {
  const ana = desk.visitor()
  await ana.submit('/setup', '/setup/key', { key: desk.key })
  const made = await ana.submit('/setup', '/setup/account', { name, password, again: password })
  expect(made.html).toContain('Where alerts go')
  return ana
}

/** A folder in which people have set this in the browser, and the service has ended. */
export async function folderWithSettings(config: unknown): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.changeState('settings', () => ({
    revision: 3,
    filters: {},
    ...(config !== undefined && { config }),
  }))
  await store.close()
  return folder
}
