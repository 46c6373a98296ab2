import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { dayMs } from '../../../src/platform/durations.ts'
import { openDesk } from './desk.ts'

const days = 90

/** A service with the histories of models, and desks that read them, for all tests of a file. */
export function modelsDesk() {
  const ends: (() => Promise<void>)[] = []
  const closing = (end: () => Promise<void>) => void ends.push(end)
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  const service = {
    asked: [] as string[],
    answers: 'at once' as 'at once' | 'never' | 'with an error' | 'not',
  }

  /** A service whose figures are the same each day but for the last week. */
  async function openService(): Promise<string> {
    const server: Server = createServer((request, response) => {
      service.asked.push(request.url ?? '')
      if (service.answers === 'never') return
      if (service.answers === 'not') return void request.socket.destroy()
      if (service.answers === 'with an error') {
        response.writeHead(500).end('{"error":{"code":"INTERNAL","message":"no"}}')
        return
      }
      const [, model = ''] = /monitoring\/(\w+)\/history/.exec(request.url ?? '') ?? []
      const first = Date.now() - (days - 1) * dayMs
      const points = Array.from({ length: days }, (_, day) => ({
        date: new Date(first + day * dayMs).toISOString(),
        refusal_rate: (day > days - 8 ? 30 : 18) + (model === 'claude' ? 1.5 : 0),
        sample_size: 500,
      }))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ model, points }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing(async () => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }

  async function deskWith(monitor: object | undefined) {
    service.asked = []
    const more = monitor === undefined ? {} : { monitor: { apiKey: 'mk_1', tier: 'researcher', ...monitor } }
    return openDesk({ polling: { mode: 'off' }, ...more }, { closing })
  }

  return { service, closing, openService, deskWith }
}

export function dataOf(category: string, delta: string, at = Date.now()) {
  return { data: { category, delta, detected_at: new Date(at).toISOString() } }
}
