import { createHmac } from 'node:crypto'
import type { DeskState } from '../../../src/event/desk.ts'
import { type Chance, whole } from '../detector/chance.ts'
import { type Arrangement, rearrange } from './configuration.ts'
import type { Desk } from './desk.ts'
import type { DiscordServer } from './discord.ts'
import { type DiskWeather, soundDisk } from './disk.ts'
import { fairWeather, type Weather } from './network.ts'
import { type Act, dayMs, type HostName } from './scenario.ts'
import { type Report, reportOf, type Service } from './service.ts'
import type { SlackWorkspace } from './slack.ts'
import type { Timeline } from './timeline.ts'

/** Where the acts of a scenario take place. */
export interface Stage {
  random: Chance
  timeline: Timeline
  note(what: string): void
  newId(prefix?: string): string
  desk: Desk
  service: Service
  /** The time by the clock of the service. */
  serviceNow(): number
  slack: Pick<SlackWorkspace, 'pretend' | 'closeEdits'>
  discord: Pick<DiscordServer, 'closeEdits'>
  weathers: Record<HostName, { weather: Weather }>
  polling: boolean
  latest(): Arrangement
}

/** What the acts have done, for the judge. */
export interface Deeds {
  forged: string[]
  replays: { id: string; channel: string; queued: boolean }[]
  noted: string[]
  arrangements: { from: number; arrangement: Arrangement }[]
  leaps: { from: number; until: number; by: number }[]
  counts: { faults: number; kills: number; reloads: number }
}

/** What the acts have made of the machine. */
export interface Machine {
  disk: DiskWeather
  /** How long the next end lasts, in milliseconds. */
  downFor: number
  /** One bit of what is on disk turns while the desk is down. */
  rot: boolean
}

const by = { name: 'Ana', via: 'command' } as const

export function createActs(stage: Stage, deeds: Deeds, machine: Machine) {
  const {
    random,
    timeline,
    note,
    newId,
    desk,
    service,
    serviceNow,
    slack,
    discord,
    weathers,
    polling,
    latest,
  } = stage

  function report(changes: Partial<Report> = {}): Report {
    const event = { ...reportOf(random, newId(), serviceNow()), ...changes }
    service.report(event)
    return event
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
          report({ ...first, id: newId(), delta: 23, detectedAt: serviceNow() }),
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
        deeds.forged.push(id)
        const body = JSON.stringify({ id, type: 'policy_change', model: 'claude', data: {} })
        const signature = createHmac('sha256', 'whsec_of_somebody_else_entirely').update(body).digest('hex')
        void desk.post(body, { 'x-service-signature': signature })
        return
      }
      case 'foreign-id':
        return void report({ id: newId(['poll', 'ntc', 'body', 'sum'][whole(random, 0, 3)]) })
      case 'old-date':
        return void report({ detectedAt: serviceNow() - 365 * dayMs })
      case 'tiny':
        return void report({ delta: random() < 0.5 ? 0.004 : 4.996 })
      case 'pretend': {
        const { id } = report()
        slack.pretend('#ai-desk', id)
        return
      }
      case 'close-edits':
        note('what stands there can be edited no more')
        slack.closeEdits()
        discord.closeEdits()
        return
      case 'weather': {
        deeds.counts.faults += 1
        note(`weather: ${what.host} ${JSON.stringify(what.weather)}`)
        weathers[what.host].weather = what.weather
        timeline.worldAfter(what.until - what.at, () => {
          weathers[what.host].weather = { ...fairWeather }
        })
        return
      }
      case 'disk': {
        deeds.counts.faults += 1
        note(`disk: ${JSON.stringify(what.weather)}`)
        machine.disk = what.weather
        timeline.worldAfter(what.until - what.at, () => {
          machine.disk = soundDisk
        })
        return
      }
      case 'kill': {
        deeds.counts.kills += 1
        machine.downFor = what.downFor
        if (what.after === 0) desk.kill(what.how)
        else desk.killAfter(what.after, what.how)
        return
      }
      case 'restart':
        deeds.counts.kills += 1
        machine.downFor = what.downFor
        void desk.stop()
        return
      case 'reload': {
        deeds.counts.reloads += 1
        const next = rearrange(random, latest(), deeds.counts.reloads, polling)
        deeds.arrangements.push({ from: timeline.now(), arrangement: next })
        note(`reload: ${next.wishes.map(({ name }) => name).join()}`)
        void desk.reload(next)
        return
      }
      case 'replay': {
        const delivery = anyDelivery()
        const wish = latest().wishes[Math.floor(random() * latest().wishes.length)]
        if (delivery?.accepted === undefined || wish === undefined) return
        const replay = { id: delivery.report.id, channel: wish.name, queued: false }
        deeds.replays.push(replay)
        note(`replay: ${replay.id} ${replay.channel}`)
        void desk.replay(replay.id, replay.channel).then((queued) => {
          replay.queued = queued
        })
        return
      }
      case 'leap': {
        note(`leap: ${what.by / 60_000} minutes`)
        deeds.leaps.push({ from: timeline.now(), until: timeline.now() + what.until - what.at, by: what.by })
        desk.leap(what.by)
        timeline.worldAfter(what.until - what.at, () => desk.leap(-what.by))
        return
      }
      case 'rot':
        machine.rot = true
        machine.downFor = 1_000
        desk.kill('process')
        return
      case 'forget-subscriptions':
        service.forget()
        return
      case 'send-held':
        note(`send what is held for ${what.channel}`)
        void desk
          .control()
          ?.sendHeld({ by, key: newId('key') }, what.channel)
          .catch(() => undefined)
        return
      case 'desk':
        return void deskWork(what.which, what.does).catch(() => undefined)
      case 'silence':
        return void silence(what.lasts, what.endedAfter).catch(() => undefined)
    }
  }

  /** Of an alert that the desk has answered for. */
  async function deskWork(which: number, does: 'acknowledge' | DeskState): Promise<void> {
    const answered = service.deliveries.filter(({ accepted }) => accepted !== undefined)
    const id = answered[Math.floor(which * answered.length)]?.report.id
    const acts = desk.control()?.acts
    if (id === undefined || acts === undefined) return
    note(`desk: ${does} ${id}`)
    const doer = { by: { ...by, name: which < 0.5 ? 'Ana' : 'Ben' }, key: newId('key') }
    if (does === 'acknowledge') return void (await acts.acknowledge(doer, id))
    const story = `https://news.example/${id}`
    const done = await acts.setDesk(doer, id, { state: does, story })
    if (done.result === 'done' && done.desk.act !== undefined) deeds.noted.push(done.desk.act)
  }

  /** Where nothing runs, or the process ends meanwhile, nobody is answered and there may be no silence. */
  async function silence(lasts: number, endedAfter: number | undefined): Promise<void> {
    const scope = random() < 0.5 ? { model: 'claude' } : {}
    note(`silence: ${JSON.stringify(scope)} for ${lasts / 60_000} minutes`)
    const wanted = { scope, until: timeline.now() + desk.ahead() + lasts, why: 'known' }
    const done = await desk.control()?.acts.silence({ by, key: newId('key') }, wanted)
    if (done?.result !== 'done' || endedAfter === undefined) return
    const { id } = done.silence
    timeline.worldAfter(endedAfter, () => {
      note(`end of silence: ${id}`)
      void desk
        .control()
        ?.acts.endSilence({ by, key: newId('key') }, id)
        .catch(() => undefined)
    })
  }

  return { act, report }
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
