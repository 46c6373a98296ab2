import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as realTime } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { AppEnvironment } from '../../src/app/environment.ts'
import type { RunningControl } from '../../src/people/control/control.ts'
import type { Store } from '../../src/store/store.ts'
import { delivery, openApp } from './app.ts'
import { handedHttp } from './fakes/handed-http.ts'
import { createManualClock } from './fakes/manual-clock.ts'
import { signed } from './fakes/signed.ts'
import { createMemoryBacking } from './memory-store.ts'

const began = Date.parse('2026-11-21T15:05:09Z')

/** A store that several applications share, if it is not the one in memory. */
export interface OfficePlace {
  /** As one more process. */
  open(): Promise<Store>
  /** Of one who stands beside them. */
  observer: Store
  /** Ends when what was begun is done, and every application was notified of it. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The whole application in this process, without a file, a socket or a timer of its own; its store can be held or fail. */
export function openOffice(changes: Partial<AppEnvironment> = {}, place?: OfficePlace) {
  const clock = createManualClock(began, place?.settled)
  const http = handedHttp()
  const backing = createMemoryBacking(clock)
  /** What a call of the store waits for, or fails with, before it does anything. */
  const before: {
    [Method in Exclude<keyof Store, 'chain' | 'figures' | 'snapshotTo' | 'verify' | 'clocks'>]?:
      | ((...args: Parameters<Store[Method]>) => Promise<void>)
      | undefined
  } = {}
  function openStore(): Store {
    const memory = backing.open()
    return {
      ...memory,
      async accept(batch) {
        await before.accept?.(batch)
        return memory.accept(batch)
      },
      async settle(eventId, channel, outcome, ...rest) {
        await before.settle?.(eventId, channel, outcome, ...rest)
        return memory.settle(eventId, channel, outcome, ...rest)
      },
      async alter(eventId, channel, change) {
        await before.alter?.(eventId, channel, change)
        return memory.alter(eventId, channel, change)
      },
      async find(eventId) {
        await before.find?.(eventId)
        return memory.find(eventId)
      },
      async changeState(key, change) {
        await before.changeState?.(key, change)
        return memory.changeState(key, change)
      },
      async readState(key) {
        await before.readState?.(key)
        return memory.readState(key)
      },
      async backlog() {
        await before.backlog?.()
        return memory.backlog()
      },
    }
  }
  let control: RunningControl | undefined
  const app = openApp({
    clock,
    random: () => 0.5,
    showsProcess: false,
    openStore: place?.open ?? (async () => openStore()),
    listen: http.listen,
    async serveControl(_folder, served) {
      control = served
      return async () => {}
    },
    ...changes,
  })
  return {
    ...app,
    clock,
    http,
    /** What is stored, as one who stands beside the application sees it. */
    store: place?.observer ?? backing.open(),
    backing,
    before,
    control(): RunningControl {
      if (control === undefined) throw new Error('nobody asked to be controlled')
      return control
    },
    async deliver(port: number, id: string, changed: object = {}): Promise<number> {
      const body = delivery(id, clock.now(), changed)
      return (await http.ask(port, { method: 'POST', url: '/webhook', headers: signed(body), body })).status
    },
    /** Moves the clock by steps of a quarter second, until what is waited for has come. */
    async passUntil(hasCome: () => boolean | Promise<boolean>): Promise<void> {
      for (let steps = 0; !(await hasCome()); steps++) {
        if (steps > 1_000) throw new Error(`waited in vain for ${hasCome.toString()}`)
        await clock.advance(250)
        await realTime(1)
      }
    },
    /** The same for a promise; answers what it does, and rejects where it does. */
    async passing<T>(promise: Promise<T>): Promise<T> {
      let isDone = false
      const done = promise.finally(() => {
        isDone = true
      })
      done.catch(() => undefined)
      for (let steps = 0; !isDone && steps < 1_000; steps++) {
        await clock.advance(250)
        await realTime(1)
      }
      if (!isDone) throw new Error('waited in vain')
      return done
    },
  }
}

/** An incoming webhook whose answers wait until they are let go. */
export async function openSlowHook() {
  const waiting: ServerResponse[] = []
  const got: string[] = []
  let isHeld = false
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push(/evt_\w+/.exec(Buffer.concat(chunks).toString())?.[0] ?? '')
      if (isHeld) waiting.push(response)
      else response.end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${port}/services/T/B/X`,
    /** The ids of the alerts that came, answered or not. */
    got,
    hold() {
      isHeld = true
    },
    letGo() {
      isHeld = false
      for (const response of waiting.splice(0)) response.end('ok')
    },
  }
}
