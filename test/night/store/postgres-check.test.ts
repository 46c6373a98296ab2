import { expect, onTestFinished, test } from 'vitest'
import { durability } from '../../../src/commands/check/store.ts'
import { inspectDatabase } from '../../../src/store/postgres/inspect.ts'
import { isGiven } from '../../support/postgres/for-tests.ts'
import { startPostgres } from '../../support/postgres/server.ts'

test.skipIf(isGiven())(
  'check reads from a server that is safe in a crash, and waits for a standby, that it is',
  async () => {
    const server = await startPostgres({
      fsync: 'on',
      synchronous_commit: 'local',
      synchronous_standby_names: 'FIRST 1 (b)',
    })
    onTestFinished(() => server.remove())
    const rows = durability(await inspectDatabase(await server.create()))
    expect(rows.map(({ what, level, text }) => `${level} ${what}: ${text}`)).toEqual([
      expect.stringContaining('ok crash: '),
      expect.stringContaining('warn failover: a commit waits for a standby (FIRST 1 (b))'),
      'ok connection: on this machine, without TLS',
    ])
  },
)
