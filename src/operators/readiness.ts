import { type HeldAlerts, heldByChannel } from '../store/held.ts'
import type { Backlog, Store } from '../store/store.ts'
import type { Incidents } from './incidents.ts'

/** Times are ISO 8601, UTC. */
interface PollingReadiness {
  mode: string
  reason: string
  lastLook: string | null
  nextLook: string | null
}

export interface Readiness {
  status: 'ready' | 'degraded' | 'unavailable' | 'not_set_up'
  /** What to do about it, if it is not set up. */
  setUp?: string
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

interface ReadinessParts {
  store: Pick<Store, 'backlog' | 'held'>
  incidents: Pick<Incidents, 'current'>
  /** Rejects if an event could not be stored. */
  probe(): Promise<void>
  /** Whether anybody can sign in, or there is a channel. */
  isSetUp(): boolean
  app: {
    current(): { channels: readonly { name: string; type: string }[] }
    subscription(): { state: string } | undefined
    polling(): { status(): PollingReadiness } | undefined
  }
}

export const notSetUp =
  'Bluepencil is not set up: open the address that the log shows at the start, or write a configuration file'

/**
 * What works. Never rejects. Only a store that accepts nothing makes us `unavailable`. A rejected channel or a lost subscription is
 * `degraded`: if the webhook went out of service for it, events would be lost on top.
 */
export async function readiness(parts: ReadinessParts): Promise<Readiness> {
  const { store, incidents, probe, app } = parts
  const answers = await Promise.all([probe(), store.backlog(), store.held()]).catch((error: unknown) => ({
    why: error instanceof Error ? error.message : String(error),
  }))
  const [, rows, held] = 'why' in answers ? [undefined, [], []] : answers
  const troubles = incidents.current().map(({ key, title, text, since }) => ({ key, title, text, since }))
  const backlog = new Map(rows.map((row) => [row.channel, row]))
  const heldOn = heldByChannel(held)
  const channels = app.current().channels.map(({ name, type }) => {
    const row: Backlog | undefined = backlog.get(name)
    return {
      name,
      type,
      ok: !troubles.some(({ key }) => key === `channel:${name}`),
      waiting: row?.waiting ?? 0,
      ...(row === undefined ? {} : { oldest: row.oldest }),
      ...(heldOn.has(name) && { held: heldOn.get(name) ?? [] }),
    }
  })
  const isStoring = !('why' in answers)
  const isSetUp = parts.isSetUp()
  return {
    status: isSetUp || !isStoring ? statusOf(isStoring, troubles.length) : 'not_set_up',
    ...(!isSetUp && { setUp: notSetUp }),
    store: isStoring ? { ok: true } : { ok: false, why: answers.why },
    subscription: app.subscription() ?? { state: 'not configured' },
    polling: app.polling()?.status() ?? { mode: 'off' },
    channels,
    troubles,
  }
}

function statusOf(isStoring: boolean, troubles: number): Readiness['status'] {
  if (!isStoring) return 'unavailable'
  return troubles > 0 ? 'degraded' : 'ready'
}
