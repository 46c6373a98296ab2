import { createHash } from 'node:crypto'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { StoredEntry } from '../../../src/store/store.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'
import { type Chance, chance } from '../detector/chance.ts'
import { createActs, type Deeds, type Machine, type Stage } from './acts.ts'
import { type Arrangement, arrange, escalationsOf, hours, storiesOf } from './configuration.ts'
import { createDesk, type Desk } from './desk.ts'
import { asOne } from './desks.ts'
import { createDiscord } from './discord.ts'
import { createMachineDisk, type MachineDisk, soundDisk } from './disk.ts'
import { createMailServer } from './mail.ts'
import { fairWeather, type Host, simulatedFetch } from './network.ts'
import { enter, turn } from './patches.ts'
import { createReaders, type Readers } from './readers.ts'
import {
  closings,
  dayMs,
  deskWork,
  type HostName,
  type Scenario,
  scenario,
  sendings,
  silences,
} from './scenario.ts'
import { createService, type Service } from './service.ts'
import { distantStore } from './shared-store.ts'
import { createSlack } from './slack.ts'
import { type Actor, createTimeline, type Timeline } from './timeline.ts'

/** All that can be known of one run from outside, when it is over. */
export interface Run {
  seed: number
  scenario: Scenario
  readers: Readers
  service: Service
  forged: readonly string[]
  /** What a person asked to be sent again. */
  replays: readonly { id: string; channel: string; queued: boolean }[]
  /** The acts, by their ids, of people who were answered that it is noted. */
  noted: readonly string[]
  /** When a process was killed, by the true time. */
  kills: readonly number[]
  /** What nobody caught, and would have ended the process. */
  crashes: readonly string[]
  /** What a process did when it had stopped. */
  afterStop: readonly string[]
  /** In force from when on, by the true time. */
  arrangements: readonly { from: number; arrangement: Arrangement }[]
  leaps: readonly { from: number; until: number; by: number }[]
  /** The store as it was opened after the end, oldest first. */
  stored: readonly StoredEntry[]
  /** What a desk said of its files, and what the store says when it is opened after the end. */
  damage: readonly string[]
  start: number
  /** From when on the acts of the scenario happen, by the true time. */
  began: number
  end: number
  /** The desk ended by itself within the time that it has for it. */
  hasStopped: boolean
  /** Everything was settled in the end. */
  isSettled: boolean
  counts: Counts
  history: readonly string[]
  log: readonly string[]
  /** Of all that happened, in its order. */
  fingerprint: string
}

export interface Counts {
  days: number
  steps: number
  deliveries: number
  kills: number
  faults: number
  reloads: number
}

const start = Date.parse('2026-11-02T08:00:00Z')
/** The service waits so long for an answer. */
const answerMs = 30_000
/** What is uncertain is tried for a day. */
const calmMs = 30 * 60 * 60_000
/**
 * An alert may come in the calm, as its delivery was tried for a day, just after the day's digest. The digest
 * may lie in quiet hours of half a day, and be put off by a clock that was a day ahead.
 */
const heldMs = 84 * 60 * 60_000

export async function live(seed: number): Promise<Run> {
  const chances = (stream: number) => chance(seed, stream)
  const life = scenario(chances(1))
  const beside = [
    ...silences(chances(10), life.span),
    ...closings(chances(12), life.span),
    ...sendings(chances(13), life),
    ...deskWork(chances(14), life.span),
  ]
  const plan: Scenario = { ...life, acts: [...life.acts, ...beside] }
  const timeline = createTimeline(start, turn)
  const history: string[] = []
  const fingerprint = createHash('sha256')
  const note = (what: string) => {
    const line = `${new Date(timeline.now()).toISOString()} ${what}`
    history.push(line)
    fingerprint.update(`${line}\n`)
  }
  const readers = createReaders(timeline.now)
  const clockOf = (name: keyof Scenario['ahead']) => () => timeline.now() + plan.ahead[name]
  const slack = createSlack({ now: clockOf('slack'), readers })
  const hooks: Host = { name: 'hooks', weather: { ...fairWeather }, answer: slack.answer }
  const discord = createDiscord({ now: clockOf('discord'), readers })
  const service = createService({ timeline, random: chances(2), now: clockOf('service'), note })
  const machine: Machine = { disk: soundDisk, downFor: 2_000, rot: false }
  const deskChance = chances(3)
  const storeChance = chances(7)
  const disk = createMachineDisk({ timeline, random: deskChance, weather: () => machine.disk, note })
  const ownDisk = { mount: disk.mount, losePower: () => undefined }
  const backing = createMemoryBacking({
    now: () => Math.floor(timeline.now() + desk.ahead()),
    sleep: (milliseconds) => new Promise((resolve) => void timeline.worldAfter(milliseconds, resolve)),
  })
  const onlooker = backing.open()
  const shared = {
    mount(onStep: () => void, actor: Actor) {
      const handle = backing.open()
      const openStore = async () => distantStore(handle, actor, { timeline, random: storeChance, onStep })
      return { openStore, kill: handle.kill }
    },
    losePower: () => undefined,
  }
  const openDesk = (name: string): Desk => {
    const created: Desk = createDesk({
      timeline,
      random: deskChance,
      name,
      ...(plan.isShared ? shared : ownDisk),
      note,
      onEnd: (isKill) => startAgain(created, isKill),
    })
    return created
  }
  const desks = plan.isShared ? [openDesk('desk-a'), openDesk('desk-b')] : [openDesk('desk')]
  const desk = asOne(desks, chances(8))
  const mail = createMailServer({ timeline, random: chances(4), readers, note, onStep: desk.onStep })
  const hosts = new Map<string, Host>([
    ['slack.com', slack],
    ['hooks.slack.com', hooks],
    ['discord.com', discord],
    ['monitor.example', service],
  ])
  enter({
    timeline,
    seed,
    fetch: simulatedFetch({ timeline, random: chances(5), hosts, readers, note, onStep: desk.onStep }),
    connect: mail.connect as never,
  })

  const random = chances(6)
  const hourChance = chances(9)
  const storiesIn = storiesOf(chances(11))
  const escalationIn = escalationsOf(chances(15))
  const hoursOf = () => ({ ...hours(hourChance), ...storiesIn(), ...escalationIn() })
  const deeds: Deeds = {
    forged: [],
    replays: [],
    noted: [],
    arrangements: [{ from: start, arrangement: arrange(random, plan.channels, plan.polling, hoursOf) }],
    leaps: [],
    counts: { faults: 0, kills: 0, reloads: 0 },
  }
  const latest = () => deeds.arrangements.at(-1)?.arrangement ?? arrange(random, plan.channels, plan.polling)
  const weathers: Record<HostName, { weather: typeof fairWeather }> = { slack, hooks, discord, mail, service }
  let ids = 0
  let isOver = false
  let deliveries = 0
  const stage: Stage = {
    random,
    timeline,
    note,
    newId: (prefix = 'evt') => `${prefix}_${seed}x${++ids}`,
    desk,
    service,
    serviceNow: clockOf('service'),
    slack,
    discord,
    weathers,
    polling: plan.polling,
    latest,
  }
  const { act, report } = createActs(stage, deeds, machine)

  service.post = async (body, signature) => {
    deliveries += 1
    // A process that is killed never answers.
    const tooLong = new Promise<undefined>((resolve) => {
      timeline.worldAfter(answerMs, () => resolve(undefined))
    })
    const answer = await Promise.race([desk.post(body, { 'x-service-signature': signature }), tooLong])
    return lossy(random, answer)
  }

  /** As systemd does: it is started again when it has ended, after a while. */
  const kills: number[] = []
  function startAgain(one: Desk, isKill: boolean): void {
    if (isKill) kills.push(timeline.now())
    if (machine.rot) disk.rot()
    machine.rot = false
    timeline.worldAfter(machine.downFor, () => {
      if (!one.isUp() && !isOver) one.start(latest())
    })
    machine.downFor = 2_000
  }

  const crashes: string[] = []
  const onCrash = (error: unknown) => {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    crashes.push(what)
    note(`nobody caught: ${what}`)
  }
  process.on('unhandledRejection', onCrash)
  process.on('uncaughtException', onCrash)
  desk.start(latest())
  await timeline.pass(60_000)
  const began = timeline.now()
  for (const what of plan.acts) timeline.worldAfter(what.at, () => act(what))
  await timeline.pass(plan.span)
  // What was begun in the span may go on after it: the clock that is set right, the second report.
  await timeline.pass(3 * dayMs, () => timeline.now() > lastOf(plan) && plan.span > 0)

  note('calm')
  for (const host of Object.values(weathers)) host.weather = { ...fairWeather }
  machine.disk = soundDisk
  desk.setAhead(0)
  await timeline.pass(2 * 60 * 60_000)
  report({ model: 'claude' })
  report({ model: 'gemini' })
  let isSettled = false
  let isHeld = false
  for (let passed = 0; passed < (isHeld ? heldMs : calmMs) && !isSettled; passed += 20 * 60_000) {
    await timeline.pass(20 * 60_000)
    // A shared store answers as time goes by.
    const rows = plan.isShared
      ? await onlooker.list({ limit: 10_000 })
      : ((await desk.control()?.events({ limit: 10_000 })) ?? [])
    const isTaken = service.deliveries.every(
      ({ accepted, attempts }) => accepted !== undefined || attempts === 0,
    )
    const states = rows.flatMap(({ outcomes }) => Object.values(outcomes).map(({ state }) => state))
    const isSent = isTaken && !states.includes('waiting')
    // What was held is sent later: it may be on its way just then.
    isHeld ||= states.includes('held')
    isSettled = isSent && !states.includes('held')
  }
  let hasStopped = false
  note('the end')
  isOver = true
  void Promise.all(desks.map((one) => one.stop())).then(() => {
    hasStopped = true
  })
  await timeline.pass(15_000, () => hasStopped)
  const end = timeline.now()
  process.off('unhandledRejection', onCrash)
  process.off('uncaughtException', onCrash)
  if (!hasStopped) for (const running of desks) running.kill('process')
  const { stored, damage } = plan.isShared
    ? { stored: (await onlooker.list({ limit: 100_000 })).toReversed(), damage: [] }
    : await readStore(disk, timeline)
  disk.remove()
  for (const { place, at, own } of readers.shown) fingerprint.update(`${place} ${at} ${own}\n`)
  return {
    seed,
    scenario: plan,
    readers,
    service,
    ...deeds,
    kills,
    crashes,
    afterStop: desk.afterStop(),
    stored,
    damage: [...desk.log().filter((line) => line.includes(' is damaged: ')), ...damage],
    start,
    began,
    end,
    hasStopped,
    isSettled,
    counts: { ...deeds.counts, days: (end - start) / dayMs, steps: timeline.steps(), deliveries },
    history,
    log: desk.log(),
    fingerprint: fingerprint.digest('hex').slice(0, 16),
  }

  function lastOf({ acts, span }: Scenario): number {
    const ends = acts.map((what) =>
      what.act === 'rise-again' ? what.at + what.after : 'until' in what ? what.until : what.at,
    )
    return start + 60_000 + Math.max(span, ...ends) + 60_000
  }
}

async function readStore(disk: MachineDisk, timeline: Timeline) {
  const damage: string[] = []
  const store = await openSqliteStore(disk.folder(), {
    now: timeline.now,
    onTrouble: (sentence) => void damage.push(sentence),
  })
  const stored = (await store.list({ limit: 100_000 })).toReversed()
  await store.close()
  return { stored, damage }
}

/** The way back to the service loses an answer now and then. */
function lossy(random: Chance, status: number | undefined): number | undefined {
  return random() < 0.03 ? undefined : status
}
