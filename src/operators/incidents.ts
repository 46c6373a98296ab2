import * as z from 'zod'
import type { Notice } from '../event/event.ts'
import type { Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import type { StoredValue } from '../store/state-of.ts'
import {
  Incident,
  type IncidentReport,
  notTold,
  opened,
  type Phase,
  pending,
  recalled,
  resolved,
  told,
  wrongNow,
} from './incident.ts'
import { noticeId } from './notice-id.ts'
import { createSaver } from './saver.ts'
import { startTally } from './tally.ts'

export interface IncidentsParts {
  clock: Clock
  state: StoredValue
  /** What was counted and is to be reported together. */
  tallies: StoredValue
  /** Takes the role of who reports what ended processes had counted; undefined where the signal aborts before. */
  hold: (waiting: AbortSignal) => Promise<unknown>
  /** Resolves when the operators will be alerted. `key` is the incident's. The same notice comes again where it rejected. */
  tell: (notice: Notice, key: string) => Promise<unknown>
  onError: (error: unknown) => void
}

/**
 * Knows what is wrong, and alerts the operators once when it begins and once when it is over, over restarts too. Of
 * each key the reports are in order: a beginning, its end, the next beginning.
 */
export interface Incidents {
  /** The thing called `key` is in trouble: reported the first time, the next ones only refresh what readyz shows. */
  opens(key: string, report: IncidentReport): void
  /** The thing called `key` is well; reported under this title if it was in trouble. */
  resolves(key: string, title: string): void
  /**
   * Something that has no end happened (a dead letter). The first is reported at once; more of the same key within
   * the hour are counted and reported together at its end.
   */
  happened(key: string, report: IncidentReport): void
  /** Reported once for each episode, over restarts too. Resolves when that is sure, and rejects where it is not. */
  once(key: string, episode: string, report: IncidentReport): Promise<void>
  /** What is wrong now. */
  current(): readonly Incident[]
  /** Ends the incidents of what is no longer there, and says so. */
  keepOnly(isThere: (key: string) => boolean): void
  /** Another process changed what is stored. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** Between two tries to report what could not be reported. */
const tellAgainMs = minuteMs

const stored = z.array(Incident).catch([])

export async function startIncidents(parts: IncidentsParts): Promise<Incidents> {
  const { clock } = parts
  const remembered = stored.parse(await parts.state.read())
  const incidents = new Map(remembered.map((one) => [one.key, recalled(one)]))
  /** Changed here and not written yet, with since when it is or was. */
  const unsaved = new Map<string, string>()
  /** What began here and was never written: another process may have reported the same. */
  const begun = new Set<string>()
  /** Since when the last of a key was that is over here, be it written or not. */
  const ended = new Map<string, string>()
  /** What is being reported now; of each key one thing at a time. */
  const telling = new Map<string, Phase>()
  const latest = new Map<string, number>()
  const under = new Set<Promise<void>>()
  const stopping = new AbortController()
  let tellsAgain: Promise<void> | undefined
  let isUnsaved = false

  /** What cannot be written is said all the same. */
  const saver = createSaver(save, (error) => {
    parts.onError(error)
    isUnsaved = true
    tellLater()
  })

  async function save(): Promise<void> {
    isUnsaved = false
    const saving: typeof unsaved = new Map()
    try {
      await parts.state.change((there) => {
        for (const [key, since] of unsaved) saving.set(key, since)
        unsaved.clear()
        return merged(stored.parse(there), saving)
      })
      for (const key of saving.keys()) begun.delete(key)
    } catch (error) {
      for (const [key, since] of saving) if (!unsaved.has(key)) unsaved.set(key, since)
      throw error
    }
  }

  /** What was changed here, beside what other processes have. */
  function merged(there: readonly Incident[], saving: ReadonlyMap<string, string>): Incident[] {
    const all = new Map(there.map((one) => [one.key, one]))
    for (const [key, since] of saving) {
      const [mine, theirs] = [incidents.get(key), all.get(key)]
      if (mine === undefined) {
        if (theirs?.since === since) all.delete(key)
        continue
      }
      const isTheirs = theirs !== undefined && begun.has(key) && theirs.since !== ended.get(key)
      const next = isTheirs ? asOne(theirs, mine) : mine
      all.set(key, next)
      incidents.set(key, next)
    }
    adopt(all)
    return [...all.values()]
  }

  /** What others changed. */
  function adopt(all: ReadonlyMap<string, Incident>): void {
    const isOurs = (key: string) => unsaved.has(key) || telling.has(key)
    for (const key of incidents.keys()) if (!all.has(key) && !isOurs(key)) incidents.delete(key)
    for (const [key, one] of all) if (!isOurs(key)) incidents.set(key, one)
  }

  function put(key: string, incident: Incident | undefined): void {
    const since = (incident ?? incidents.get(key))?.since ?? ''
    unsaved.set(key, since)
    if (incident !== undefined) incidents.set(key, incident)
    else {
      ended.set(key, since)
      incidents.delete(key)
    }
  }

  function track(work: Promise<void>): void {
    const done = work.finally(() => under.delete(done))
    under.add(done)
  }

  /** Has the operators know how things stand with this key, unless somebody is at it. */
  function report(key: string): void {
    const incident = incidents.get(key)
    if (incident === undefined || telling.has(key)) return
    const phase = pending(incident)
    if (phase === undefined) return
    telling.set(key, phase)
    track(tell(incident, phase))
  }

  async function tell(incident: Incident, phase: Phase): Promise<void> {
    const { key, since } = incident
    // So that a process that is killed after the report knows of it when it starts again.
    await saver.save()
    const saved = incidents.get(key)
    if (saved !== undefined && saved.since !== since) {
      // Another process had found it before.
      telling.delete(key)
      return report(key)
    }
    let after = told
    try {
      await parts.tell(noticeOf(incident, phase), key)
    } catch (error) {
      after = notTold
      parts.onError(error)
      tellLater()
    }
    telling.delete(key)
    const now = incidents.get(key)
    if (now?.since === since) {
      const next = after(now, phase)
      const isBegun = after === told && phase === 'trouble'
      put(key, next && isBegun ? { ...next, toldAs: incident.title } : next)
    }
    void saver.save()
    if (after === told || now?.since !== since) report(key)
  }

  function tellLater(): void {
    tellsAgain ??= clock.sleep(tellAgainMs, stopping.signal).then(() => {
      tellsAgain = undefined
      if (stopping.signal.aborted) return
      if (isUnsaved) void saver.save()
      for (const key of incidents.keys()) report(key)
    })
  }

  function noticeOf(incident: Incident, phase: Phase): Notice {
    const { key, title, text, channel, since, over, toldAs } = incident
    const said =
      phase === 'over' ? { title: over ?? title, text: `Resolved: ${toldAs ?? title}.` } : { title, text }
    return {
      ...notice(key, phase, since, channel === null ? said : { ...said, channel }),
      about: { key, since },
      ...(incident.uncertain && { uncertain: true }),
    }
  }

  /** `episode` tells two notices of the same key apart; the same episode is the same notice, stored once. */
  function notice(key: string, phase: Phase, episode: string, report: IncidentReport): Notice {
    return {
      kind: 'notice',
      id: noticeId(key, phase, episode),
      phase,
      channel: report.channel ?? null,
      title: report.title,
      text: report.text,
      receivedAt: new Date(clock.now()).toISOString(),
    }
  }

  /** Another one than the last of this key: what begins twice within a millisecond is two incidents. */
  function sinceOf(key: string): string {
    const now = Math.floor(clock.now())
    const last = latest.get(key) ?? Number.NEGATIVE_INFINITY
    const since = last >= now && last - now < 1_000 ? last + 1 : now
    latest.set(key, since)
    return new Date(since).toISOString()
  }

  const tally = startTally({
    clock,
    hold: parts.hold,
    state: parts.tallies,
    stopping: stopping.signal,
    tell(key, what, { episode, uncertain }) {
      const one = notice(key, 'trouble', episode, what)
      return parts.tell(uncertain ? { ...one, uncertain } : one, key)
    },
    onError: parts.onError,
  })

  for (const { key, since, again } of remembered) {
    latest.set(key, Date.parse(again?.since ?? since))
    report(key)
  }

  /** What two processes found wrong is one incident, from when the first of them did; only one of them reports it. */
  function asOne(theirs: Incident, { title, text, channel, over }: Incident): Incident {
    return theirs.over === null ? { ...theirs, title, text, channel, over } : theirs
  }

  function over(key: string, title: string): void {
    const before = incidents.get(key)
    if (before === undefined) return
    const after = resolved(before, title, telling.get(key))
    put(key, after)
    if (after !== before) void saver.save()
    report(key)
  }

  return {
    opens(key, what) {
      const before = incidents.get(key)
      const isNew = before === undefined || before.over !== null
      const since = isNew ? sinceOf(key) : before.since
      if (before === undefined) begun.add(key)
      put(key, opened(before, key, what, { since, telling: telling.get(key) }))
      if (isNew) void saver.save()
      report(key)
    },
    resolves: over,
    happened: tally.count,
    async once(key, episode, report) {
      // An earlier process may have sent it past a store that took nothing.
      await parts.tell({ ...notice(key, 'trouble', episode, report), uncertain: true }, key)
    },
    current: () => [...incidents.values()].flatMap((one) => wrongNow(one) ?? []),
    keepOnly(isThere) {
      for (const [key, { channel }] of incidents) {
        if (!isThere(key)) over(key, `${channel ?? 'What this was about'} is no longer configured`)
      }
    },
    async refresh() {
      const there = stored.parse(await parts.state.read())
      adopt(new Map(there.map((one) => [one.key, one])))
    },
    async stop() {
      stopping.abort()
      await tally.ended()
      await tellsAgain
      while (under.size > 0) await Promise.all(under)
      await saver.idle()
    },
  }
}
