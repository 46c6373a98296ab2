import type { SettledTry } from '../deliver/parts.ts'
import type { AlertEvent } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import { headline } from '../message/render/headline.ts'
import { statedSize } from '../message/render/levels.ts'
import type { Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import { counted, listed, span } from '../platform/text.ts'
import type { IncidentReport } from './incident.ts'
import type { Incidents } from './incidents.ts'
import { reachedAgain } from './reports.ts'

/** A shorter failure of a channel is not worth waking anybody for. */
const channelGraceMs = 5 * minuteMs
const serviceGraceMs = 10 * minuteMs
/** The store is well when nothing of it failed for so long: what fails on and on is reported each minute. */
const storeQuietMs = 2 * minuteMs
/** Signed deliveries in a row that do not verify: one may be a stranger, three are a wrong secret. */
const forgeries = 3
/** Unsigned ones are mostly strangers; so many with no true one between may be a proxy that drops the header. */
const strangers = 20

/** An id that came with other content; `isEarlier`: what is stored under it is what the service had corrected since. */
interface ReusedReport {
  id: string
  contents: number
  isEarlier?: true
}

/**
 * Turns what the stages report into incidents, and ends them. `kindTitleOf`: "Slack" for a Slack channel, by its
 * name; undefined if it is no longer configured.
 */
export function createAlarms(
  incidents: Pick<Incidents, 'opens' | 'resolves' | 'happened'>,
  clock: Clock,
  kindTitleOf: (channel: string) => string | undefined,
) {
  const inARow = { forged: 0, unsigned: 0 }
  let storeFailedAt = Number.NEGATIVE_INFINITY

  function kindOf(channel: string): string {
    return kindTitleOf(channel) ?? 'The'
  }

  /** The second copy has gone out, or a further one. */
  function repeated({ channel, notification, result, outcome }: SettledTry): void {
    if (outcome.state !== 'sent' && outcome.state !== 'waiting') return
    const { unanswered = 0 } = outcome
    const isLastOpen = result.result === 'retry' && result.unanswered === true && unanswered > 1
    const copies = unanswered + (result.result === 'sent' ? 1 : 0)
    if (unanswered === 0 || !(isLastOpen || result.result === 'sent')) return
    incidents.happened(`unanswered:${channel}`, {
      title: `A message to ${channel} may have arrived ${copies} times`,
      text: `${notification.eventId}: ${counted(unanswered, 'attempt')} got no answer, and Bluepencil cannot check whether the message arrived. See: bluepencil explain ${notification.eventId}`,
      channel,
    })
  }

  /** A try has had no answer for so many milliseconds. */
  function slow({ channel, forMs }: { channel: string; forMs: number }): void {
    const text = `The provider has not answered a message for ${span(Math.round(forMs / minuteMs))}. Later messages on this channel wait for it.`
    const title = `${kindOf(channel)} channel “${channel}” cannot be reached`
    incidents.opens(`channel:${channel}`, { title, text, channel })
  }

  function settled(settled: SettledTry): void {
    const { channel, notification, result, outcome, outageMs, backoffMs } = settled
    const key = `channel:${channel}`
    const isAlert = notification.entry.kind === 'alert'
    if (isAlert) repeated(settled)
    if (result.result === 'sent') {
      incidents.resolves(key, reachedAgain(channel))
      // Of a notice about a refused address, another notice about it would come, and so on.
      if (result.remark !== undefined && isAlert) {
        const title = `${channel} accepted only part of a message`
        incidents.happened(`remark:${channel}`, {
          title,
          text: `${notification.eventId}: ${result.remark}`,
          channel,
        })
      }
      return
    }
    if (result.result === 'blocked') {
      const title = `${kindOf(channel)} channel “${channel}” rejects our messages`
      incidents.opens(key, { title, text: result.why, channel })
    } else if (outageMs !== undefined && outageMs + backoffMs >= channelGraceMs) {
      // Where a provider asks for an hour's wait, that is known now and not in an hour.
      const next =
        backoffMs >= channelGraceMs ? ` Next attempt in ${span(Math.round(backoffMs / minuteMs))}.` : ''
      const text = `No message has got through for ${span(Math.round(outageMs / minuteMs))}.${next} Last answer: ${result.why}`
      const title = `${kindOf(channel)} channel “${channel}” cannot be reached`
      incidents.opens(key, { title, text, channel })
    }
    if (outcome.state === 'failed' && isAlert) {
      const text = `${notification.eventId}: ${outcome.why}. Send it again with: bluepencil replay ${notification.eventId} ${channel}`
      incidents.happened(`dead:${channel}`, {
        title: `A notification to ${channel} failed for good`,
        text,
        channel,
      })
    }
  }

  function accepted(event: AlertEvent, outcomes: Record<string, Outcome>): void {
    const old = Object.entries(outcomes).filter(
      ([, outcome]) => outcome.state === 'not_sent' && outcome.rule === 'stale',
    )
    if (old.length > 0) {
      notifyOfOld(event, Object.fromEntries(old))
      return
    }
    // What came by the other way before was sent then, or not, by its own fields.
    if (event.unrecognised.length === 0 || event.sameAs !== null) return
    if (Object.values(outcomes).some(({ state }) => state === 'waiting' || state === 'held')) return
    const fields = event.unrecognised.map(({ field }) => field).join(', ')
    incidents.happened('unheard', {
      title: 'An incomplete event was not sent to any channel',
      text: `${event.id}: not as documented: ${fields}. See: bluepencil explain ${event.id}`,
    })
  }

  /** What is dated so long ago may be a replay, or be mistyped; or the clock here is wrong. */
  function notifyOfOld(event: AlertEvent, outcomes: Record<string, Outcome>): void {
    const [first] = Object.values(outcomes)
    const why = first?.state === 'not_sent' ? first.why : ''
    const how = Object.keys(outcomes).map((channel) => `bluepencil replay ${event.id} ${channel}`)
    incidents.happened('stale', {
      title: `An old event was stored but not sent: ${headline(event, { size: statedSize(event) })}`,
      text: `${event.id}: ${why}. If its date is mistyped or the clock here is wrong, send it with: ${listed(how, 'or')}`,
    })
  }

  /** The service uses one id for different things. */
  function reused({ id, contents, isEarlier }: ReusedReport): void {
    if (isEarlier === true) {
      incidents.happened('earlier', {
        title: `The service repeats what it had corrected: ${id}`,
        text: `It is stored, and readers keep the correction, since it may be a late repeat. If what came last is right, send it with: bluepencil replay ${id} CHANNEL`,
      })
      return
    }
    incidents.happened('reused', {
      title: `The service sent ${contents} different events under the id ${id}`,
      text: `All are stored. If one corrects an earlier one, it is sent as a correction, otherwise as an alert. Ask the service for unique ids. See: bluepencil explain ${id}`,
    })
  }

  function received(outcome: string, eventId?: string): void {
    if (outcome === 'accepted' || outcome === 'duplicate') {
      inARow.forged = 0
      inARow.unsigned = 0
      incidents.resolves('signature', 'Incoming webhooks have a valid signature again')
      incidents.resolves('secret', 'Incoming webhooks can be verified')
    }
    if (outcome === 'forged') {
      inARow.forged += 1
      if (inARow.forged >= forgeries)
        incidents.opens('signature', notVerified('did not match any of your signing secrets'))
    }
    if (outcome === 'unsigned') {
      inARow.unsigned += 1
      if (inARow.unsigned >= strangers) incidents.opens('signature', notVerified('had no signature'))
    }
    if (outcome === 'no_secret') noSecret()
    if (outcome === 'not_stored') storeFails()
    if (outcome === 'failed') {
      incidents.happened('unprocessed', {
        title: 'An event could not be processed',
        text: `${eventId ?? 'A delivery'} was answered with 500, so the service sends it again. The cause is an unexpected error, not the store. See the log.`,
      })
    }
  }

  /** Something of our own failed while it was accepted. It is stored, and was sent to nobody. */
  function unprocessed({ id }: AlertEvent): void {
    incidents.happened('unprocessed', {
      title: 'An event could not be processed and was not sent',
      text: `${id} is stored, but an unexpected error stopped it. See the log, and bluepencil explain ${id}. Send it with: bluepencil replay ${id} CHANNEL`,
    })
  }

  /** No delivery can be verified. */
  function noSecret(): void {
    incidents.opens('secret', {
      title: 'No delivery can be verified: there is no signing secret',
      text: 'Set monitor and webhook.publicUrl, and Bluepencil subscribes by itself. Or set webhook.secrets. Until then, every delivery is answered with 503.',
    })
  }

  /** Something could not be written. */
  function storeFails(): void {
    storeFailedAt = clock.now()
    incidents.opens('store', {
      title: 'The store cannot be written',
      text: 'Deliveries are answered with 503, so the service sends them again. Check the log, and the free disk space or the database server.',
    })
  }

  /** A probe was written; what fails may be another part. */
  function storeProbed(): void {
    if (Math.abs(clock.now() - storeFailedAt) < storeQuietMs) return
    incidents.resolves('store', 'The store can be written again')
  }

  function subscription(status: { state: string; why?: string; since?: string }): void {
    if (status.state === 'unknown') return
    if (status.state === 'active') {
      incidents.resolves('subscription', 'The subscription is active')
      return
    }
    const lasting = status.since === undefined ? 0 : clock.now() - Date.parse(status.since)
    if (status.state === 'unreachable' && lasting < serviceGraceMs) return
    const title =
      status.state === 'unreachable'
        ? 'The monitoring service cannot be reached'
        : 'There is no active subscription, so no webhooks arrive'
    incidents.opens('subscription', { title, text: status.why ?? status.state })
  }

  return {
    settled,
    slow,
    accepted,
    reused,
    received,
    unprocessed,
    subscription,
    noSecret,
    storeFails,
    storeProbed,
  }
}

function notVerified(what: string): IncidentReport {
  return {
    title: 'Incoming webhooks have no valid signature',
    text: `The last deliveries ${what}. If they come from the service, its secret or signature format has changed (webhook.secrets, webhook.signature), or a proxy changes the body or drops X-Service-Signature.`,
  }
}
