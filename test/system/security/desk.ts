import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { delivery as deliveryAt } from '../../support/app.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { freePort } from '../../support/free-port.ts'
import { eachAlone, type Running, run, start } from '../e2e/process.ts'

/** `serve` as a process of its own, with console channels and a secret that the test knows. */
export interface Desk {
  port: number
  serving: Running
  /** Posts a body that is signed unless other headers are given. */
  post(body: string | Uint8Array, headers?: Record<string, string>): Promise<Reply>
  /** Writes these bytes on a connection of its own, and answers all that comes back until it ends or is reset. */
  raw(bytes: string | Uint8Array): Promise<string>
  /** An open connection. */
  connect(): Promise<Socket>
  /** The value of one sample of /metrics; 0 where there is none. */
  metric(sample: string): Promise<number>
  /** Where the store is. */
  data: string
  /** Bytes of each file of the store. */
  store(): Record<string, number>
  command(...args: string[]): ReturnType<typeof run>
  folder: string
}

interface Reply {
  status: number
  body: unknown
}

const Health = z.object({ status: z.literal('ok') })

/** Closed after the test, or with `afterAll` after all tests of the file. */
export async function openDesk(
  channels = '  - { name: desk, type: console }\n',
  closing: (close: () => Promise<void>) => void = onTestFinished,
): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-malice-'))
  const port = await freePort()
  const configFile = join(folder, 'bluepencil.yaml')
  writeFileSync(
    configFile,
    `
webhook: { secrets: ["${secret}"] }
server: { host: 127.0.0.1, port: ${port} }
store: file:${folder}/data
operators: [operators]
channels:
  - { name: operators, type: console, models: [qwen], categories: [none] }
${channels}`,
  )
  const serving = start(['serve', '--config', configFile], { env: { NODE_OPTIONS: eachAlone } })
  closing(async () => {
    serving.kill('SIGKILL')
    await serving.ended
    rmSync(folder, { recursive: true, force: true })
  })
  const healthy = vi.waitUntil(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
      return answer !== undefined && Health.safeParse(await answer.json()).success
    },
    { timeout: 20_000, interval: 25 },
  )
  const outcome = await Promise.race([healthy.catch(() => 'silent'), serving.ended])
  if (outcome !== true) throw new Error(`not healthy at its start (${outcome}): ${serving.stderr()}`)
  const data = join(folder, 'data')

  return {
    port,
    serving,
    folder,
    post: (body, headers = signed(body)) => post(port, body, headers),
    async raw(bytes) {
      const socket = await open(port)
      socket.write(bytes)
      return allFrom(socket)
    },
    connect: () => open(port),
    async metric(sample) {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
      const line = (await answer.text()).split('\n').find((one) => one.startsWith(`${sample} `))
      return Number(line?.split(' ')[1] ?? 0)
    },
    data,
    store() {
      const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      // One that is being written under another name may be gone by now.
      const sizes = files.map(({ parentPath, name }) => ({
        name,
        size: statSync(join(parentPath, name), { throwIfNoEntry: false })?.size,
      }))
      return Object.fromEntries(sizes.flatMap(({ name, size }) => (size === undefined ? [] : [[name, size]])))
    },
    command: (...args) => run([...args, '--config', configFile]),
  }
}

/**
 * What is closed with bytes unread is reset by the kernel, after the answer: the answer counts, and a test that gets none is red
 * since it is empty.
 */
async function allFrom(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise<void>((resolve) => {
    socket.on('end', resolve)
    socket.on('error', () => resolve())
  })
  socket.destroy()
  return Buffer.concat(chunks).toString()
}

/** A delivery that was detected just now. */
export function delivery(id: string, changes: Record<string, unknown> = {}): string {
  return deliveryAt(id, Date.now(), changes)
}

async function post(
  port: number,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Promise<Reply> {
  const delivery = request({
    host: '127.0.0.1',
    port,
    path: '/webhook',
    method: 'POST',
    headers,
    agent: false,
  })
  delivery.end(body)
  const [answer] = await once(delivery, 'response')
  return { status: answer.statusCode, body: JSON.parse(await text(answer)) }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
