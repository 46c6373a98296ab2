import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readConfigFile } from '../../src/config/load.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { NewEntry, StateKey } from '../../src/store/store.ts'
import { openApp } from './app.ts'

/** A configuration in a folder of its own, for commands that are run beside a service or without one. */
export function configured(yaml: string, server = 'host: 127.0.0.1, port: 0') {
  const folder = mkdtempSync(join(tmpdir(), 'desk-'))
  const file = join(folder, 'b.yaml')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(file, `store: file:${folder}/data\nserver: { ${server} }\n${yaml}`)
  return {
    file,
    folder,
    /** Stores what came in, as a service did that has ended. */
    async store(...batch: NewEntry[]) {
      const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
      await store.accept(batch)
      await store.close()
    },
    /** Remembers something, as a service did that has ended. */
    async remember(key: StateKey, value: unknown) {
      const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
      await store.changeState(key, () => value)
      await store.close()
    },
    /** Runs the service in this process, until the test has ended. */
    async serve() {
      const app = await openApp().start(readConfigFile(file, {}).compose({}))
      onTestFinished(() => app.stop())
      return app
    },
  }
}
