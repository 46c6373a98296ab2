import { createHash, createHmac } from 'node:crypto'
import { openLowdbStore } from '../../src/store/lowdb/open.ts'
import type { StoredEntry } from '../../src/store/store.ts'
import { createMemoryDisk } from '../fakes/memory-disk.ts'
import { type Chance, chance, whole } from '../signal/chance.ts'
import { type Arrangement, arrange, rearrange } from './configuration.ts'
import { createDesk, type Desk } from './desk.ts'
import { createDiscord } from './discord.ts'
import { soundDisk } from './disk.ts'
import { createMailServer } from './mail.ts'
import { fairWeather, type Host, simulatedFetch } from './network.ts'
import { enter, turn } from './patches.ts'
import { createReaders, type Readers } from './readers.ts'
import { type Act, dayMs, type HostName, type Scenario, scenario } from './scenario.ts'
import { createService, type Report, reportOf, type Service } from './service.ts'
import { createSlack } from './slack.ts'
import { createTimeline, type Timeline } from './timeline.ts'

/** All that can be known of one run from outside, when it is over. */
export interface Run {
  seed: number
  scenario: Scenario
  readers: Readers
  service: Service
  forged: readonly string[]
  /** What a person asked to be sent again. */
  replays: readonly { id: string; channel: string; queued: boolean }[]
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
  /** What the store said of its files when it was opened. */
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

export async function live(seed: number): Promise<Run> {
  const chances = (stream: number) => chance(seed, stream)
  const plan = scenario(chances(1))
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
  const memory = createMemoryDisk({ now: () => timeline.now() + desk.ahead() })
  let diskWeather = soundDisk
  const desk: Desk = createDesk({
    timeline,
    random: chances(3),
    disk: memory,
    diskWeather: () => diskWeather,
    note,
    onEnd: startAgain,
  })
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
  const arrangements = [{ from: start, arrangement: arrange(random, plan.channels, plan.polling) }]
  const latest = () => arrangements.at(-1)?.arrangement ?? arrange(random, plan.channels, plan.polling)
  const forged: string[] = []
  const replays: { id: string; channel: string; queued: boolean }[] = []
  const leaps: { from: number; until: number; by: number }[] = []
  const counts: Counts = { days: 0, steps: 0, deliveries: 0, kills: 0, faults: 0, reloads: 0 }
  const weathers: Record<HostName, { weather: typeof fairWeather }> = { slack, hooks, discord, mail, service }
  let ids = 0
  /** How long the next end lasts. */
  let downFor = 2_000
  let isOver = false
  /** One bit of what is on disk turns while the desk is down. */
  let rot = false
  const newId = (prefix = 'evt') => `${prefix}_${seed}x${++ids}`

  service.post = async (body, signature) => {
    counts.deliveries += 1
    // A process that is killed never answers.
    const tooLong = new Promise<undefined>((resolve) => {
      timeline.worldAfter(answerMs, () => resolve(undefined))
    })
    const answer = await Promise.race([desk.post(body, { 'x-service-signature': signature }), tooLong])
    return lossy(random, answer)
  }

  function report(changes: Partial<Report> = {}): Report {
    const one = { ...reportOf(random, newId(), clockOf('service')()), ...changes }
    service.report(one)
    return one
  }

  function anyDelivery() {
    const all = service.deliveries
    return all[Math.floor(random() * all.length)]
  }

  function act(what: Act): void {
    switch (what.act) {
      case 'report':
        return void report()
      case 'burst':
        for (let count = 0; count < what.count; count++) timeline.worldAfter(random() * 2_000, () => report())
        return
      case 'both-ways':
        bothWays(random, { service, timeline, report })
        return
      case 'rise-again': {
        const first = report({ delta: 9, model: 'claude', category: 'political', type: 'censorship_spike' })
        timeline.worldAfter(what.after, () =>
          report({ ...first, id: newId(), delta: 23, detectedAt: clockOf('service')() }),
        )
        return
      }
      case 'repeat': {
        const delivery = anyDelivery()
        if (delivery !== undefined) service.repeat(delivery)
        return
      }
      case 'reworded': {
        const delivery = anyDelivery()
        if (delivery === undefined) return
        service.report(delivery.report, { asText: (payload) => JSON.stringify(turned(payload), null, 1) })
        return
      }
      case 'revise': {
        const delivery = anyDelivery()
        if (delivery === undefined) return
        const delta = delivery.report.delta + (random() < 0.5 ? 4 : 11)
        service.report({ ...delivery.report, delta })
        return
      }
      case 'reuse': {
        const id = newId()
        for (let count = 0; count < what.count; count++) {
          timeline.worldAfter(random() * 60 * 60_000, () => report({ id }))
        }
        return
      }
      case 'forge': {
        const id = newId('evt_forged')
        forged.push(id)
        const body = JSON.stringify({ id, type: 'policy_change', model: 'claude', data: {} })
        const signature = createHmac('sha256', 'whsec_of_somebody_else_entirely').update(body).digest('hex')
        void desk.post(body, { 'x-service-signature': signature })
        return
      }
      case 'foreign-id':
        return void report({ id: newId(['poll', 'ntc', 'body', 'sum'][whole(random, 0, 3)]) })
      case 'old-date':
        return void report({ detectedAt: clockOf('service')() - 365 * dayMs })
      case 'tiny':
        return void report({ delta: random() < 0.5 ? 0.004 : 4.996 })
      case 'pretend': {
        const { id } = report()
        slack.pretend('#ai-desk', id)
        return
      }
      case 'weather': {
        counts.faults += 1
        note(`weather: ${what.host} ${JSON.stringify(what.weather)}`)
        weathers[what.host].weather = what.weather
        timeline.worldAfter(what.until - what.at, () => {
          weathers[what.host].weather = { ...fairWeather }
        })
        return
      }
      case 'disk': {
        counts.faults += 1
        note(`disk: ${JSON.stringify(what.weather)}`)
        diskWeather = what.weather
        timeline.worldAfter(what.until - what.at, () => {
          diskWeather = soundDisk
        })
        return
      }
      case 'kill': {
        counts.kills += 1
        downFor = what.downFor
        if (what.after === 0) desk.kill(what.how)
        else desk.killAfter(what.after, what.how)
        return
      }
      case 'restart':
        counts.kills += 1
        downFor = what.downFor
        void desk.stop()
        return
      case 'reload': {
        counts.reloads += 1
        const next = rearrange(random, latest(), counts.reloads, plan.polling)
        arrangements.push({ from: timeline.now(), arrangement: next })
        note(`reload: ${next.wishes.map(({ name }) => name).join()}`)
        void desk.reload(next)
        return
      }
      case 'replay': {
        const delivery = anyDelivery()
        const wish = latest().wishes[Math.floor(random() * latest().wishes.length)]
        if (delivery?.accepted === undefined || wish === undefined) return
        const replay = { id: delivery.report.id, channel: wish.name, queued: false }
        replays.push(replay)
        note(`replay: ${replay.id} ${replay.channel}`)
        void desk.replay(replay.id, replay.channel).then((queued) => {
          replay.queued = queued
        })
        return
      }
      case 'leap': {
        note(`leap: ${what.by / 60_000} minutes`)
        leaps.push({ from: timeline.now(), until: timeline.now() + what.until - what.at, by: what.by })
        desk.leap(what.by)
        timeline.worldAfter(what.until - what.at, () => desk.leap(-what.by))
        return
      }
      case 'rot':
        rot = true
        downFor = 1_000
        desk.kill('process')
        return
      case 'forget-subscriptions':
        service.forget()
    }
  }

  /** As systemd does: it is started again when it has ended, after a while. */
  const kills: number[] = []
  function startAgain(isKill: boolean): void {
    if (isKill) kills.push(timeline.now())
    if (rot) rotOneBit(random, memory, note)
    rot = false
    timeline.worldAfter(downFor, () => {
      if (!desk.isUp() && !isOver) desk.start(latest())
    })
    downFor = 2_000
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
  diskWeather = soundDisk
  desk.setAhead(0)
  await timeline.pass(2 * 60 * 60_000)
  report({ model: 'claude' })
  report({ model: 'gemini' })
  let isSettled = false
  for (let passed = 0; passed < calmMs && !isSettled; passed += 20 * 60_000) {
    await timeline.pass(20 * 60_000)
    const rows = (await desk.control()?.events({ limit: 10_000 })) ?? []
    const isTaken = service.deliveries.every(
      ({ accepted, attempts }) => accepted !== undefined || attempts === 0,
    )
    isSettled =
      isTaken &&
      rows.every(({ outcomes }) => Object.values(outcomes).every(({ state }) => state !== 'waiting'))
  }
  let hasStopped = false
  note('the end')
  isOver = true
  void desk.stop().then(() => {
    hasStopped = true
  })
  await timeline.pass(15_000, () => hasStopped)
  const end = timeline.now()
  process.off('unhandledRejection', onCrash)
  process.off('uncaughtException', onCrash)
  if (!hasStopped) desk.kill('process')
  const { stored, damage } = await readStore(memory, timeline)
  counts.days = (end - start) / dayMs
  counts.steps = timeline.steps()
  for (const { place, at, own } of readers.shown) fingerprint.update(`${place} ${at} ${own}\n`)
  return {
    seed,
    scenario: plan,
    readers,
    service,
    forged,
    replays,
    kills,
    crashes,
    afterStop: desk.afterStop(),
    arrangements,
    leaps,
    stored,
    damage,
    start,
    began,
    end,
    hasStopped,
    isSettled,
    counts,
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

async function readStore(memory: ReturnType<typeof createMemoryDisk>, timeline: Timeline) {
  const damage: string[] = []
  const { disk } = memory.mount()
  const store = await openLowdbStore('/data', {
    now: timeline.now,
    onTrouble: (sentence) => void damage.push(sentence),
    disk,
    segmentSize: 8,
  })
  const stored = (await store.list({ limit: 100_000 })).toReversed()
  await store.close()
  return { stored, damage }
}

function rotOneBit(
  random: Chance,
  memory: ReturnType<typeof createMemoryDisk>,
  note: (what: string) => void,
): void {
  const files = [...memory.files()].filter(([path, bytes]) => bytes.length > 0 && /segments|state/.test(path))
  const [path, bytes] = files[Math.floor(random() * files.length)] ?? []
  if (path === undefined || bytes === undefined) return
  const turned = Buffer.from(bytes)
  const at = Math.floor(random() * turned.length)
  turned[at] = (turned[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  memory.put(path, turned)
  note(`rot: ${path} byte ${at}`)
}

/** The way back to the service loses an answer now and then. */
function lossy(random: Chance, status: number | undefined): number | undefined {
  return random() < 0.03 ? undefined : status
}

function turned(payload: object): object {
  return Object.fromEntries(Object.entries(payload).toReversed())
}

/** The figures move, and some hours before or after, the service reports it. */
function bothWays(
  random: Chance,
  {
    service,
    timeline,
    report,
  }: { service: Service; timeline: Timeline; report: (changes: Partial<Report>) => Report },
): void {
  const model = random() < 0.5 ? 'claude' : 'gemini'
  const delta = whole(random, 12, 25)
  service.move(model, 'political', delta)
  const wait = random() * 30 * 60 * 60_000
  timeline.worldAfter(wait, () => report({ model, category: 'political', delta, type: 'censorship_spike' }))
}
