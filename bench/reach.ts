import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod'
import { main, startOurs } from './child.ts'
import { serveArgs } from './configs.ts'
import { type Connection, openConnection } from './connection.ts'
import { request } from './requests.ts'
import type { Row } from './table.ts'

const warmUp = 200
/** Enough that a POST does not wait for another, unless the disk stands still for half a second. */
const poolSize = 64

/** Part (b): from the moment at which a delivery is posted to the moment at which the provider has our request. */
export async function measureReach(folder: string, count: number): Promise<Row[]> {
  const provider = await startProvider()
  try {
    const rows: Row[] = []
    for (const { what, perSecond, address, remark } of [
      {
        what: 'Slack',
        perSecond: 100,
        address: `slack, webhookUrl: "${provider.url}/services/T0/B0/token"`,
        remark: undefined,
      },
      {
        what: 'Discord',
        perSecond: 40,
        address: `discord, webhookUrl: "${provider.url}/api/webhooks/1180000000000000001/token"`,
        remark: 'Discord lets nobody send more than 50/s',
      },
    ]) {
      const row = `- { name: desk, type: ${address} }`
      const child = await startOurs(folder, main, serveArgs(folder, `reach-${what}`, [row]))
      const took = await post(child.port, provider.arrivals, { count, perSecond, run: what.toLowerCase() })
      await child.stop()
      const [p50, p99] = [took[Math.floor(count * 0.5)] ?? 0, took[Math.floor(count * 0.99)] ?? 0]
      rows.push({
        what: `from POST to ${what}'s request`,
        result: `${count} at ${perSecond}/s`,
        p50,
        p99,
        target: { text: 'p50 < 15', met: p50 < 15 },
        ...(remark === undefined ? {} : { remark }),
      })
    }
    return rows
  } finally {
    provider.close()
  }
}

/** Posts on a fixed schedule, even if answers are late. Answers the milliseconds of each, ascending. */
async function post(
  port: number,
  arrivals: ReadonlyMap<string, number>,
  { count, perSecond, run }: { count: number; perSecond: number; run: string },
): Promise<number[]> {
  const idle: Connection[] = await Promise.all(Array.from({ length: poolSize }, () => openConnection(port)))
  const posted = new Map<string, number>()
  const answers: Promise<void>[] = []
  const begun = performance.now()
  for (let number = 0; number < warmUp + count; number++) {
    await delay(Math.max(0, begun + (number * 1000) / perSecond - performance.now()))
    // Each in turn, so no connection is idle until the server closes it.
    const connection = idle.shift()
    if (connection === undefined) throw new Error('the deliveries are answered too slowly for this rate')
    const id = `evt_${run}_${String(number).padStart(6, '0')}`
    const bytes = request('bluepencil', id, Date.now())
    posted.set(id, performance.now())
    const answered = async () => {
      const status = await connection.exchange(bytes)
      idle.push(connection)
      if (status !== 202) throw new Error(`${status} was answered, not 202`)
    }
    const answer = answered()
    answer.catch(() => undefined)
    answers.push(answer)
  }
  await Promise.all(answers)
  const deadline = performance.now() + 30_000
  while ([...posted.keys()].some((id) => !arrivals.has(id))) {
    if (performance.now() > deadline) throw new Error('not every event reached the provider')
    await delay(20)
  }
  for (const connection of idle) connection.close()
  return [...posted]
    .slice(warmUp)
    .map(([id, at]) => (arrivals.get(id) ?? 0) - at)
    .sort((one, other) => one - other)
}

/** Answers as Discord's and Slack's webhooks do, at once, and notes when each event's first request began. */
async function startProvider() {
  const arrivals = new Map<string, number>()
  const server = createServer((incoming, response) => void serve(incoming, response, performance.now()))
  async function serve(incoming: IncomingMessage, response: ServerResponse, at: number): Promise<void> {
    const [id] = /evt_[a-z]+_\d{6}/.exec(await text(incoming)) ?? []
    if (id !== undefined && !arrivals.has(id)) arrivals.set(id, at)
    const isSlack = incoming.url?.startsWith('/services/')
    response.setHeader('Content-Type', isSlack ? 'text/plain' : 'application/json')
    response.end(isSlack ? 'ok' : '{"id":"1180000000000000002"}')
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = z.object({ port: z.int() }).parse(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
