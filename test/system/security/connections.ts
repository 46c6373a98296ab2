import { readdirSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { type Desk, delivery } from './desk.ts'

let numbered = 0

/** Milliseconds that a true delivery takes on a connection of its own. */
export async function trueDelivery(desk: Desk): Promise<number> {
  const began = performance.now()
  const answer = await desk.post(delivery(`evt_true_${numbered++}`))
  expect(answer.status).toBe(202)
  return performance.now() - began
}

export function openFiles(desk: Desk): number {
  return readdirSync(`/proc/${desk.serving.pid}/fd`).length
}

/** Bytes of memory that the process holds. */
export function memory(desk: Desk): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${desk.serving.pid}/status`, 'utf8'))?.[1]) * 1024
}

/** So many connections that begin with these bytes; destroyed when the test ends. */
export async function many(desk: Desk, count: number, bytes: string): Promise<Socket[]> {
  const opened: Socket[] = []
  for (let index = 0; index < count; index += 1) {
    const socket = await desk.connect()
    socket.resume()
    if (bytes !== '') socket.write(bytes)
    opened.push(socket)
    onTestFinished(() => void socket.destroy())
  }
  return opened
}

export function isClosed(socket: Socket): boolean {
  return socket.readableEnded || socket.destroyed
}

export const post = 'POST /webhook HTTP/1.1\r\nHost: desk\r\n'
export const forged = `X-Service-Signature: ${'0'.repeat(64)}\r\n`

/** Ways to hold a connection open. */
export const stalling = {
  'says nothing': '',
  'never ends its headers': `${post}X-Drip: `,
  'never ends its body': `${post}${forged}Content-Length: 262144\r\n\r\n{`,
  'never ends its chunks, unsigned': `${post}Transfer-Encoding: chunked\r\n\r\n5\r\nhello`,
  'waits for 100 Continue': `${post}${forged}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
}
