import type { Wish } from '../configuration.ts'
import type { Breach } from '../judge.ts'
import type { Act, HostName } from '../scenario.ts'
import type { Run } from '../world.ts'
import { wishesAt } from './wishes.ts'

const minuteMs = 60_000
/** An alert that waits so long while nothing gets through is reported by then, with some room for slow tries. */
const reportedAfterMs = 20 * minuteMs
/** What was done before may still be at work: a process that is down, a reload that ends. */
const disturbedMs = 15 * minuteMs

type Outage = Extract<Act, { act: 'weather' }>

/** 5. Of a channel that lets nothing through for long while an alert waits for it, the operators get a report. */
export function outagesReported(run: Run): Breach[] {
  return run.scenario.acts.flatMap((act) => {
    if (act.act !== 'weather' || !isTotal(act) || isDisturbed(run, act)) return []
    const from = run.began + act.at
    const until = run.began + act.until
    return (
      wishesAt(run, from)
        .filter(({ place }) => hostOf(place) === act.host)
        // What was held went out later.
        .filter(({ hours }) => Object.keys(hours).length === 0)
        .filter((wish) => waitsFor(run, wish, from, until))
        .filter((wish) => !isReported(run, wish, from))
        .map(({ name }) => ({ rule: 5 as const, what: `${name} let nothing through, and nobody said so` }))
    )
  })
}

/** No request succeeds. A mail may go over a connection that is open already, and most commands do well. */
function isTotal({ host, weather: { refused, lostThere, failing } }: Outage): boolean {
  return lostThere === 1 || (host !== 'mail' && (refused === 1 || failing === 1))
}

/** Something else that happens meanwhile may end the outage for the channel, or hide it. */
function isDisturbed(run: Run, outage: Outage): boolean {
  const [from, until] = [outage.at - disturbedMs, outage.until]
  const meets = (other: Act) =>
    other !== outage &&
    (other.act === 'weather' ? other.host === outage.host : disturbing.has(other.act)) &&
    other.at <= until &&
    endOf(other) >= from
  const isKilled = run.kills.some((at) => at >= run.began + from && at <= run.began + until)
  return isKilled || run.leaps.length > 0 || run.scenario.acts.some(meets)
}

function endOf(act: Act): number {
  if ('until' in act) return act.until
  return 'lasts' in act ? act.at + act.lasts : act.at
}

const disturbing: ReadonlySet<Act['act']> = new Set([
  'kill',
  'restart',
  'rot',
  'reload',
  'replay',
  'disk',
  'silence',
])

function waitsFor({ stored }: Run, { name }: Wish, from: number, until: number): boolean {
  return stored.some(({ entry, outcomes }) => {
    const { state, escalated } = outcomes[name] ?? {}
    // It came there only then.
    const at = Date.parse(escalated?.at ?? entry.receivedAt)
    return (
      entry.kind === 'alert' &&
      at >= from &&
      at <= until - reportedAfterMs &&
      (state === 'sent' || state === 'failed')
    )
  })
}

function isReported({ readers }: Run, { name }: Wish, from: number): boolean {
  return readers.shown.some(
    ({ own, text, at }) =>
      own?.startsWith('ntc_') === true &&
      at >= from &&
      [`“${name}” cannot be reached`, `“${name}” rejects our messages`].some((title) =>
        text.replace(/\s+/g, ' ').includes(title),
      ),
  )
}

function hostOf(place: string): HostName {
  if (place === 'slack-webhook') return 'hooks'
  if (place.startsWith('slack')) return 'slack'
  return place.startsWith('mail') ? 'mail' : 'discord'
}
