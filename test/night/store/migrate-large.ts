// npm run migrate:large -- --alerts 100000: a store to Postgres and back, each way killed twice with -9.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../support/postgres/server.ts'
import { endAll } from '../../system/e2e/process.ts'
import { copyKilled, emptyFolder, filledFolder } from '../../system/store/migration.ts'

const { values } = parseArgs({ options: { alerts: { type: 'string', default: '100000' } } })
const alerts = Number(values.alerts)
const killAt = [Math.floor(alerts * 0.2), Math.floor(alerts * 0.6)]

const server = await startPostgres({ fsync: 'on' })
const back = emptyFolder()
let there: string | undefined
try {
  there = await filledFolder(alerts)
  const url = await server.create()
  const ways = [
    await copyKilled(`file:${there}`, url, killAt),
    await copyKilled(url, `file:${back}`, killAt),
    // Of the first and the last folder, without Postgres between.
    await copyKilled(`file:${back}`, await server.create(), []),
  ]
  console.table(
    ways.map(({ seconds, hash, ...way }) => ({
      ...way,
      seconds: Math.round(seconds),
      hash: hash.slice(0, 16),
    })),
  )
  const isSame = ways.every(({ entries, hash }) => entries === alerts && hash === ways[0]?.hash)
  process.stdout.write(isSame ? 'the same counts and hashes each time\n' : 'FAULT: they differ\n')
  if (!isSame) process.exitCode = 1
} finally {
  endAll()
  await server.remove()
  for (const folder of [there, back])
    if (folder !== undefined) rmSync(dirname(folder), { recursive: true, force: true })
}
