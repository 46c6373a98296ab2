import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { durability } from '../../../src/commands/check/durability.ts'
import { inspectDatabase } from '../../../src/store/postgres/inspect.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts'

const servers: PostgresServer[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => server.remove())))

async function checked(settings: Record<string, string>) {
  const server = await startPostgres(settings)
  servers.push(server)
  const url = await server.create()
  const rows = durability(await inspectDatabase(url))
  return { url, rows: rows.map(({ what, level, text }) => `${level} ${what}: ${text}`) }
}

/** A server of DATABASE_URL has its own settings, which a test does not change. */
const isOurs = (process.env.DATABASE_URL ?? '') === ''

test.runIf(isOurs)('check reads from the server what a crash and a failover may lose', async () => {
  const off = await checked({ fsync: 'off', synchronous_commit: 'off' })
  expect(off.rows).toEqual([
    expect.stringContaining('fail crash: fsync of the database is off'),
    expect.stringContaining('warn failover: the database commits without waiting for a standby'),
    'ok connection: on this machine, without TLS',
  ])
  const waits = await checked({
    fsync: 'on',
    synchronous_commit: 'local',
    synchronous_standby_names: 'FIRST 1 (b)',
  })
  expect(waits.rows).toEqual([
    expect.stringContaining('ok crash: '),
    expect.stringContaining('warn failover: a commit waits for a standby (FIRST 1 (b))'),
    'ok connection: on this machine, without TLS',
  ])
})

test.runIf(isOurs)('a pooler is known by the process that answers', async () => {
  const { url } = await checked({ fsync: 'on' })
  expect((await inspectDatabase(url)).isPooled).toBe(false)
  const port = await openPooler(join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432'))
  const pooled = new URL(url)
  pooled.searchParams.delete('host')
  pooled.host = `127.0.0.1:${port}`
  expect((await inspectDatabase(pooled.href)).isPooled).toBe(true)
})

/** Passes on all that is said, and names itself in the message by which a server tells its process: as PgBouncer does. */
async function openPooler(path: string): Promise<number> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const behind = connect(path)
    open.add(client).add(behind)
    client.pipe(behind)
    behind.on('data', (data: Buffer) => {
      // BackendKeyData: K, its length 12, the process, the key.
      const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
      if (at >= 0) data.writeUInt32BE(7, at + 5)
      client.write(data)
    })
    for (const socket of [client, behind]) {
      socket.on('error', () => undefined)
      socket.on('close', () => void [client.destroy(), behind.destroy()])
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
