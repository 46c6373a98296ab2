import type { Clock } from './clock.ts'
import type { Settled } from './deliver/queue.ts'
import type { AlertEvent } from './event/event.ts'
import type { Outcome } from './event/outcome.ts'
import type { Watch } from './watch/watch.ts'

/** A channel that fails for less is not worth waking anybody for. */
const channelGraceMs = 5 * 60_000
const serviceGraceMs = 10 * 60_000
/** Signed deliveries in a row that do not verify: one may be a stranger, three are a wrong secret. */
const forgeries = 3

/** What the operators should hear of, and what ends it. Turns what the stages report into troubles. */
export interface Alarms {
  settled(settled: Settled): void
  accepted(event: AlertEvent, outcomes: Record<string, Outcome>): void
  received(outcome: string): void
  subscription(status: { state: string; why?: string; since?: string }): void
}

export function createAlarms(watch: Watch, clock: Clock): Alarms {
  let forgedInARow = 0

  function settled({ channel, owed, result, outcome }: Settled): void {
    const key = `channel:${channel}`
    if (result.result === 'sent') {
      watch.over(key, `Messages reach ${channel} again.`)
      if (result.remark !== undefined) {
        const title = `${channel} did not take all of a message`
        watch.happened(`remark:${channel}`, { title, text: `${owed.eventId}: ${result.remark}`, channel })
      }
      return
    }
    if (result.result === 'blocked') {
      watch.begins(key, { title: `${channel} takes no messages`, text: result.why, channel })
    } else if (outcome.state === 'waiting' && sinceFirst(outcome.firstAttemptAt) >= channelGraceMs) {
      const text = `Nothing has got through for ${minutes(sinceFirst(outcome.firstAttemptAt))}; last answer: ${result.why}`
      watch.begins(key, { title: `${channel} cannot be reached`, text, channel })
    }
    if (outcome.state === 'failed' && owed.entry.kind === 'alert') {
      const text = `${owed.eventId}: ${outcome.why}. Send it again with: bluepencil replay ${owed.eventId} ${channel}`
      watch.happened(`dead:${channel}`, {
        title: `A notification to ${channel} failed for good`,
        text,
        channel,
      })
    }
  }

  function sinceFirst(firstAttemptAt: string | undefined): number {
    return firstAttemptAt === undefined ? 0 : clock.now() - Date.parse(firstAttemptAt)
  }

  function accepted(event: AlertEvent, outcomes: Record<string, Outcome>): void {
    if (event.unrecognised.length === 0) return
    if (Object.values(outcomes).some(({ state }) => state === 'waiting')) return
    const fields = event.unrecognised.map(({ field }) => field).join(', ')
    watch.happened('unheard', {
      title: 'An event that could not be fully read reached no channel',
      text: `${event.id}: not as documented: ${fields}. See: bluepencil explain ${event.id}`,
    })
  }

  function received(outcome: string): void {
    if (outcome === 'accepted' || outcome === 'duplicate') {
      forgedInARow = 0
      watch.over('signature', 'Deliveries verify again.')
      watch.over('store', 'Events are stored again.')
    }
    if (outcome === 'forged') {
      forgedInARow += 1
      if (forgedInARow < forgeries) return
      watch.begins('signature', {
        title: 'Signed deliveries do not verify',
        text: `The last ${forgeries} or more signed deliveries did not fit any secret that we hold. If they are the service’s own, its secret or its way of signing has changed; see webhook.secrets and webhook.signature.`,
      })
    }
    if (outcome === 'not_stored') {
      watch.begins('store', {
        title: 'Events cannot be stored',
        text: 'Deliveries are answered 503, so that the service sends them again. See the log and the free space of the disk.',
      })
    }
  }

  function subscription(status: { state: string; why?: string; since?: string }): void {
    if (status.state === 'unknown') return
    if (status.state === 'active') {
      watch.over('subscription', 'The subscription is active.')
      return
    }
    const lasting = status.since === undefined ? 0 : clock.now() - Date.parse(status.since)
    if (status.state === 'unreachable' && lasting < serviceGraceMs) return
    const title =
      status.state === 'unreachable'
        ? 'The monitoring service cannot be reached'
        : 'There is no active subscription: no alerts will come'
    watch.begins('subscription', { title, text: status.why ?? status.state })
  }

  return { settled, accepted, received, subscription }
}

function minutes(milliseconds: number): string {
  const count = Math.round(milliseconds / 60_000)
  return count < 120 ? `${count} minutes` : `${Math.round(count / 60)} hours`
}
