import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { durability } from '../../../src/commands/check/store.ts'
import { inspectDatabase } from '../../../src/store/postgres/inspect.ts'
import { isGiven, postgresForTests } from '../../support/postgres/for-tests.ts'

const server = postgresForTests()

test.skipIf(isGiven())('check reads from the server what a crash and a failover may lose', async () => {
  const url = await server().create()
  const rows = durability(await inspectDatabase(url))
  expect(rows.map(({ what, level, text }) => `${level} ${what}: ${text}`)).toEqual([
    expect.stringContaining('fail crash: fsync and full_page_writes of the database is off'),
    expect.stringContaining('warn failover: the database commits without waiting for a standby'),
    'ok connection: on this machine, without TLS',
  ])
})

test.skipIf(isGiven())('a pooler is known by the process that answers', async () => {
  const url = await server().create()
  expect((await inspectDatabase(url)).isPooled).toBe(false)
  const port = await openPooler(join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432'))
  const pooled = new URL(url)
  pooled.searchParams.delete('host')
  pooled.host = `127.0.0.1:${port}`
  expect((await inspectDatabase(pooled.href)).isPooled).toBe(true)
})

/** Forwards everything, and names itself in the message with the server's process id, as PgBouncer does. */
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
