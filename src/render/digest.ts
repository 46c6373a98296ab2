import type { Message } from '../channels/message.ts'
import type { Digest } from '../event/digest.ts'
import type { ShownAlert } from '../event/event.ts'
import { counted } from '../text/counted.ts'
import { plain } from '../text/plain.ts'
import { scopeInWords } from './acts.ts'
import { headline } from './headline.ts'
import { levelsOf } from './levels.ts'
import { when } from './words.ts'

/** A message stays readable, and within what every provider accepts. */
const mostShown = 20

/** Several alerts in one message, the largest change first. */
export function ofDigest(digest: Digest, { timeZone }: { timeZone: string }): Message {
  const { id, channel, of, items, until } = digest
  const largest = items.toSorted((one, other) => size(other) - size(one))
  const shown = largest.slice(0, mostShown)
  const left = of.length - shown.length
  const more =
    left > 0 ? [`And ${counted(left, 'more alert')}; bluepencil explain ${id} names them all.`] : []
  return {
    id,
    thread: `digest/${channel}`,
    tone: 'neutral',
    kicker: digest.silence === undefined ? 'Digest' : 'Silence over',
    headline: lead(digest, timeZone),
    text: [
      ...shown.map(
        (item) =>
          `• ${headline(item, { levels: levelsOf(item) })} (${when(item.detectedAt ?? item.receivedAt, timeZone)})`,
      ),
      ...more,
    ],
    facts: [],
    links: [],
    caveats: [],
    source: `From Bluepencil itself · ${id}`,
    happenedAt: Date.parse(until),
  }
}

function lead({ of, from, until, silence }: Digest, timeZone: string): string {
  const alerts = counted(of.length, 'alert')
  const span = `from ${when(from, timeZone)} to ${when(until, timeZone)}`
  if (silence === undefined) return `${alerts} ${span}.`
  const { by, why, scope } = silence
  return `${alerts} came while ${plain(by.name)} had silenced ${scopeInWords(scope)} (${plain(why, 200)}), ${span}.`
}

function size({ delta }: ShownAlert): number {
  return Math.abs(delta ?? 0)
}
