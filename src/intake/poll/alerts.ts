import { createHash } from 'node:crypto'
import { shownOf } from '../../event/content.ts'
import { readDelivery } from '../../event/delivery.ts'
import { type AlertEvent, knownTypes } from '../../event/event.ts'
import { dayMs, minuteMs } from '../../platform/durations.ts'
import { BadRequest } from '../../service/client/errors.ts'
import { firstOf, isFields, readTime, recordPlaces } from '../../service/client/readers/fields.ts'
import { isAbsent, type PollClient, type ReadMoment } from './fetch.ts'
import type { PolledAlerts } from './state.ts'

/** Paths to try: the interface mentions a list of alerts and does not say where it is ("Endpoints", gaps). */
const plausiblePaths = ['/monitoring/alerts', '/alerts', '/events']
/** The next search after one that found no list: if there never was one, and if there was. */
const searchAgainMs = 7 * dayMs
const searchGoneMs = dayMs
/** An alert may be listed late. */
const lateMs = dayMs
/** What was detected shortly before the first reading may not have been reported by anybody. */
const freshMs = 10 * minuteMs
/** Alerts of one reading that are not known yet; the next one continues with the rest of a longer list. */
const most = 100
/** Records of one reading. As many ids are kept, so what is still listed stays known. */
export const idsKept = 500
/** If the newest come first, what follows known alerts that are too old to be listed late is known, too. So many of these are read. */
const readOn = 20

export interface AlertsReading {
  alerts: PolledAlerts
  events: AlertEvent[]
  /** What it left unread: nothing, what the next reading goes on with, or what no reading comes to. */
  rest: 'none' | 'next' | 'unreachable'
}

/**
 * Finds the list, once. `configured` is `polling.alertsPath`, and then no other is tried. What was read of a list that is gone
 * stays known, and what was listed since is new.
 */
export async function findAlerts(
  client: PollClient,
  configured: string | undefined,
  before: PolledAlerts | null,
  { now, signal }: ReadMoment,
): Promise<PolledAlerts> {
  const { path: formerPath = null, since = now, readAt = null, ids = [] } = before ?? {}
  const unread = { since: readAt ?? (formerPath === null ? now : since), readAt, takesSince: true, ids }
  for (const path of configured === undefined ? plausiblePaths : [configured]) {
    try {
      for await (const _ of client.alerts(path, {}, signal)) break
      return { path, ...unread }
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }
  return { ...unread, path: null, since: now }
}

/** Whether to search for the list: not yet, gone, not lately, or at another path. */
export function isSearchDue(
  alerts: PolledAlerts | null,
  configured: string | undefined,
  { now, isListGone }: { now: number; isListGone: boolean },
): boolean {
  if (alerts === null || isListGone) return true
  if (alerts.path !== null) return configured !== undefined && alerts.path !== configured
  return now - alerts.since >= (alerts.readAt === null ? searchAgainMs : searchGoneMs)
}

/**
 * Alerts that are new in the list, or that say something else under a known id, oldest first. Of those that it had when it
 * was found, only the fresh ones.
 */
export async function readAlerts(
  client: Pick<PollClient, 'alerts'>,
  before: PolledAlerts & { path: string },
  { now, signal }: ReadMoment,
): Promise<AlertsReading> {
  const hashes = new Map(before.ids.map(({ id, shown }) => [id, shown]))
  const sinceMs = (before.readAt ?? now) - lateMs
  const since = new Date(sinceMs).toISOString()

  async function read(query: {
    since?: string
  }): Promise<{ listed: AlertEvent[]; end: 'last' | 'most' | 'bound' }> {
    const listed: AlertEvent[] = []
    let [records, newIds, left] = [0, 0, readOn]
    let lastTime = Number.NaN
    for await (const record of client.alerts(before.path, query, signal)) {
      records += 1
      if (records > idsKept) return { listed, end: 'bound' }
      const event = readRecord(record, new Date(now).toISOString())
      if (event === undefined) continue
      const time = timeOf(event)
      if (!hashes.has(event.id)) newIds += 1
      else if (time < lastTime && time < sinceMs) left -= 1
      if (newIds > most) return { listed, end: 'most' }
      // A list that begins with its oldest may have some in another order.
      if (time > lastTime) left = readOn
      if (left < 0) break
      listed.push(event)
      lastTime = time
    }
    return { listed, end: 'last' }
  }

  let { takesSince } = before
  const { listed, end } = await read(takesSince ? { since } : {}).catch((error: unknown) => {
    if (!takesSince || !(error instanceof BadRequest)) throw error
    takesSince = false
    return read({})
  })
  const events = listed
    .filter(
      (event) => isCorrected(event, hashes.get(event.id)) || (!hashes.has(event.id) && isNew(event, before)),
    )
    .toSorted((one, other) => timeOf(one) - timeOf(other))
  const isStuck = end === 'bound' && listed.every(({ id }) => hashes.has(id))
  for (const event of listed) {
    hashes.delete(event.id)
    hashes.set(event.id, hashOf(event))
  }
  const ids = [...hashes].map(([id, shown]) => ({ id, shown })).slice(-idsKept)
  // Until the rest is read, nothing of it may fall out of `since`.
  const readAt = end === 'most' ? (before.readAt ?? now) : now
  const rest = isStuck ? 'unreachable' : end === 'last' ? 'none' : 'next'
  return { alerts: { ...before, takesSince, readAt, ids }, events, rest }
}

/**
 * A record as a delivery would have it ("Webhook delivery"): a list may have its fields side by side, sizes as numbers, and times in
 * seconds. A list of other things is left alone.
 */
function readRecord(record: unknown, receivedAt: string): AlertEvent | undefined {
  if (!isFields(record) || !('type' in record || 'model' in record)) return undefined
  const places = recordPlaces(record).toReversed()
  const [category, delta, seen] = ['category', 'delta', 'detected_at'].map((name) =>
    firstOf(places, [name], (value) => value ?? null),
  )
  const points =
    typeof delta === 'number' && Math.abs(delta) >= 1 ? `${delta > 0 ? '+' : ''}${delta}pp` : delta
  const stated = { category, delta: points, detected_at: typeof seen === 'number' ? readTime(seen) : seen }
  const data = {
    ...(isFields(record.data) && record.data),
    ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== null)),
  }
  const delivery = Buffer.from(JSON.stringify({ ...record, data }))
  const event = readDelivery(delivery, { source: 'poll', receivedAt })
  if (event.model === null && !knownTypes.some((type) => type === event.type)) return undefined
  // Without an id, what it shows is its id: a counter in it may change with each reading.
  const isNameless = event.id.startsWith('body_')
  const id = isNameless ? `body_${createHash('sha256').update(shownOf(event)).digest('hex')}` : event.id
  return { ...event, id, body: { encoding: 'utf8', text: JSON.stringify(record) } }
}

/** A correction is an event, however old: the store knows whether the first was sent to anybody. */
function isCorrected(event: AlertEvent, hash: string | null | undefined): boolean {
  return typeof hash === 'string' && hash !== hashOf(event)
}

/** Of what readers are shown of it. */
function hashOf(event: AlertEvent): string {
  return createHash('sha256').update(shownOf(event)).digest('hex').slice(0, 32)
}

/** At the first reading every alert is new to us, but an old one is not to readers. */
function isNew({ detectedAt }: AlertEvent, { since, readAt }: PolledAlerts): boolean {
  return detectedAt === null ? readAt !== null : Date.parse(detectedAt) >= since - freshMs
}

function timeOf({ detectedAt }: AlertEvent): number {
  return detectedAt === null ? Number.POSITIVE_INFINITY : Date.parse(detectedAt)
}
