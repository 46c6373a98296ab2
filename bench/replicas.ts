// npm run bench:replicas: what one, two and four processes on one Postgres accept, beside one on its own
// disk. It also compares one with little and with much in the store.
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../test/support/postgres/server.ts'
import { type Child, generate, killAll, main, startOurs } from './child.ts'
import { channels, serveArgs } from './configs.ts'
import { fillPostgres } from './fill-postgres.ts'
import { connections } from './scale.ts'
import { median, perSecond, type Row, table, withRange } from './table.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '16000' },
    rounds: { type: 'string', default: '3' },
    // How many events are in the store; the first and the last are compared.
    retained: { type: 'string', default: '1000,1000000' },
  },
})
const requests = Number(values.requests)
const warmUp = Math.ceil(requests / 4)
const retained = values.retained.split(',').map(Number)
let runs = 0

/** What a database has spent so far. */
interface Spent {
  walBytes: number
  commits: number
  cpuMs: number
}

interface Measured {
  rate: number
  p50: number
  p99: number
  /** For each event, if there is a database. */
  cost?: Spent
}

/** Linux counts in hundredths of a second, for a process and for those of its children that have ended. */
function cpuMsOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  const cpuMs = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(' ')
  return children.filter(Boolean).reduce((sum, child) => sum + cpuMsOf(Number(child)), cpuMs)
}

/** Nothing, if the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function spent(server: PostgresServer, url: string): Promise<Spent> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ wal: string; commits: string }>(
    "select pg_current_wal_lsn() - '0/0' as wal, xact_commit as commits from pg_stat_database where datname = current_database()",
  )
  await client.end()
  const pid = server.pid()
  const cpuMs = pid === undefined ? Number.NaN : cpuMsOf(pid)
  return { walBytes: Number(rows[0]?.wal), commits: Number(rows[0]?.commits), cpuMs }
}

/** All processes at once, each loaded over its part of the connections. */
async function load(children: readonly Child[], count: number): Promise<Measured> {
  runs += 1
  const loads = await Promise.all(
    children.map(({ port }, index) =>
      generate({
        kind: 'bluepencil',
        port,
        connections: connections / children.length,
        run: `r${runs}x${index}`,
        warmUp: 0,
        repeats: 0,
        requests: count / children.length,
        expect: 202,
        expectAgain: 200,
      }),
    ),
  )
  return {
    rate: loads.reduce((sum, { rate }) => sum + rate, 0),
    p50: median(loads.map(({ p50 }) => p50)),
    p99: Math.max(...loads.map(({ p99 }) => p99)),
  }
}

interface Subject {
  replicas: number
  /** Of a database. */
  url: string
}

async function onPostgres(
  folder: string,
  server: PostgresServer,
  { replicas, url }: Subject,
): Promise<Measured> {
  const children = await Promise.all(
    Array.from({ length: replicas }, () => startOurs(folder, main, serveArgs(folder, url, [channels.deaf]))),
  )
  await load(children, warmUp * replicas)
  const before = await spent(server, url)
  const measured = await load(children, requests)
  const after = await spent(server, url)
  await Promise.all(children.map((child) => child.stop()))
  const each = (of: keyof Spent) => (after[of] - before[of]) / requests
  return {
    ...measured,
    cost: { walBytes: each('walBytes'), commits: each('commits'), cpuMs: each('cpuMs') },
  }
}

async function onDisk(folder: string): Promise<Measured> {
  const child = await startOurs(folder, main, serveArgs(folder, `disk${runs}`, [channels.deaf]))
  await load([child], warmUp)
  const measured = await load([child], requests)
  await child.stop()
  return measured
}

function row(what: string, all: readonly Measured[], beside: readonly Measured[]): Row {
  const costs = all.flatMap(({ cost }) => cost ?? [])
  const of = (key: keyof Spent) => median(costs.map((cost) => cost[key]))
  const share = withRange(all.map(({ rate }, round) => rate / (beside[round]?.rate ?? Number.NaN)))
  const cost =
    costs.length === 0
      ? ''
      : `; the database for each event: ${of('cpuMs').toFixed(2)} ms of a processor, ${of('walBytes').toFixed(0)} bytes of WAL, ${of('commits').toFixed(2)} transactions`
  return {
    what,
    result: perSecond(median(all.map(({ rate }) => rate))),
    p50: median(all.map(({ p50 }) => p50)),
    p99: median(all.map(({ p99 }) => p99)),
    remark: `${share} of one on its own disk${cost}`,
  }
}

/** With most in the store, against least, round by round. */
function flatness(filled: readonly { count: number; all: readonly Measured[] }[]): Row[] {
  const [least, most] = [filled[0], filled.at(-1)]
  if (least === undefined || most === undefined || least === most) return []
  const shares = most.all.map(({ rate }, round) => rate / (least.all[round]?.rate ?? Number.NaN))
  return [
    {
      what: `${most.count.toLocaleString('en')} against ${least.count.toLocaleString('en')} retained, on one Postgres`,
      result: withRange(shares),
      target: { text: 'within 15 %', met: median(shares) >= 0.85 },
    },
  ]
}

const folder = await mkdtemp(join(tmpdir(), 'bluepencil-bench-'))
const server = await startPostgres({ fsync: 'on' })
try {
  const busy = (loadavg()[0] ?? 0).toFixed(1)
  const disk: Measured[] = []
  const replicas = new Map<number, Measured[]>([1, 2, 4].map((count) => [count, []]))
  const filled: { count: number; url: string; all: Measured[] }[] = []
  for (const count of retained) {
    const url = await server.create()
    await fillPostgres(url, count)
    filled.push({ count, url, all: [] })
  }
  for (let round = 0; round < Number(values.rounds); round += 1) {
    disk.push(await onDisk(folder))
    for (const [count, all] of replicas) {
      all.push(await onPostgres(folder, server, { replicas: count, url: await server.create() }))
    }
    // Each comes first in turn: a machine may slow down under load.
    for (const store of round % 2 === 0 ? filled : filled.toReversed()) {
      store.all.push(await onPostgres(folder, server, { replicas: 1, url: store.url }))
    }
  }
  const rows = [
    row('one process, SQLite on its own disk', disk, disk),
    ...[...replicas].map(([count, all]) => row(`${count} on one Postgres`, all, disk)),
    ...filled.map(({ count, all }) =>
      row(`1 on one Postgres, ${count.toLocaleString('en')} retained`, all, disk),
    ),
    ...flatness(filled),
  ]
  const text = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, load average before the run ${busy}.\n\n${table(rows)}`
  process.stdout.write(`${text}`)
} finally {
  killAll()
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
}
