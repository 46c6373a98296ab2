import { type CommonSettings, isForTroubleAlone } from '../channels/settings.ts'
import type { Config } from '../config/schema.ts'
import { polls, wanted } from '../config/wanted.ts'
import type { Incidents } from '../operators/incidents.ts'
import { reportDay, reportId, type StatusReportData, statusReport } from '../operators/status-report.ts'
import { dayMs } from '../platform/durations.ts'
import { newestFirst } from '../store/newest-first.ts'
import type { Store } from '../store/store.ts'
import { polled } from './contact.ts'
import type { RunningApp } from './running-app.ts'
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
  reloadable: Pick<RunningApp, 'take'> & { current(): { config: Config } },
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

  async function standingOf(channel: CommonSettings, config: Config, now: number): Promise<StatusReportData> {
    const { models } = isForTroubleAlone(channel) ? wanted(config) : { models: channel.models }
    const expectsDeliveries = config.webhook.publicUrl !== undefined || config.webhook.secrets.length > 0
    const { received, sent } = await store.countAlerts({ channel: channel.name, since: now - weekMs })
    return {
      came: received,
      sent,
      models: models ?? wanted(config).models,
      delivered: expectsDeliveries ? await lastDelivery(store, now) : undefined,
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

/** When the newest delivery was received, if it is not too long ago. */
async function lastDelivery(store: Pick<Store, 'list'>, now: number): Promise<string | null> {
  const from = new Date(now - longAgoMs).toISOString()
  for await (const rows of newestFirst(store, { kind: 'alert', from, withoutOutcomes: true })) {
    const delivered = rows.find(({ entry }) => entry.kind === 'alert' && entry.source === 'webhook')
    if (delivered !== undefined) return delivered.entry.receivedAt
  }
  return null
}

async function lastRead(store: Pick<Store, 'readState'>, now: number): Promise<string | null> {
  const { succeededAt } = await polled(store, now)
  return succeededAt === null ? null : new Date(succeededAt).toISOString()
}
