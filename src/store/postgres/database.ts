import pg from 'pg'
import { errorCode } from '../../platform/unknown.ts'
import type { Database, Lock, RunQuery, Transaction } from '../sql/database.ts'
import { postgres } from '../sql/dialect.ts'
import { DatabaseFailure } from '../sql/failure.ts'
import { lockOf } from '../sql/keys.ts'
import { type PostgresServer, serversOf } from './address.ts'

export interface PostgresDatabase extends Database {
  /** What is committed now, however long it is read; until `end`. */
  snapshot(): Promise<{ ask: RunQuery; end(): Promise<void> }>
  /**
   * Listens on a connection of its own. Calls `onNews` without an argument once it listens: earlier news may be lost. Ends when the
   * signal aborts or the connection breaks; rejects if it cannot connect.
   */
  listen(channel: string, onNews: (what?: string) => void, ended: AbortSignal): Promise<void>
  /** Whether the process that answers is another than the one that took the connection. */
  isPooled(): Promise<boolean>
}

/**
 * Each connection may run several statements at once. Ten are enough for the writer's batches, the lanes and the readers.
 * A thousand replicas with ten each would need a pooler.
 */
const connections = 10
const connectMs = 5_000
/** A statement takes milliseconds; a server that does not answer for so long is taken for gone. */
const statementMs = 10_000

/**
 * Overrides the database's defaults. Each statement sees what was committed before it, and a commit is on disk. A process
 * that freezes inside a transaction keeps its locks for seconds only. JIT is off: it compiled statements of 0.1 ms for 7 to
 * 20 ms, each time.
 */
const begin = `begin isolation level read committed read write;
set local synchronous_commit to on;
set local jit to off;
set local idle_in_transaction_session_timeout to '${statementMs}ms';
set local statement_timeout to '${statementMs}ms'`

/** int8 as a number: a `seq` and milliseconds fit. */
const bigint = 20

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === bigint ? Number : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
}

/** A server that is a standby, or became one: another may be the one to write to. */
const readOnly = '25006'

interface PostgresPool {
  settings: pg.ClientConfig
  pool: pg.Pool
}

export function openDatabase(url: string): PostgresDatabase {
  const places = serversOf(url).map(placeOf)
  /** The one that was the right one last. */
  let [current] = places

  /** Tries each server once, the one that was right last first. */
  async function connect(): Promise<pg.PoolClient> {
    const from = current === undefined ? 0 : places.indexOf(current)
    let failure: unknown
    for (const place of [...places.slice(from), ...places.slice(0, from)]) {
      try {
        const client = await place.pool.connect()
        current = place
        return client
      } catch (error) {
        failure ??= error
      }
    }
    throw failureOf(failure)
  }

  /** A connection that broke is not used again: what is under way on it is not known. */
  async function using<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect()
    let isSound = true
    const broke = () => {
      isSound = false
    }
    client.on('error', broke)
    try {
      return await work(client)
    } catch (error) {
      if (error instanceof DatabaseFailure && error.kind === 'unknown') broke()
      throw error
    } finally {
      client.off('error', broke)
      client.release(!isSound)
    }
  }

  return {
    dialect: postgres,
    isAlone: false,
    gathersTurns: true,
    ask: (text, values) => using((client) => asking(client)(text, values)),
    transaction: (work) => using((client) => transactionOn(client, work)),
    async snapshot() {
      const client = await connect()
      try {
        await client.query('begin isolation level repeatable read read only').catch(failed)
      } catch (error) {
        client.release(true)
        throw error
      }
      const end = async () => {
        await client.query('rollback').catch(() => undefined)
        client.release(true)
      }
      return { ask: asking(client), end }
    },
    async listen(channel, onNews, ended) {
      const client = new pg.Client(current?.settings)
      try {
        const over = new Promise<void>((resolve) => {
          client.on('error', () => resolve())
          client.on('end', () => resolve())
          ended.addEventListener('abort', () => resolve(), { once: true })
        })
        client.on('notification', ({ payload }) => onNews(payload))
        await client.connect().catch(failed)
        await asking(client)(`listen ${channel}`)
        onNews()
        await over
      } finally {
        await client.end().catch(() => undefined)
      }
    },
    isPooled: () =>
      using(async (client) => {
        const [row] = await asking(client)<{ pid: number }>('select pg_backend_pid() as pid')
        // node-postgres keeps what the server said of itself when it took the connection; its types do not know it.
        return 'processID' in client && client.processID !== row?.pid
      }),
    async close() {
      await Promise.all(places.map(({ pool }) => pool.end()))
    },
  }
}

function placeOf({ connectionString, ssl }: PostgresServer): PostgresPool {
  const settings = {
    connectionString,
    ssl,
    types,
    application_name: 'bluepencil',
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs + 2_000,
    keepAlive: true,
    pipeline: true,
  }
  const pool = new pg.Pool({ ...settings, max: connections, allowExitOnIdle: true, verify: isWritable })
  // Where one breaks that nobody uses, or does not use any more, whoever wants the next finds out whether the server is there.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { settings, pool }
}

/** Each new connection is asked once. */
function isWritable(client: pg.PoolClient, answer: (error?: Error) => void): void {
  client
    .query<{ is: boolean }>("select pg_is_in_recovery() as is, set_config('jit', 'off', false)")
    .then(
      ({ rows }) =>
        answer(rows[0]?.is === true ? Object.assign(new Error('a standby'), { code: readOnly }) : undefined),
      answer,
    )
}

/** What is sent is not waited for if the next statement can follow at once. */
async function transactionOn<T>(
  client: pg.ClientBase,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const ask = asking(client)
  const writes: Promise<unknown>[] = []
  const begun = quiet(client.query(begin).catch(failed))
  try {
    const write = (text: string, values?: readonly unknown[]) => void writes.push(quiet(ask(text, values)))
    const writeRows = (text: string, rows: readonly (readonly unknown[])[]) => {
      if (rows.length > 0) write(text, columnsOf(rows))
    }
    const lock = (one: Lock) => write(...lockStatement(one))
    const [result] = await Promise.all([work({ ask, write, writeRows, lock }), begun])
    const [ended] = await Promise.all([client.query('commit').catch(failed), ...writes])
    if (ended.command !== 'COMMIT') throw failureOf('the connection lost its transaction')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** What advisory locks are for: decisions, the order of arrival, that nothing is dropped while outcomes change, … */
const lockKinds = {
  decisions: 1_651_275_109,
  retention: 1_651_275_110,
  migration: 1_651_275_111,
  order: 1_651_275_112,
  state: 1_651_275_113,
}

function lockStatement(lock: Lock): [text: string, values: unknown[]] {
  const isShared = lock.on === 'retention' && lock.shared === true
  const key = lock.on === 'state' ? lockOf(lock.key) : 0
  return [`select pg_advisory_xact_lock${isShared ? '_shared' : ''}($1, $2)`, [lockKinds[lock.on], key]]
}

/** A statement takes an array for each column. */
function columnsOf(rows: readonly (readonly unknown[])[]): unknown[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]))
}

function asking(client: pg.ClientBase): RunQuery {
  return async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await client.query({ text, values: [...values] }).catch(failed)
    return rows as Row[]
  }
}

function failed(error: unknown): never {
  throw failureOf(error)
}

/** It is waited for later; that it failed is not said twice. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing answers at its address',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name cannot be resolved now',
  ENOENT: 'its socket does not exist',
  '25006': 'it is a standby, which accepts no writes',
  '28000': 'it refuses this user',
  '28P01': 'it refuses the password',
  '3D000': 'it has no such database',
  '42501': 'this user lacks a privilege',
  '53100': 'its disk is full',
  '53200': 'it has no memory left',
  '53300': 'it has too many connections',
  '57014': 'it took too long',
  '57P01': 'it is shutting down',
  '57P02': 'it has crashed',
  '57P03': 'it is starting up or shutting down',
}

/** SQLSTATEs of what the server undid itself and may do the next time: two processes were in each other's way. */
const conflicts = ['23505', '40001', '40P01']

/** What node-postgres rejects with: SQLSTATE or the operating system's code. */
function failureOf(cause: unknown): DatabaseFailure {
  const code = errorCode(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  return new DatabaseFailure(reasonOf(code, message), kindOf(code ?? ''), {
    cause,
    place: ' in the database',
  })
}

function reasonOf(code: string | undefined, message: string): string {
  if (code !== undefined) return reasons[code] === undefined ? code : `${reasons[code]} (${code})`
  if (/timeout/i.test(message)) return 'it does not answer'
  if (/connection|client/i.test(message)) return 'the connection broke'
  if (/certificate|SSL|TLS/i.test(message)) return `TLS or its certificate failed: ${message}`
  return 'an unexpected error'
}

/** `refusal`: the server accepted none of it, because of what it was given. */
function kindOf(code: string): DatabaseFailure['kind'] {
  if (conflicts.includes(code)) return 'conflict'
  if (/^(22|23|54)...$/.test(code)) return 'refusal'
  return /^(40|42)...$/.test(code) ? 'undone' : 'unknown'
}
