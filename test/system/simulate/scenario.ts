import { type DeskState, deskStates } from '../../../src/event/desk.ts'
import { between, type Chance, pick, whole } from '../detector/chance.ts'
import { type DiskWeather, soundDisk } from './disk.ts'
import { fairWeather, type Weather } from './network.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Something that happens at a time after the start; milliseconds. */
export type Act = { at: number } & (
  | { act: 'report' }
  | { act: 'burst'; count: number }
  | { act: 'both-ways' }
  | { act: 'rise-again'; after: number }
  | { act: 'repeat' }
  | { act: 'reworded' }
  | { act: 'revise' }
  | { act: 'reuse'; count: number }
  | { act: 'forge' }
  | { act: 'foreign-id' }
  | { act: 'old-date' }
  | { act: 'tiny' }
  | { act: 'pretend' }
  | { act: 'weather'; host: HostName; weather: Weather; until: number }
  | { act: 'disk'; weather: DiskWeather; until: number }
  | { act: 'kill'; how: 'process' | 'power'; downFor: number; after: number }
  | { act: 'restart'; downFor: number }
  | { act: 'rot' }
  | { act: 'reload' }
  | { act: 'replay' }
  | { act: 'leap'; by: number; until: number }
  | { act: 'forget-subscriptions' }
  | { act: 'close-edits' }
  | { act: 'send-held'; channel: Scenario['channels'][number] }
  | { act: 'desk'; which: number; does: 'acknowledge' | DeskState }
  | { act: 'silence'; lasts: number; endedAfter: number | undefined }
)
export type HostName = 'slack' | 'hooks' | 'discord' | 'mail' | 'service'

export interface Scenario {
  /** Until nothing more happens; milliseconds. */
  span: number
  channels: ('slack' | 'ops' | 'hook' | 'discord' | 'dhook' | 'mail')[]
  polling: boolean
  /** Two processes on one store. */
  isShared: boolean
  /** By how much the clocks of the others are ahead of the true time; milliseconds. */
  ahead: Record<'slack' | 'discord' | 'service', number>
  acts: Act[]
}

/** A life of a desk, all of it by chance. */
export function scenario(random: Chance): Scenario {
  const span = pick(random, hourMs, 2 * hourMs, 2 * hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs, 40 * hourMs)
  const others = (['slack', 'hook', 'discord', 'dhook', 'mail'] as const).filter(() => random() < 0.5)
  const channels: Scenario['channels'] = ['ops', ...(others.length === 0 ? (['slack'] as const) : others)]
  const acts: Act[] = []
  const time = () => Math.floor(random() * span)
  const some = (most: number, chance: number, act: (at: number) => Act) => {
    for (let count = 0; count < most; count++) if (random() < chance) acts.push(act(time()))
  }
  some(12, 0.6, (at) => ({ at, act: 'report' }))
  some(1, 0.2, (at) => ({ at, act: 'burst', count: whole(random, 5, 20) }))
  some(2, 0.3, (at) => ({ at, act: 'both-ways' }))
  some(1, 0.12, (at) => ({ at, act: 'rise-again', after: Math.floor(between(random, hourMs, 2.5 * dayMs)) }))
  some(3, 0.4, (at) => ({ at, act: 'repeat' }))
  some(1, 0.3, (at) => ({ at, act: 'reworded' }))
  some(3, 0.3, (at) => ({ at, act: 'revise' }))
  some(1, 0.05, (at) => ({ at, act: 'reuse', count: whole(random, 3, 8) }))
  some(1, 0.3, (at) => ({ at, act: 'forge' }))
  some(1, 0.2, (at) => ({ at, act: 'foreign-id' }))
  some(1, 0.2, (at) => ({ at, act: 'old-date' }))
  some(1, 0.2, (at) => ({ at, act: 'tiny' }))
  some(1, 0.2, (at) => ({ at, act: 'pretend' }))
  some(4, 0.35, (at) => weatherAct(random, at))
  some(1, 0.2, (at) => ({ at, act: 'disk', ...diskAct(random, at) }))
  some(3, 0.35, (at) => ({
    at,
    act: 'kill',
    how: pick(random, 'process', 'process', 'power'),
    downFor: pick(random, 100, 2_000, 5 * minuteMs),
    after: pick(random, 0, whole(random, 1, 60)),
  }))
  some(2, 0.3, (at) => ({ at, act: 'restart', downFor: pick(random, 10, 5_000, 10 * minuteMs) }))
  some(1, 0.05, (at) => ({ at, act: 'rot' }))
  some(3, 0.3, (at) => ({ at, act: 'reload' }))
  some(2, 0.3, (at) => ({ at, act: 'replay' }))
  some(1, 0.25, (at) => leapAct(random, at))
  for (let count = 0; count < 3; count++) if (random() < 0.4) acts.push(...together(random, time()))
  some(1, 0.1, (at) => ({ at, act: 'forget-subscriptions' }))
  const offset = () => pick(random, 0, 0, 5 * minuteMs, -5 * minuteMs)
  const polling = random() < 0.3
  const ahead = {
    slack: offset(),
    discord: offset(),
    service: pick(random, 0, 0, 2 * minuteMs, -2 * minuteMs),
  }
  if (random() < 0.3)
    acts.push(...outage(random, pick(random, 'ops', ...channels), lastOf(acts) + 20 * minuteMs))
  const isShared = random() < 0.2
  return {
    span,
    channels,
    polling,
    ahead,
    isShared,
    acts: (isShared ? acts.flatMap(withoutDisk) : acts).toSorted((one, other) => one.at - other.at),
  }
}

/** People who ask for quiet, beside a scenario. */
export function silences(random: Chance, span: number): Act[] {
  if (random() > 0.25) return []
  return Array.from({ length: whole(random, 1, 3) }, (): Act => {
    const lasts = Math.floor(between(random, 5 * minuteMs, 8 * hourMs))
    const endedAfter = random() < 0.3 ? Math.floor(random() * lasts) : undefined
    return { at: Math.floor(random() * span), act: 'silence', lasts, endedAfter }
  })
}

/** People who want what is held now, beside a scenario. */
export function sendings(random: Chance, { span, channels }: Scenario): Act[] {
  if (random() > 0.3) return []
  return Array.from(
    { length: whole(random, 1, 4) },
    (): Act => ({
      at: Math.floor(random() * span),
      act: 'send-held',
      channel: pick(random, 'ops', ...channels),
    }),
  )
}

/** People who say what the desk does about its alerts, beside a scenario. */
export function deskWork(random: Chance, span: number): Act[] {
  if (random() > 0.5) return []
  return Array.from(
    { length: whole(random, 1, 8) },
    (): Act => ({
      at: Math.floor(random() * span),
      act: 'desk',
      // Mostly of the newest alerts.
      which: 1 - random() * random(),
      does: pick(random, 'acknowledge', 'acknowledge', ...deskStates),
    }),
  )
}

/** What stands in a place can be edited no more, beside a scenario. */
export function closings(random: Chance, span: number): Act[] {
  if (random() > 0.3) return []
  return Array.from(
    { length: whole(random, 1, 3) },
    (): Act => ({
      at: Math.floor(random() * span),
      act: 'close-edits',
    }),
  )
}

/** A store that is shared has no disk of its own in this world. */
function withoutDisk(act: Act): Act[] {
  if (act.act === 'disk' || act.act === 'rot') return []
  return [act.act === 'kill' ? { ...act, how: 'process' } : act]
}

function lastOf(acts: readonly Act[]): number {
  return Math.max(0, ...acts.map((act) => ('until' in act ? act.until : act.at)))
}

/** Nothing reaches one of the channels while alerts come, and nothing else happens. */
function outage(random: Chance, channel: Scenario['channels'][number], at: number): Act[] {
  const how = pick(random, 'refused', 'lostThere', 'failing')
  const host = hosts[channel]
  const until = at + Math.floor(between(random, 30 * minuteMs, 90 * minuteMs))
  const reports = [1, 2, 3].map((minutes): Act => ({ at: at + minutes * minuteMs, act: 'report' }))
  return [{ at, act: 'weather', host, weather: { ...fairWeather, [how]: 1 }, until }, ...reports]
}

const hosts: Record<Scenario['channels'][number], HostName> = {
  slack: 'slack',
  ops: 'slack',
  hook: 'hooks',
  discord: 'discord',
  dhook: 'discord',
  mail: 'mail',
}

/** Things that seldom meet, at the same moment or within a second of it. */
function together(random: Chance, at: number): Act[] {
  const soon = () => at + Math.floor(random() * pick(random, 5, 1_000))
  const kill = (): Act => ({
    at,
    act: 'kill',
    how: pick(random, 'process', 'power'),
    downFor: pick(random, 100, 2_000, 60_000),
    after: whole(random, 1, 40),
  })
  const restart = (): Act => ({ at: soon(), act: 'restart', downFor: pick(random, 10, 5_000) })
  const report = (): Act => ({ at: soon(), act: 'report' })
  const reload = (): Act => ({ at: soon(), act: 'reload' })
  const replay = (): Act => ({ at: soon(), act: 'replay' })
  return pick(
    random,
    [kill(), report(), report()],
    [kill(), reload()],
    [reload(), restart()],
    [reload(), report(), report()],
    [reload(), reload(), report()],
    [replay(), reload()],
    [replay(), kill()],
    [report(), replay(), replay()],
    [report(), restart()],
  )
}

function weatherAct(random: Chance, at: number): Act {
  const host = pick(random, 'slack', 'hooks', 'discord', 'mail', 'service')
  const weather: Weather = { ...fairWeather }
  const kind = pick(random, ...(Object.keys(fairWeather) as [keyof Weather]))
  weather[kind] = pick(random, 0.3, 1)
  if (random() < 0.4) {
    weather[kind] = 0.3
    weather.lostBack += 0.3
    weather.slow += 0.3
  }
  const lasts = pick(random, 2 * minuteMs, 20 * minuteMs, 3 * hourMs)
  return { at, act: 'weather', host, weather, until: at + Math.floor(lasts * between(random, 0.5, 1.5)) }
}

function diskAct(random: Chance, at: number): { weather: DiskWeather; until: number } {
  const weather = { ...soundDisk, ...pick(random, { failing: 1 }, { failing: 0.2 }, { slow: 0.3 }) }
  return { weather, until: at + Math.floor(between(random, minuteMs, 30 * minuteMs)) }
}

function leapAct(random: Chance, at: number): Act {
  const by = pick(random, 5 * minuteMs, -5 * minuteMs, dayMs, -dayMs, 100 * dayMs, -6 * 365 * dayMs)
  return { at, act: 'leap', by, until: at + Math.floor(between(random, 10 * minuteMs, 3 * hourMs)) }
}
