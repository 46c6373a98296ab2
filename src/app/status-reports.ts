import { type CommonSettings, isForTroubleAlone } from '../channels/settings.ts'
import type { Config } from '../config/schema.ts'
import { polls, wanted } from '../config/wanted.ts'
import { dayMs } from '../durations.ts'
import type { Incidents } from '../operators/incidents.ts'
import { reportDay, reportId, type Standing, statusReport } from '../operators/status-report.ts'
import { newestFirst } from '../store/newest-first.ts'
import type { Store } from '../store/store.ts'
import { polled } from './contact.ts'
import type { Reloadable } from './reload.ts'
import type { SharedServices } from './shared-services.ts'

const weekMs = 7 * dayMs
/** A delivery that is older is not searched for. */
const longAgoMs = 30 * dayMs

/** Sends the weekly report of each channel that wants one, as soon as it is due; afterwards too, where nothing ran at the hour. */
export function createStatusReports(
  {
    clock,
    store,
    incidents,
  }: Pick<SharedServices, 'clock' | 'store'> & { incidents: Pick<Incidents, 'current'> },
  reloadable: Pick<Reloadable, 'take'> & { current(): { config: Config } },
): () => Promise<void> {
  /** Ids of those that are stored for certain, so that the store is not asked each minute. */
  const stored = new Map<string, string>()

  async function sendDue(channel: CommonSettings, config: Config): Promise<void> {
    const now = clock.now()
    const id = reportId(channel.name, reportDay(now, channel.timeZone))
    if (stored.get(channel.name) === id) return
    if ((await store.find(id)) === undefined) {
      const standing = await standingOf(channel, config, now)
      await reloadable.take(statusReport(channel, standing, now))
    }
    stored.set(channel.name, id)
  }

  async function standingOf(channel: CommonSettings, config: Config, now: number): Promise<Standing> {
    const { models } = isForTroubleAlone(channel) ? wanted(config) : { models: channel.models }
    const expectsDeliveries = config.webhook.publicUrl !== undefined || config.webhook.secrets.length > 0
    const { delivered, ...alerts } = await alertsOf(store, channel.name, now)
    return {
      ...alerts,
      models: models ?? wanted(config).models,
      delivered: expectsDeliveries ? delivered : undefined,
      read: polls(config) ? await lastRead(store, now) : undefined,
      wrong: incidents.current().map(({ title }) => title),
    }
  }

  return async () => {
    const { config } = reloadable.current()
    for (const channel of config.channels) {
      if (channel.statusReport === 'weekly') await sendDue(channel, config)
    }
  }
}

interface Alerts {
  came: number
  sent: number
  delivered: string | null
}

async function alertsOf(store: Pick<Store, 'list'>, channel: string, now: number): Promise<Alerts> {
  const found: Alerts = { came: 0, sent: 0, delivered: null }
  for await (const rows of newestFirst(store)) {
    for (const { entry, outcomes } of rows) {
      const age = now - Date.parse(entry.receivedAt)
      if (age > longAgoMs || (age > weekMs && found.delivered !== null)) return found
      if (entry.kind !== 'alert') continue
      if (entry.source === 'webhook') found.delivered ??= entry.receivedAt
      if (age > weekMs) continue
      const state = Object.hasOwn(outcomes, channel) ? outcomes[channel]?.state : undefined
      const isSent = state === 'sent'
      // What tells of a change again is no other alert, unless it was sent as one.
      if (!isSent && (entry.sameAs !== null || entry.confirms !== undefined)) continue
      found.came += 1
      // A digest, or the message of a story, tells of many at once.
      if (isSent || state === 'merged') found.sent += 1
    }
  }
  return found
}

async function lastRead(store: Pick<Store, 'readState'>, now: number): Promise<string | null> {
  const { succeededAt } = await polled(store, now)
  return succeededAt === null ? null : new Date(succeededAt).toISOString()
}
