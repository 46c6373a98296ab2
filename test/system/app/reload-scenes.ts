import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'vitest'
import type { OpenedConfig } from '../../../src/app/opened-config.ts'
import { createRunningApp } from '../../../src/app/running-app.ts'
import type { Channel } from '../../../src/channels/channel.ts'
import { CommonSettings } from '../../../src/channels/settings.ts'
import { settleRemoved } from '../../../src/deliver/removed.ts'
import { recallDeliveries } from '../../../src/intake/poll/mode.ts'
import type { Poller } from '../../../src/intake/poll/poll.ts'
import { createPipeline } from '../../../src/pipeline.ts'
import { type Store, StoreUnavailable } from '../../../src/store/store.ts'
import { configOf } from '../../support/app.ts'
import { chance } from '../../support/fakes/chance.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
const day = 24 * 60 * 60_000

/** What happens at the n-th place where the machine waits for something. */
export const happenings = ['fails', 'lasts', 'stop', 'event', 'replay', 'reload'] as const
type Happening = (typeof happenings)[number]

/** The machine with real pipelines and a store in memory. Every place where it waits is counted, and some are chosen. */
async function openMachine(chosen: ReadonlyMap<number, Happening>) {
  const clock = createManualClock(start)
  const memory = createMemoryBacking(clock).open()
  let places = 0
  let isQuiet = false
  const wrong: string[] = []
  const errors: string[] = []
  const configurations = new Map<OpenedConfig, string>()
  const open = new Map<string, number>()
  /** Configurations whose keeper, or poller, runs. */
  const keeping = new Set<string>()
  const polling = new Set<string>()
  const sending = new Map<string, number>()
  /** Ids of what the desk got, in order. */
  const sent: string[] = []
  const accepted: string[] = []
  const verified: string[] = []
  const reloads: { name: string; end: 'in force' | 'not' | undefined }[] = []
  let latestPoller: string[] = []
  let isStopped = false
  /** A try failed or was cut off, or a person asked for another: an alert may come again, or later than others. */
  let mayRepeat = false
  let stopped: Promise<void> | undefined
  let events = 0
  let others = 0

  /** Something takes a moment, and may fail. */
  async function place(what: string, Kind: new (message: string) => Error = Error): Promise<void> {
    places += 1
    const happens = isQuiet ? undefined : chosen.get(places)
    if (happens === 'fails' || happens === 'lasts') mayRepeat = true
    if (happens === 'fails') throw new Kind(`${what} failed`)
    if (happens === 'lasts') return clock.sleep(20_000)
    if (happens !== undefined) queueMicrotask(() => happen(happens))
    await turn()
  }

  function happen(what: Exclude<Happening, 'fails' | 'lasts'>): void {
    if (what === 'stop') stop()
    else if (what === 'event') void deliver()
    else if (what === 'replay') void replay()
    else void reload(`other-${++others}`)
  }

  const store: Store = {
    ...memory,
    async accept(batch) {
      await place('accept', StoreUnavailable)
      return memory.accept(batch)
    },
    async settle(...owed) {
      await place('settle', StoreUnavailable)
      return memory.settle(...owed)
    },
    async find(id) {
      await place('find', StoreUnavailable)
      return memory.find(id)
    },
    async backlog() {
      await place('backlog', StoreUnavailable)
      return memory.backlog()
    },
    async nextDue(channel) {
      await place('nextDue', StoreUnavailable)
      return memory.nextDue(channel)
    },
  }
  const deliveryLog = await recallDeliveries(store, () => {})

  /** A channel that all have, and one of its own. */
  async function configure(name: string): Promise<OpenedConfig> {
    await place(`opening ${name}`)
    const names = ['desk', `only-${name}`]
    const channels = names.map((channelName): Channel => {
      const key = `${name}/${channelName}`
      open.set(key, (open.get(key) ?? 0) + 1)
      return {
        name: channelName,
        type: 'console',
        paceMs: 0,
        async send(message, { signal }) {
          sending.set(name, (sending.get(name) ?? 0) + 1)
          if (sending.size > 1) wrong.push(`${[...sending.keys()].join(' and ')} send at once`)
          if (isStopped) wrong.push(`${name} sends after the stop`)
          if ((open.get(key) ?? 0) !== 1) wrong.push(`${key} sends and is not open`)
          try {
            await Promise.race([place('send'), aborted(signal)])
            if (signal.aborted) return { result: 'retry', why: 'cut off', uncertain: true }
            if (channelName === 'desk') sent.push(message.id.replace(/-again-.*/, ''))
            return { result: 'sent', receipt: { text: 'r' } }
          } finally {
            const left = (sending.get(name) ?? 0) - 1
            if (left > 0) sending.set(name, left)
            else sending.delete(name)
          }
        },
        check: async () => [],
        async close() {
          open.set(key, (open.get(key) ?? 0) - 1)
          await place('closing')
        },
      }
    })
    const config = configOf([])
    const prepared: OpenedConfig = {
      config,
      channels,
      peopleService: undefined,
      keeper: {
        start() {
          keeping.add(name)
          if (keeping.size > 1) wrong.push(`${[...keeping].join(' and ')} keep the subscription`)
        },
        ready: () => place('reading of the subscription'),
        delivered() {},
        ensureNow: async () => ({ state: 'unknown', why: '' }),
        secrets: () => [],
        status: () => ({ state: 'unknown', why: '' }),
        async stop() {
          keeping.delete(name)
          await place('stopping the keeper')
        },
      },
      seen: () => ({ state: 'unknown' }),
      picture: undefined,
      poll(_take, known) {
        polling.add(name)
        if (polling.size > 1) wrong.push(`${[...polling].join(' and ')} poll`)
        const knows = known.all().map(({ event }) => event.id)
        latestPoller = knows
        const poller: Pick<Poller, 'delivered' | 'readSoon' | 'stop'> = {
          delivered: ({ id }) => void knows.push(id),
          readSoon: () => undefined,
          async stop() {
            polling.delete(name)
            await place('stopping the poller')
          },
        }
        return poller as Poller
      },
      figures: () => Promise.reject(new Error('nobody asks')),
      storedFigures: () => Promise.reject(new Error('nobody asks')),
      modelFigures: () => Promise.reject(new Error('nobody asks')),
      budgetLeft: async () => undefined,
      pipeline() {
        if (name === 'broken') throw new Error('it cannot be put together')
        return createPipeline({
          store,
          horizon: store.horizon,
          isOpen: () => true,
          silences: () => [],
          seen: () => ({ state: 'unknown' }),
          channels,
          routing: {
            channels: names.map((one) => CommonSettings.parse({ name: one })),
            operators: [],
            retentionMs: 90 * day,
          },
          service: 'Service',
          clock,
          random: () => 0.5,
          onEvent: () => {},
        })
      },
      storeUnprocessed: (_event, error) => Promise.reject(error),
      async settleRemovedIfAlone() {
        await settleRemoved(store, names, () => place('saying what is gone'))
        return true
      },
      warnOfSilence() {},
      async close() {
        const closed = await Promise.allSettled(channels.map((channel) => channel.close()))
        if (closed.some(({ status }) => status === 'rejected')) throw new Error('a channel did not close')
      },
    }
    configurations.set(prepared, name)
    return prepared
  }

  const first = await configure('first')
  const machine = createRunningApp({
    first,
    store,
    clock,
    deliveryLog,
    onError: (error, doing) => void errors.push(`${doing}: ${String(error)}`),
  })

  async function deliver(): Promise<void> {
    const id = `evt_${++events}`
    const event = alert({ id })
    machine.delivered(event)
    verified.push(id)
    try {
      await machine.accept(event)
      accepted.push(id)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) wrong.push(`an event failed: ${String(error)}`)
    }
  }

  async function replay(): Promise<void> {
    mayRepeat = true
    await machine.replay('evt_1', 'desk').catch(() => undefined)
  }

  async function reload(name: string): Promise<void> {
    const reload: (typeof reloads)[number] = { name, end: undefined }
    reloads.push(reload)
    await machine
      .reload(() => configure(name))
      .then(
        () => {
          reload.end = 'in force'
        },
        () => {
          reload.end = 'not'
        },
      )
  }

  function stop(): void {
    stopped ??= machine.stop(8_000).then(() => {
      isStopped = true
    })
  }

  return {
    clock,
    machine,
    memory,
    wrong,
    errors,
    reloads,
    accepted,
    verified,
    sent,
    open,
    keeping,
    polling,
    deliver,
    replay,
    reload,
    stop,
    places: () => places,
    mayRepeat: () => mayRepeat,
    quiet() {
      isQuiet = true
    },
    inForce: () => configurations.get(machine.current()),
    knownToPolling: () => latestPoller,
    stopped: () => stopped,
    /** Until nothing happens any more without the clock. */
    async calm(): Promise<void> {
      for (let before = -1; before !== places; ) {
        before = places
        for (let turns = 0; turns < 4; turns++) await clock.advance(0)
      }
    },
  }
}

type Machine = Awaited<ReturnType<typeof openMachine>>

/** What comes one upon the other, with time to finish in between. */
export const scenes: Record<string, (machine: Machine) => Promise<void>> = {
  async 'a start'(machine) {
    await begin(machine)
  },
  async 'a reload among events'(machine) {
    await begin(machine)
    void machine.deliver()
    void machine.reload('second')
    void machine.deliver()
    await machine.calm()
    void machine.deliver()
  },
  async 'two reloads at once'(machine) {
    await begin(machine)
    void machine.deliver()
    await turn()
    void machine.reload('second')
    void machine.reload('third')
    void machine.deliver()
    await turn()
    void machine.replay()
  },
  async 'a reload, a replay and a stop'(machine) {
    await begin(machine)
    await machine.deliver()
    void machine.replay()
    void machine.reload('second')
    void machine.deliver()
    await turn()
    machine.stop()
    void machine.deliver()
  },
}

export async function begin({ machine }: Machine): Promise<void> {
  machine.send()
  await machine.settleRemoved()
  machine.subscribe()
}

export async function play(
  scene: (machine: Machine) => Promise<void>,
  chosen = new Map<number, Happening>(),
) {
  const machine = await openMachine(chosen)
  let isPlayed = false
  const played = scene(machine).finally(() => {
    isPlayed = true
  })
  for (let seconds = 0; !isPlayed && seconds < 200; seconds++) {
    await machine.calm()
    if (!isPlayed) await machine.clock.advance(1_000)
  }
  if (!isPlayed) throw new Error('the scene does not end')
  await played
  await machine.calm()
  for (let minutes = 0; minutes < 12; minutes++) {
    await machine.clock.advance(minutes * 60_000)
    await machine.calm()
  }
  return machine
}

export function judge(machine: Machine): void {
  const { wrong, reloads, accepted, sent } = machine
  expect(wrong).toEqual([])
  expect(reloads.filter(({ end }) => end === undefined)).toEqual([])
  expect(sent).toEqual(machine.mayRepeat() ? sent : accepted.slice(0, sent.length))
  // After a stop, the rest waits in the store.
  if (machine.stopped() !== undefined) return
  const last = reloads.findLast(({ end }) => end === 'in force')
  expect(machine.inForce()).toBe(last?.name ?? 'first')
  expect(new Set(sent)).toEqual(new Set(accepted))
  expect(new Set(machine.knownToPolling())).toEqual(new Set(machine.verified))
  expect([...machine.keeping]).toEqual([machine.inForce()])
  expect([...machine.polling]).toEqual([machine.inForce()])
  const openNow = [...machine.open].filter(([, count]) => count !== 0).map(([key]) => key.split('/')[0])
  expect(new Set(openNow)).toEqual(new Set([machine.inForce()]))
}

export async function judgeStopped(machine: Machine): Promise<void> {
  machine.quiet()
  machine.stop()
  await machine.calm()
  await machine.clock.advance(60_000)
  await machine.stopped()
  await machine.clock.advance(10 * 60_000)
  expect(machine.wrong).toEqual([])
  expect([...machine.open].filter(([, count]) => count !== 0)).toEqual([])
  expect([...machine.keeping]).toEqual([])
  expect([...machine.polling]).toEqual([])
  expect(machine.clock.sleeping()).toBe(0)
  for (const id of machine.accepted) {
    const outcome = (await machine.memory.find(id))?.outcomes.desk
    expect(['sent', 'waiting']).toContain(outcome?.state)
  }
}

/** What is wrong after a scene in which this happened; null where nothing is. */
export async function faultOf(
  scene: (machine: Machine) => Promise<void>,
  chosen = new Map<number, Happening>(),
): Promise<string | null> {
  const machine = await play(scene, chosen)
  try {
    judge(machine)
    await judgeStopped(machine)
    return null
  } catch (error) {
    const what = [...chosen].map(([at, happens]) => `${happens} at place ${at}`).join(', ')
    return `${what}: ${String(error)}`
  }
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

export async function counted(scene: (machine: Machine) => Promise<void>): Promise<{ places: number }> {
  const machine = await play(scene)
  return { places: machine.places() }
}

/** What is wrong after a scene in which three things happened, at places drawn from each seed; the first that is not null. */
export async function faultOfSeeds(
  scene: (machine: Machine) => Promise<void>,
  seeds: number,
): Promise<string | null> {
  const { places } = await counted(scene)
  for (let seed = 1; seed <= seeds; seed++) {
    const random = chance(seed)
    const chosen = new Map<number, Happening>()
    while (chosen.size < 3) {
      const at = 3 + Math.floor(random() * (places + 20))
      chosen.set(at, happenings[Math.floor(random() * happenings.length)] ?? 'fails')
    }
    const fault = await faultOf(scene, chosen)
    if (fault !== null) return `seed ${seed}: ${fault}`
  }
  return null
}
