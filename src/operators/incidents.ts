import type { Notice } from '../event/event.ts'
import type { Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import type { StoredValue } from '../store/store.ts'
import {
  asOne,
  type Incident,
  type IncidentRecord,
  type IncidentReport,
  nextSince,
  notice,
  noticeOf,
  notReported,
  opened,
  type Phase,
  pending,
  recalled,
  reported,
  resolved,
  StoredIncidents,
  wrongNow,
} from './incident.ts'
import { createSaver, createTally } from './tally.ts'

interface IncidentsParts {
  clock: Clock
  state: StoredValue
  /** Counts of things that are reported together. */
  tallies: StoredValue
  /** Takes the role that reports what ended processes had counted; undefined if the signal aborts before. */
  acquireLease: (waiting: AbortSignal) => Promise<unknown>
  /** Resolves when the operators will be alerted. `key` is the incident's. If it rejects, the same notice comes again. */
  alert: (notice: Notice, key: string) => Promise<unknown>
  onError: (error: unknown) => void
}

/** Since when nothing is wrong, as far as this process knows. */
export interface WellSince {
  /** Milliseconds since the epoch. */
  at: number
  /** The last trouble ended then, or this process started. */
  after: 'trouble' | 'start'
}

export type Incidents = Awaited<ReturnType<typeof startIncidents>>

/** Between two tries to report what could not be reported. */
const retryMs = minuteMs

/**
 * Knows what is wrong. Alerts the operators once when it begins and once when it is over, also across restarts. The reports of
 * each key are in order: a beginning, its end, the next beginning.
 */
export async function startIncidents(parts: IncidentsParts) {
  const { clock } = parts
  const records = new Map<string, IncidentRecord>()
  const work = new Set<Promise<void>>()
  const stopping = new AbortController()
  let retrying: Promise<void> | undefined
  let isUnsaved = false
  let isAlerting = false
  /** Undefined while something is wrong. */
  let wellSince: WellSince | undefined
  const begun = Promise.withResolvers<void>()

  for (const stored of StoredIncidents.parse(await parts.state.read())) {
    const latest = Date.parse(stored.again?.since ?? stored.since)
    records.set(stored.key, { incident: recalled(stored), latest })
  }
  noteWell('start')

  function noteWell(after: WellSince['after']): void {
    if (current().length > 0) wellSince = undefined
    else wellSince ??= { at: clock.now(), after }
  }

  /** What cannot be written is reported all the same. */
  const saver = createSaver(save, (error) => {
    parts.onError(error)
    isUnsaved = true
    retryLater()
  })

  function recordOf(key: string): IncidentRecord {
    const record = records.get(key) ?? { incident: undefined }
    records.set(key, record)
    return record
  }

  /** The newest incident comes last. */
  function setIncident(key: string, incident: Incident): void {
    const record = recordOf(key)
    if (record.incident === undefined) {
      records.delete(key)
      records.set(key, record)
    }
    record.incident = incident
  }

  async function save(): Promise<void> {
    isUnsaved = false
    const saving = new Map<string, string>()
    try {
      await parts.state.change((stored) => {
        for (const [key, record] of records) {
          if (record.unsaved !== undefined) saving.set(key, record.unsaved)
          record.unsaved = undefined
        }
        return merged(StoredIncidents.parse(stored), saving)
      })
      for (const key of saving.keys()) recordOf(key).isBegun = false
    } catch (error) {
      for (const [key, since] of saving) recordOf(key).unsaved ??= since
      throw error
    }
  }

  /** What was changed here, with what other processes have. */
  function merged(stored: readonly Incident[], saving: ReadonlyMap<string, string>): Incident[] {
    const all = new Map(stored.map((incident) => [incident.key, incident]))
    for (const [key, since] of saving) {
      const { incident: mine, isBegun, endedSince } = recordOf(key)
      const theirs = all.get(key)
      if (mine === undefined) {
        if (theirs?.since === since) all.delete(key)
        continue
      }
      const isTheirs = theirs !== undefined && isBegun === true && theirs.since !== endedSince
      const next = isTheirs ? asOne(theirs, mine) : mine
      all.set(key, next)
      setIncident(key, next)
    }
    adopt(all)
    return [...all.values()]
  }

  /** Takes over what other processes changed. */
  function adopt(all: ReadonlyMap<string, Incident>): void {
    const isOurs = ({ unsaved, reporting }: IncidentRecord) =>
      unsaved !== undefined || reporting !== undefined
    for (const [key, record] of records) if (!all.has(key) && !isOurs(record)) record.incident = undefined
    for (const [key, incident] of all) if (!isOurs(recordOf(key))) setIncident(key, incident)
    noteWell('trouble')
  }

  function put(key: string, incident: Incident | undefined): void {
    const record = recordOf(key)
    const since = (incident ?? record.incident)?.since ?? ''
    record.unsaved = since
    if (incident !== undefined) setIncident(key, incident)
    else {
      record.endedSince = since
      record.incident = undefined
    }
    noteWell('trouble')
  }

  /** Alerts the operators if they don't know how things are with this key. One report of a key at a time. */
  function report(key: string): void {
    const record = recordOf(key)
    const { incident, reporting } = record
    if (incident === undefined || reporting !== undefined) return
    const phase = pending(incident)
    if (phase === undefined || !isAlerting) return
    record.reporting = phase
    const done: Promise<void> = alert(incident, phase, record).finally(() => work.delete(done))
    work.add(done)
  }

  async function alert(incident: Incident, phase: Phase, record: IncidentRecord): Promise<void> {
    const { key, since } = incident
    // If the process is killed after the report, the next one knows of it.
    await saver.save()
    if (record.incident !== undefined && record.incident.since !== since) {
      // Another process had found it before.
      record.reporting = undefined
      return report(key)
    }
    let after = reported
    try {
      await parts.alert(noticeOf(incident, phase, clock.now()), key)
    } catch (error) {
      after = notReported
      parts.onError(error)
      retryLater()
    }
    record.reporting = undefined
    const now = record.incident
    if (now?.since === since) {
      const next = after(now, phase)
      const isBegun = after === reported && phase === 'trouble'
      put(key, next && isBegun ? { ...next, toldAs: incident.title } : next)
    }
    void saver.save()
    if (after === reported || now?.since !== since) report(key)
  }

  function reportAll(): void {
    for (const key of records.keys()) report(key)
  }

  function retryLater(): void {
    retrying ??= clock.sleep(retryMs, stopping.signal).then(() => {
      retrying = undefined
      if (stopping.signal.aborted) return
      if (isUnsaved) void saver.save()
      reportAll()
    })
  }

  const tally = createTally({
    clock,
    acquireLease: parts.acquireLease,
    state: parts.tallies,
    stopping: stopping.signal,
    async alert(key, content, { episode, uncertain }) {
      await begun.promise
      if (!isAlerting) throw new Error('the service was stopped before operators could be alerted')
      const made = notice(key, content, { phase: 'trouble', episode, now: clock.now() })
      return parts.alert(uncertain ? { ...made, uncertain } : made, key)
    },
    onError: parts.onError,
  })

  /** The thing called `key` is well. Reported under this title if it was wrong. */
  function resolves(key: string, title: string): void {
    const before = records.get(key)
    if (before?.incident === undefined) return
    const after = resolved(before.incident, title, before.reporting)
    const isChanged = after !== before.incident
    put(key, after)
    if (isChanged) void saver.save()
    report(key)
  }

  function current(): Incident[] {
    return [...records.values()].flatMap(({ incident }) => (incident && wrongNow(incident)) ?? [])
  }

  return {
    /** Operators can be alerted from now on: what is pending is reported. */
    startAlerting(): void {
      isAlerting = true
      begun.resolve()
      reportAll()
    },
    /** The thing called `key` is wrong. Only the first call is reported; later ones update what readyz shows. */
    opens(key: string, content: IncidentReport): void {
      const record = recordOf(key)
      const before = record.incident
      const isNew = before === undefined || before.over !== null
      const since = isNew ? nextSince(record, clock.now()) : before.since
      if (before === undefined) record.isBegun = true
      put(key, opened(before, key, content, { since, reporting: record.reporting }))
      if (isNew) void saver.save()
      report(key)
    },
    resolves,
    /**
     * Something that has no end happened (a dead letter). The first is reported at once. More of the same key within the hour
     * are counted and reported together at its end.
     */
    happened: tally.count,
    /** Reported once for each episode, also across restarts. Resolves when that is certain, and rejects if it is not. */
    async once(key: string, episode: string, content: IncidentReport): Promise<void> {
      // An earlier process may have sent it directly, while the store accepted nothing.
      const made = notice(key, content, { phase: 'trouble', episode, now: clock.now() })
      await parts.alert({ ...made, uncertain: true }, key)
    },
    /** What is wrong now. */
    current,
    /** Undefined while something is wrong. */
    wellSince: () => wellSince,
    /** Whether this incident is still open. */
    isOpen: ({ key, since }: { key: string; since: string }) =>
      current().some((open) => open.key === key && open.since === since),
    /** Ends the incidents of things that are no longer there, and reports it. */
    keepOnly(isThere: (key: string) => boolean): void {
      for (const [key, { incident }] of records) {
        if (incident !== undefined && !isThere(key))
          resolves(key, `${incident.channel ?? 'What this was about'} is no longer configured`)
      }
    },
    /** Another process changed what is stored. */
    async refresh(): Promise<void> {
      const stored = StoredIncidents.parse(await parts.state.read())
      adopt(new Map(stored.map((incident) => [incident.key, incident])))
    },
    async stop(): Promise<void> {
      stopping.abort()
      begun.resolve()
      await tally.ended()
      await retrying
      while (work.size > 0) await Promise.all(work)
      await saver.idle()
    },
  }
}
