import { basename, join, relative } from 'node:path'
import { request } from '../../platform/server/http.ts'
import { errorCode } from '../../platform/unknown.ts'
import type { StoredEntry } from '../../store/store.ts'
import type { RunningControl } from './control.ts'

export const mostEventsInAnswer = 1_000

/** The kernel's bound on the path of a socket, with its closing zero (unix(7)). */
export const longestPath = 107

/** In the store's folder: a command that finds the store finds it. Relative if that is shorter. */
export function socketPath(folder: string): string {
  const path = join(folder, 'control.sock')
  const fromHere = relative(process.cwd(), path)
  return fromHere.length < path.length ? fromHere : path
}

export function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > longestPath
}

/** Asks the `serve` that holds the store in this folder; undefined if none answers. */
export async function connectControl(folder: string): Promise<RunningControl | undefined> {
  const path = socketPath(folder)
  if (isTooLong(path)) return undefined
  const get = <T>(address: string) => call<T>(path, 'GET', address)
  const post = <T>(address: string, body: object) => call<T>(path, 'POST', address, body)
  const eventPath = (id: string) => `/events/${encodeURIComponent(id)}`
  try {
    await get('/status')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  return {
    async events({ limit, before, ...filter }) {
      const rows: StoredEntry[] = []
      for (let from = before; rows.length < limit; from = rows.at(-1)?.seq) {
        const wanted = Math.min(limit - rows.length, mostEventsInAnswer)
        const query = Object.entries({ ...filter, limit: wanted, before: from }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)]],
        )
        const more = await get<StoredEntry[]>(`/events?${new URLSearchParams(query)}`)
        rows.push(...more)
        if (more.length < wanted) break
      }
      return rows
    },
    event: async (id) => (await get<StoredEntry | null>(eventPath(id))) ?? undefined,
    later: (id) => get(`${eventPath(id)}/later`),
    actsAbout: (ids) => post('/acts/about', ids),
    replay: (id, channel, doer) => post(`${eventPath(id)}/replay`, { channel, doer }),
    sendHeld: (doer, channel, id) => post(`/channels/${encodeURIComponent(channel)}/send-held`, { doer, id }),
    evidence: (id) => get(`${eventPath(id)}/evidence`),
    chain: () => get('/chain'),
    verify: async () => (await get<string[] | null>('/verify')) ?? undefined,
    snapshotTo: (to) => post('/snapshot', { name: basename(to) }),
    status: () => get('/status'),
    ready: () => get('/ready'),
    figures: {
      read: ({ service, model, category, from }) => {
        const query = { service, model, from: String(from), ...(category !== undefined && { category }) }
        return get(`/figures?${new URLSearchParams(query)}`)
      },
      series: () => get('/figures/series'),
      revised: () => get('/figures/revised'),
    },
    readers: () => get('/readers'),
    restore: (doer, subscription) => post('/readers/restore', { doer, subscription }),
    token: (subscription) => post('/readers/token', subscription),
    acts: {
      acknowledge: (doer, about) => post('/acts/acknowledge', { doer, about }),
      setDesk: (doer, about, wanted, seen) => post('/acts/set-desk', { doer, about, wanted, seen }),
      silence: (doer, wanted) => post('/acts/silence', { doer, wanted }),
      endSilence: (doer, about) => post('/acts/end-silence', { doer, about }),
      silences: () => get('/silences'),
    },
    tokens: {
      list: () => get('/tokens'),
      make: (doer, wanted) => post('/tokens/make', { doer, wanted }),
      revoke: (doer, about) => post('/tokens/revoke', { doer, about }),
    },
    config: {
      add: (doer, file) => post('/config/add', { doer, file }),
      clear: (doer) => post('/config/clear', { doer }),
      setPassword: (doer, name, hash) => post('/config/password', { doer, name, hash }),
    },
    close: async () => {},
  }
}

function isAbsent(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR'
}

/** The other end is this program: what it answers is of the type that `serveControl` sends. */
function call<T>(socketPath: string, method: string, path: string, body?: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { socketPath, method, path, headers: { 'content-type': 'application/json' } },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (answer.statusCode === 200) resolve(JSON.parse(text) as T)
          else reject(new Error(`the running service answered ${answer.statusCode}: ${text}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
