import { type Digest, type DigestItem, isFinding } from '../../event/event.ts'
import { plain } from '../../platform/text.ts'
import type { Message } from '../message.ts'
import type { Words } from '../words/words.ts'
import { aboutDigest } from './about.ts'
import { publishedTexts, scopeInWords, storyLinks, whyInWords } from './acts.ts'
import { headline } from './headline.ts'
import { standingOf, statedSize } from './levels.ts'
import { inLanguage, linksOf, type PageOf } from './words.ts'

/** A message stays readable, and within what every provider accepts: so many alerts, and so many characters of theirs. */
const mostShown = 20
const mostText = 2_300

/** Several alerts in one message, the largest change first. */
export function ofDigest(
  digest: Digest,
  context: { timeZone: string; words: Words; pageOf?: PageOf | undefined },
): Message {
  const { timeZone, words } = context
  const { id, channel, count, items, until } = digest
  const lines = fitting(items.slice(0, mostShown).map((item) => lineOf(item, timeZone, words)))
  const shown = items.slice(0, lines.length)
  const left = count - shown.length
  const more = left > 0 ? [words.say('moreAlerts', { count: left, id })] : []
  return {
    id,
    thread: `digest/${channel}`,
    tone: 'neutral',
    ...inLanguage(words),
    kicker: words.say(digest.silence === undefined ? 'digest' : 'afterSilence'),
    headline: lead(digest, timeZone, words),
    text: [...lines, ...more],
    facts: [],
    ...linksOf(
      digest,
      storyLinks(
        [],
        shown.flatMap(({ published = [] }) => published),
        words,
      ),
      context,
    ),
    caveats: [],
    about: aboutDigest(digest),
    source: `${words.say('fromBluepencil')} · ${id}`,
    happenedAt: Date.parse(until),
  }
}

function lineOf(item: DigestItem, timeZone: string, words: Words): string {
  const at = words.time(item.detectedAt ?? item.receivedAt, timeZone)
  const title = headline(item, { words, size: statedSize(item) })
  const line = words.say('digestItem', { headline: title, at, ...standingOf(item) })
  const is = isFinding(item) ? 'withdrawal' : 'correction'
  return [line, ...publishedTexts(item.published ?? [], is, { words, timeZone })].join(' ')
}

/** Those before the text is too long, and the first in any case. Each has an empty line after it. */
function fitting(lines: readonly string[]): string[] {
  let length = 0
  return lines.filter((line, index) => {
    length += line.length + 2
    return index === 0 || length <= mostText
  })
}

function lead({ count, from, until, silence }: Digest, timeZone: string, words: Words): string {
  const span = {
    count,
    from: words.time(from, timeZone),
    until: words.time(until, timeZone),
  }
  if (silence === undefined) return words.say('digestHeadline', span)
  const { by, why, scope } = silence
  return words.say('silenceHeadline', {
    ...span,
    by: plain(by.name),
    scope: scopeInWords(scope, words),
    why: whyInWords(why, words),
  })
}
