import { type CommonSettings, isForTroubleAlone } from '../channels/settings.ts'
import { desiredAlerts, polls } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import { keepDigests, type ReleaseParts } from '../decide/digest/release.ts'
import type { Incidents } from '../operators/incidents.ts'
import { reportDay, reportId, type StatusReportData, statusReport } from '../operators/status-report.ts'
import { holdsOf } from '../pipeline.ts'
import { dayMs } from '../platform/durations.ts'
import { newestFirst } from '../store/pages.ts'
import type { Store } from '../store/store.ts'
import { runAsLeader } from './leader.ts'
import type { RunningApp } from './running-app.ts'
import { readPollingState, type SharedServices } from './services.ts'

/** Sends what was held when its wait ends; one process does so for all. Begins at once; answers what ends it. */
export function startDigests(services: SharedServices, running: ReleasingApp): () => Promise<void> {
  const { store, clock, log, silences } = services
  const onError = (error: unknown) => log.error({ error }, 'while sending what was held')
  return runAsLeader('digests', {
    store,
    clock,
    async lead(signal, takenOver) {
      // The leader before may know newer silences.
      if (takenOver) await silences.refresh()
      const channels = () => running.current().channels.map(({ name }) => name)
      const { onChange: onSilences } = silences
      await keepDigests({ ...releasePartsOf(services, running), channels, onSilences, onError }, signal)
    },
    onError,
  })
}

type ReleasingApp = Pick<RunningApp, 'current' | 'accept' | 'wake'>

export function releasePartsOf(
  { store, clock, silences }: Pick<SharedServices, 'store' | 'clock' | 'silences'>,
  running: ReleasingApp,
) {
  return {
    store,
    clock,
    ...holdsOf({ silences, now: clock.now, channels: () => running.current().config.channels }),
    accept: (digest) => running.accept(digest),
    wake: (channel) => running.wake(channel),
  } satisfies ReleaseParts
}

const weekMs = 7 * dayMs
/** An older delivery is not searched for. */
const longAgoMs = 30 * dayMs

/** Sends the weekly report of each channel that wants one, as soon as it is due; later if nothing ran at the hour. */
export function createStatusReports(
  {
    clock,
    store,
    incidents,
  }: Pick<SharedServices, 'clock' | 'store'> & { incidents: Pick<Incidents, 'current'> },
  running: Pick<RunningApp, 'accept'> & { current(): { config: Config } },
): () => Promise<void> {
  /** The last report of each channel that is certainly stored: the store is not asked each minute. */
  const stored = new Map<string, string>()

  async function sendDue(channel: CommonSettings, config: Config): Promise<void> {
    const now = clock.now()
    const id = reportId(channel.name, reportDay(now, channel.timeZone))
    if (stored.get(channel.name) === id) return
    if ((await store.find(id)) === undefined) {
      await running.accept(statusReport(channel, await dataOf(channel, config, now), now))
    }
    stored.set(channel.name, id)
  }

  async function dataOf(channel: CommonSettings, config: Config, now: number): Promise<StatusReportData> {
    const { models } = isForTroubleAlone(channel) ? desiredAlerts(config) : { models: channel.models }
    const expectsDeliveries = config.webhook.publicUrl !== undefined || config.webhook.secrets.length > 0
    const { received, sent } = await store.countAlerts({ channel: channel.name, since: now - weekMs })
    return {
      came: received,
      sent,
      models: models ?? desiredAlerts(config).models,
      delivered: expectsDeliveries ? await lastDelivery(store, now) : undefined,
      read: polls(config) ? await lastPoll(store, now) : undefined,
      wrong: incidents.current().map(({ title }) => title),
    }
  }

  return async () => {
    const { config } = running.current()
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

async function lastPoll(store: Pick<Store, 'readState'>, now: number): Promise<string | null> {
  const { succeededAt } = await readPollingState(store, now)
  return succeededAt === null ? null : new Date(succeededAt).toISOString()
}
