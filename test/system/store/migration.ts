import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Outcome } from '../../../src/event/outcome.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { NewEntry } from '../../../src/store/store.ts'
import { sent, waiting, words } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { storedCount } from '../../support/stored.ts'
import { start } from '../e2e/process.ts'

const began = Date.parse('2026-10-01T00:00:00.000Z')
/** Between two alerts, milliseconds. */
const apart = 20_000
/** What the heap of a copying process may grow to, in megabytes: with so little it fails where it keeps what it copied. */
const heapMb = 96

export const emptyFolder = () => join(mkdtempSync(join(tmpdir(), 'migrate-')), 'data')

/** One way of a copy, with all that it took to end. */
export interface Way {
  way: string
  kills: number
  seconds: number
  /** The most memory that any of its processes had, in megabytes, outside the heap included. */
  peakMb: number
  entries: number
  outcomes: number
  state: number
  hash: string
}

/** A folder with so many alerts of some 2 kilobytes: some are held, and the newest wait. */
export async function filledFolder(count: number): Promise<string> {
  const folder = emptyFolder()
  let time = began
  const store = await openSqliteStore(folder, { now: () => time, onTrouble: () => {} })
  for (let from = 0; from < count; from += 500) {
    time = began + from * apart
    await store.accept(
      Array.from({ length: Math.min(500, count - from) }, (_, one) => nth(from + one, count)),
    )
  }
  await store.changeState('subscription', () => ({ id: 'wh_1', secrets: ['whsec_a'] }))
  await store.changeState('readers', () => [{ channel: 'mail', address: 'a@b.example' }])
  await store.close()
  return folder
}

function nth(n: number, count: number): NewEntry {
  const id = n % 400 === 7 ? `odd \0 ${n} ${'x'.repeat(500)}` : `evt_${n}`
  const evidence = {
    headers: { 'x-service-signature': String(n).padStart(64, '0') },
    form: { hash: 'sha256', encoding: 'hex', key: 'text' },
    secret: 'ab',
  }
  const body = { encoding: 'utf8' as const, text: JSON.stringify({ id: n, text: 'ü'.repeat(500) }) }
  const entry = alert({ id, receivedAt: new Date(began + n * apart).toISOString(), evidence, body })
  const kinds: Outcome[] = [
    { ...sent(`receipt ${n}`), message: words } as Outcome,
    waiting({ attempts: 1, begun: '2026-11-21T13:05:00.000Z' }),
    { state: 'held', until: '2026-12-01T00:00:00.000Z', by: 'quiet', why: 'it is night' },
    { state: 'not_sent', rule: 'models', why: 'another model' },
  ]
  const kind = n > count * 0.99 ? n % 4 : n % 600 < 2 ? 2 + (n % 2) : 0
  return { entry, outcomes: { desk: kinds[kind] ?? sent(), mail: sent(String(n)) } }
}

/** Copies by the command, which is killed each time it has come so far; ends when it has ended by itself. */
export async function copyKilled(from: string, to: string, killAt: readonly number[]): Promise<Way> {
  const startedAt = performance.now()
  const args = ['store', 'migrate', from, to, '--json']
  let peakMb = 0
  for (const limit of [...killAt, Number.POSITIVE_INFINITY]) {
    const child = start(args, { env: { NODE_OPTIONS: `--max-old-space-size=${heapMb}` } })
    let isOver = false
    const ended = child.ended.finally(() => {
      isOver = true
    })
    while (!isOver) {
      peakMb = Math.max(peakMb, memoryOf(child.pid))
      if (limit !== Number.POSITIVE_INFINITY && (await copied(to)) >= limit) child.kill('SIGKILL')
      await Promise.race([wait(30), ended])
    }
    const how = await ended
    if (limit !== Number.POSITIVE_INFINITY && how === 'SIGKILL') continue
    if (how !== 0 || limit !== Number.POSITIVE_INFINITY) {
      throw new Error(`it was to be killed at ${limit} and ended with ${how}: ${child.stderr()}`)
    }
    const tally = JSON.parse(child.stdout()) as Pick<Way, 'entries' | 'outcomes' | 'state' | 'hash'>
    const { entries, outcomes, state, hash } = tally
    const way = to.startsWith('file:') ? 'Postgres → folder' : 'folder → Postgres'
    const seconds = (performance.now() - startedAt) / 1_000
    return { way, kills: killAt.length, seconds, peakMb, entries, outcomes, state, hash }
  }
  throw new Error('it never ended by itself')
}

/** About how many entries are there, by what others can see of a store that is being written. */
async function copied(to: string): Promise<number> {
  if (to.startsWith('file:')) {
    try {
      return storedCount(to.slice('file:'.length))
    } catch {
      return 0
    }
  }
  const client = new pg.Client(to)
  await client.connect()
  try {
    const { rows } = await client.query<{ n: string | null }>('select max(seq) as n from bluepencil.entries')
    return Number(rows[0]?.n ?? 0)
  } catch {
    return 0
  } finally {
    await client.end()
  }
}

/** In megabytes; 0 where the system does not say. */
function memoryOf(pid: number): number {
  try {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1_024)
  } catch {
    return 0
  }
}
