import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { realEnvironment } from '../../../src/app/environment.ts'
import { knownModels } from '../../../src/event/event.ts'
import { dayMs } from '../../../src/platform/durations.ts'
import type { Figure, KnownSpan } from '../../../src/store/figures.ts'
import { openDesk } from './desk.ts'

interface StoredFigures {
  stored?: readonly string[]
  days?: number
  polling?: 'always' | 'off'
}

/** As a history that was read just now has them. */
function figuresOf(model: string, host: string, days: number) {
  const [service, seenAt] = [`${host}/v1`, Date.now()]
  const from = (Math.floor(seenAt / dayMs) - days + 1) * dayMs
  const kept = { service, model, part: 0, unit: 'percent', sampleSize: 500, isSizeOfAll: false } as const
  const figures = ['overall', 'political'].flatMap((category) =>
    Array.from({ length: days }, (_, day): Figure => {
      const rate = (day > days - 8 ? 30 : 18) + (model === 'claude' ? 1.5 : 0)
      const measuredAt = from + day * dayMs
      return { ...kept, category, series: 'days', measuredAt, rate, version: null, seenAt }
    }),
  )
  const spans = ['overall', 'political'].map(
    (category): KnownSpan => ({
      service,
      model,
      category,
      source: 'history',
      from: from - dayMs,
      to: seenAt,
    }),
  )
  return { figures, spans }
}

/** Desks with the figures of models, for all tests of a file. */
export function modelsDesk() {
  const ends: (() => Promise<void>)[] = []
  const closing = (end: () => Promise<void>) => void ends.push(end)
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  const service = { asked: [] as string[] }

  /** A service that is away, and that nobody should ask for the page of models. */
  async function openService(): Promise<string> {
    const server: Server = createServer((request) => {
      service.asked.push(request.url ?? '')
      request.socket.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing(async () => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }

  /** A desk in whose store are these models' figures of so many days; the same each day but for the last week. */
  async function deskWith(
    monitor: { baseUrl: string } | undefined,
    {
      stored = knownModels,
      days = 90,
      polling = 'off',
      ...given
    }: StoredFigures & Parameters<typeof openDesk>[1] = {},
  ) {
    service.asked = []
    const openStore: typeof realEnvironment.openStore = async (place, options) => {
      const store = await realEnvironment.openStore(place, options)
      if (monitor === undefined) return store
      const { host } = new URL(monitor.baseUrl)
      for (const model of stored) await store.figures.add(figuresOf(model, host, days))
      return store
    }
    const more = monitor === undefined ? {} : { monitor: { apiKey: 'mk_1', tier: 'researcher', ...monitor } }
    return openDesk({ polling: { mode: polling }, ...more }, { closing, openStore, ...given })
  }

  return { service, closing, openService, deskWith }
}

export function dataOf(category: string, delta: string, at = Date.now()) {
  return { data: { category, delta, detected_at: new Date(at).toISOString() } }
}
