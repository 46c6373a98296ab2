import { type App, startApp } from '../../../src/app/app.ts'
import type { Environment } from '../../../src/app/environment.ts'
import type { Control } from '../../../src/people/control/control.ts'
import type { Clock } from '../../../src/platform/clock.ts'
import { fileOf } from '../../support/app.ts'
import { handedHttp } from '../../support/fakes/handed-http.ts'
import type { Chance } from '../detector/chance.ts'
import type { Arrangement } from './configuration.ts'
import { type Actor, actors, type Timeline } from './timeline.ts'

export interface DeskParts {
  timeline: Timeline
  random: Chance
  name: string
  /** Its way to the store, from its start to its end. */
  mount(onStep: () => void, actor: Actor): { openStore: Environment['openStore']; kill(): void }
  losePower(): void
  note(what: string): void
  /** The process has ended, however that was. */
  onEnd(isKill: boolean): void
}

/** Bluepencil as one process of the simulation: it can be started, stopped, killed, and given another configuration. */
export interface Desk {
  start(arrangement: Arrangement): void
  /** As SIGTERM. Resolves when it has ended. */
  stop(): Promise<void>
  /** As SIGKILL, or as a power failure. */
  kill(how: 'process' | 'power'): void
  /** Kills it after so many more steps to the disk or the network. */
  killAfter(steps: number, how: 'process' | 'power'): void
  reload(arrangement: Arrangement): Promise<void>
  /** Answers whether it will be sent again. */
  replay(eventId: string, channel: string): Promise<boolean>
  /** What processes sent out when they had said that they have stopped. */
  afterStop(): readonly string[]
  post(body: string, headers: Record<string, string>): Promise<number | undefined>
  /** The wall clock leaps. */
  leap(milliseconds: number): void
  setAhead(milliseconds: number): void
  ahead(): number
  isUp(): boolean
  isRunning(): boolean
  /** Something of the process goes out. */
  onStep(): void
  /** What it wrote to its log, the last lines. */
  log(): readonly string[]
  control(): Control | undefined
}

/** One process, from its start to its end. */
interface Life {
  actor: Actor
  /** Undefined while it starts. */
  app: App | undefined
  control: Control | undefined
  /** The configuration that the file has by now. */
  changed: Arrangement | undefined
  kill(): void
  http: ReturnType<typeof handedHttp>
}

const bootAt = 1_000_000
const lingerMs = 60_000

export function createDesk({ timeline, random, name, mount, losePower, note, onEnd }: DeskParts): Desk {
  let life: Life | undefined
  let lives = 0
  let ahead = 0
  let fuse: { steps: number; how: 'process' | 'power' } | undefined
  const lines: string[] = []
  const afterStop: string[] = []

  function clockOf(actor: Actor, startedAt: number): Clock {
    return {
      now: () => Math.floor(timeline.now() + actor.ahead),
      uptime: () => timeline.now() - startedAt + bootAt,
      sleep: (milliseconds, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted) return resolve()
          const planned = timeline.after(milliseconds, done)
          function done() {
            planned.cancel()
            signal?.removeEventListener('abort', done)
            resolve()
          }
          signal?.addEventListener('abort', done, { once: true })
        }),
    }
  }

  function start(arrangement: Arrangement): void {
    lives += 1
    const actor: Actor = { name: `${name}-${lives}`, isAlive: true, hasStopped: false, ahead }
    const mounted = mount(onStep, actor)
    const http = handedHttp()
    const mine: Life = {
      actor,
      app: undefined,
      control: undefined,
      changed: undefined,
      kill: mounted.kill,
      http,
    }
    life = mine
    fuse = undefined
    note(`${actor.name} starts`)
    actors.run(actor, () => {
      startApp(fileOf(arrangement.config), {
        clock: clockOf(actor, timeline.now()),
        random,
        openStore: mounted.openStore,
        listen: http.listen,
        async serveControl(_folder, control) {
          mine.control = control
          return async () => {
            mine.control = undefined
          }
        },
        showsProcess: false,
        writeLog(line) {
          log(actor, line)
        },
        out: { write() {}, width: 80, colour: false },
      }).then(
        (app) => {
          mine.app = app
          note(`${actor.name} is ready`)
          // The file was changed before anybody listened for that.
          if (mine.changed !== undefined) void reload(mine.changed)
        },
        (error: unknown) => {
          // The folder has another name in each run.
          note(`${actor.name} could not start: ${String(error).replace(/life-\w+/g, 'life')}`)
          log(actor, String(error))
          if (life === mine) die('process')
        },
      )
    })
  }

  function log(actor: Actor, line: string): void {
    if (!actor.isAlive) return
    lines.push(`${new Date(timeline.now()).toISOString()} ${actor.name} ${line.trimEnd()}`)
  }

  function die(how: 'process' | 'power'): void {
    if (life === undefined) return
    note(`${life.actor.name} is killed (${how})`)
    life.actor.isAlive = false
    life.kill()
    if (how === 'power') losePower()
    life = undefined
    fuse = undefined
    onEnd(true)
  }

  function onStep(): void {
    const actor = actors.getStore()
    if (actor?.hasStopped === true) afterStop.push(`${actor.name} goes on`)
    if (fuse === undefined || actor === undefined || actor !== life?.actor) return
    fuse.steps -= 1
    if (fuse.steps <= 0) die(fuse.how)
  }

  async function reload(arrangement: Arrangement): Promise<void> {
    await within(async (mine) => {
      mine.changed = arrangement
      if (mine.app === undefined) return
      try {
        await mine.app.reload(fileOf(arrangement.config))
        note(`${mine.actor.name} has reloaded`)
      } catch (error) {
        note(`${mine.actor.name} could not reload: ${String(error)}`)
        mine.app.reloadFailed(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  function within<T>(work: (mine: NonNullable<typeof life>) => Promise<T>): Promise<T | undefined> {
    const mine = life
    if (mine === undefined) return Promise.resolve(undefined)
    return actors.run(mine.actor, () => work(mine))
  }

  return {
    start,
    async stop() {
      await within(async (mine) => {
        note(`${mine.actor.name} is asked to stop`)
        await mine.app?.stop()
        if (mine.app === undefined) return
        note(`${mine.actor.name} has stopped`)
        mine.actor.hasStopped = true
        // Its process ends by itself a moment later; until then, nothing of it may go out.
        timeline.worldAfter(lingerMs, () => {
          mine.actor.isAlive = false
          mine.kill()
        })
        if (life !== mine) return
        life = undefined
        onEnd(false)
      })
    },
    kill: die,
    killAfter(steps, how) {
      fuse = { steps, how }
    },
    reload,
    async replay(eventId, channel) {
      const answer = await within(async ({ control }) =>
        control?.replay(eventId, channel).catch(() => undefined),
      )
      return answer?.result === 'queued'
    },
    afterStop: () => afterStop,
    async post(body, headers) {
      return within(async ({ http }) => {
        if (http.listening() === 0) return undefined
        const { status } = await http.ask(8080, { method: 'POST', url: '/webhook', headers, body })
        return status
      })
    },
    leap(milliseconds) {
      ahead += milliseconds
      if (life !== undefined) life.actor.ahead = ahead
    },
    setAhead(milliseconds) {
      ahead = milliseconds
      if (life !== undefined) life.actor.ahead = ahead
    },
    ahead: () => ahead,
    isUp: () => life !== undefined,
    isRunning: () => life?.app !== undefined,
    onStep,
    log: () => lines,
    control: () => life?.control,
  }
}
