import { createHash } from 'node:crypto'
import { shownOf } from '../../event/content.ts'
import { readDelivery } from '../../event/delivery.ts'
import type { AlertEvent } from '../../event/event.ts'
import { dayMs, minuteMs } from '../../platform/durations.ts'
import { BadRequest } from '../../service/client/errors.ts'
import { isAbsent, type PollClient } from './fetch.ts'
import type { PolledAlerts } from './state.ts'

/** Where a service may list its alerts: the interface mentions such a list and does not say where ("Endpoints", gaps). */
const plausible = ['/monitoring/alerts', '/alerts', '/events']
/** What was not found is looked for again after a week. */
const searchAgainMs = 7 * dayMs
/** An alert may be listed late. */
const lateMs = dayMs
/** What was seen shortly before the first time may not have been told by anybody. */
const freshMs = 10 * minuteMs
/** Alerts of one look; a list that is longer is read on at the next. */
const most = 100
const idsKept = 500
/** Where the newest come first, what follows one that is known is known too; so many more are read for what was changed of them. */
const readOn = 20

/** Finds the list, once. `configured` is `polling.alertsPath`, and then no other is tried. */
export async function findAlerts(
  client: PollClient,
  configured: string | undefined,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<PolledAlerts> {
  const found = { since: now, readAt: null, takesSince: true, ids: [] }
  for (const path of configured === undefined ? plausible : [configured]) {
    try {
      for await (const _ of client.alerts(path, {}, signal)) break
      return { path, ...found }
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }
  return { path: null, ...found }
}

/** Whether the list is to be looked for: not yet, not lately, or at another path. */
export function isSearchDue(
  alerts: PolledAlerts | null,
  configured: string | undefined,
  now: number,
): boolean {
  if (alerts === null) return true
  if (configured !== undefined && alerts.path !== configured)
    return alerts.path !== null || isOld(alerts, now)
  return alerts.path === null && isOld(alerts, now)
}

function isOld({ since }: PolledAlerts, now: number): boolean {
  return now - since >= searchAgainMs
}

/**
 * What the list has that was not there before, or says something else under an id that was, oldest first. Of what it had
 * when it was found, only what is fresh.
 */
export async function readAlerts(
  client: Pick<PollClient, 'alerts'>,
  before: PolledAlerts & { path: string },
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<{ alerts: PolledAlerts; events: AlertEvent[] }> {
  const known = new Map(before.ids.map(({ id, shown }) => [id, shown]))
  const since = new Date((before.readAt ?? now) - lateMs).toISOString()

  async function read(query: { since?: string }): Promise<AlertEvent[]> {
    const listed: AlertEvent[] = []
    let left = readOn
    for await (const record of client.alerts(before.path, query, signal)) {
      const event = readRecord(record, new Date(now).toISOString())
      if (event === undefined) continue
      const last = listed.at(-1)
      const descends = last !== undefined && timeOf(event) <= timeOf(last)
      if (known.has(event.id) && descends) left -= 1
      if (left < 0 || listed.length >= most) break
      listed.push(event)
    }
    return listed
  }

  let { takesSince } = before
  const listed = await read(takesSince ? { since } : {}).catch((error: unknown) => {
    if (!takesSince || !(error instanceof BadRequest)) throw error
    takesSince = false
    return read({})
  })
  const news = listed.filter(
    (event) => isOther(event, known.get(event.id)) || (!known.has(event.id) && isNews(event, before)),
  )
  const changed = listed.filter((event) => known.get(event.id) !== hashOf(shownOf(event)))
  for (const event of changed) {
    known.delete(event.id)
    known.set(event.id, hashOf(shownOf(event)))
  }
  const ids = [...known].map(([id, shown]) => ({ id, shown })).slice(-idsKept)
  return {
    alerts: { ...before, takesSince, readAt: now, ids },
    events: news.toSorted((one, other) => timeOf(one) - timeOf(other)),
  }
}

/** What a delivery would carry ("Webhook delivery"); a list of other things is left alone. */
function readRecord(record: unknown, receivedAt: string): AlertEvent | undefined {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return undefined
  if (!('type' in record || 'model' in record)) return undefined
  return readDelivery(Buffer.from(JSON.stringify(record)), { source: 'poll', receivedAt })
}

/** What was corrected is news, however old: the store knows whether the first was sent to anybody. */
function isOther(event: AlertEvent, shown: string | null | undefined): boolean {
  return typeof shown === 'string' && shown !== hashOf(shownOf(event))
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** At the first reading everything is new to us, and nothing of it that is old is news to anybody. */
function isNews(event: AlertEvent, { since, readAt }: PolledAlerts): boolean {
  if (event.detectedAt === null) return readAt !== null
  return Date.parse(event.detectedAt) >= since - freshMs
}

function timeOf({ detectedAt }: AlertEvent): number {
  return detectedAt === null ? Number.POSITIVE_INFINITY : Date.parse(detectedAt)
}
