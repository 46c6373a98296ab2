import { type Digest, isFinding } from '../../event/event.ts'
import { plain } from '../../platform/text.ts'
import type { Message } from '../message.ts'
import type { Words } from '../words/words.ts'
import { aboutDigest } from './about.ts'
import { publishedTexts, scopeInWords, storyLinks, whyInWords } from './acts.ts'
import { headline } from './headline.ts'
import { standingOf, statedSize } from './levels.ts'
import { inLanguage, linksOf, type PageOf } from './words.ts'

/** A message stays readable, and within what every provider accepts. */
const mostShown = 20

/** Several alerts in one message, the largest change first. */
export function ofDigest(
  digest: Digest,
  context: { timeZone: string; words: Words; pageOf?: PageOf | undefined },
): Message {
  const { timeZone, words } = context
  const { id, channel, count, items, until } = digest
  const shown = items.slice(0, mostShown)
  const left = count - shown.length
  const more = left > 0 ? [words.say('moreAlerts', { count: left, id })] : []
  const lines = shown.map((item) => {
    const at = words.time(item.detectedAt ?? item.receivedAt, timeZone)
    const title = headline(item, { words, size: statedSize(item) })
    const line = words.say('digestItem', { headline: title, at, ...standingOf(item) })
    const is = isFinding(item) ? 'withdrawal' : 'correction'
    return [line, ...publishedTexts(item.published ?? [], is, { words, timeZone })].join(' ')
  })
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
