import { type HeldAlerts, heldByChannel } from '../store/held.ts'
import type { Backlog, HeldNotification } from '../store/store.ts'

export interface HealthSources {
  /** Rejects where an event could not be stored; `backlog` where none could be read. */
  probe(): Promise<void>
  backlog(): Promise<Backlog[]>
  held(): Promise<HeldNotification[]>
  troubles(): readonly { key: string; title: string; text: string; since: string }[]
  subscription(): { state: string } | undefined
  polling(): PollingReadiness | undefined
  channels: readonly { name: string; type: string }[]
}

/** Times are ISO 8601, UTC. */
interface PollingReadiness {
  mode: string
  reason: string
  lastLook: string | null
  nextLook: string | null
}

export interface Readiness {
  status: 'ready' | 'degraded' | 'unavailable'
  store: { ok: boolean; why?: string }
  subscription: { state: string } | { state: 'not configured' }
  polling: PollingReadiness | { mode: 'off' }
  channels: {
    name: string
    type: string
    ok: boolean
    waiting: number
    oldest?: string
    held?: HeldAlerts[]
  }[]
  troubles: { key: string; title: string; text: string; since: string }[]
}

/**
 * What works. Only a store that takes nothing makes us `unavailable`: a rejected channel or a lost subscription
 * is `degraded`, because taking the webhook out of service for it would lose events on top.
 */
export async function readiness(sources: HealthSources): Promise<Readiness> {
  let rows: readonly Backlog[] = []
  let held = heldByChannel([])
  const store = await Promise.all([sources.probe(), sources.backlog(), sources.held()]).then(
    ([, found, waits]) => {
      rows = found
      held = heldByChannel(waits)
      return { ok: true }
    },
    (error: unknown) => ({ ok: false, why: error instanceof Error ? error.message : String(error) }),
  )
  const troubles = sources.troubles().map(({ key, title, text, since }) => ({ key, title, text, since }))
  const backlog = new Map(rows.map((row) => [row.channel, row]))
  const channels = sources.channels.map(({ name, type }) => {
    const row = backlog.get(name)
    return {
      name,
      type,
      ok: !troubles.some(({ key }) => key === `channel:${name}`),
      waiting: row?.waiting ?? 0,
      ...(row === undefined ? {} : { oldest: row.oldest }),
      ...(held.has(name) && { held: held.get(name) ?? [] }),
    }
  })
  const subscription = sources.subscription() ?? { state: 'not configured' }
  const polling = sources.polling() ?? { mode: 'off' as const }
  const status = !store.ok ? 'unavailable' : troubles.length > 0 ? 'degraded' : 'ready'
  return { status, store, subscription, polling, channels, troubles }
}
