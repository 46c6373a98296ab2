import { styleText } from 'node:util'
import { closest, distance } from 'fastest-levenshtein'

/**
 * Text from outside as one harmless line: no control, format or bidirectional characters, no lone surrogates,
 * no line breaks, not longer than `most` characters. Markup is left to each channel's format.
 */
export function plain(text: string, most = 200): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim()
  return line.length <= most ? line : cut(line, most)
}

const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** What reorders the text beside it (Unicode Standard Annex 9), and the byte order mark. */
const unseen = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Well-formed text on one line, without control or direction characters: safe in a terminal. */
export function printable(text: string): string {
  return text.toWellFormed().replace(breaks, ' ').replace(unseen, '')
}

/** The same with single blanks: safe in a header and a page too. Blanks at which no line is broken stay as they are. */
export function oneLine(text: string): string {
  return printable(text)
    .replace(/[^\S\u00a0\u202f]+/gu, ' ')
    .trim()
}

/**
 * What a terminal obeys, turns around or cannot show, line ends and tabs excepted: C0 and C1 controls, format
 * characters (directions, tags), line and paragraph separators, half characters. Zero widths stay: emoji are
 * joined by them, and the format of mails parts what looks like a link.
 */
const unshowable = /(?![\n\t\u200b-\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Most text is nothing else, and this is faster to test. */
const printableAscii = /^[\n\t\x20-\x7e]*$/

/** The text with those as `\uXXXX`. Of a JSON document it makes another that reads the same. */
export function visible(text: string): string {
  if (printableAscii.test(text)) return text
  return text.replace(unshowable, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** Made with the first text that is too long, for what it takes (event/delta.ts). */
let segmenter: Intl.Segmenter | undefined

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

/** A grapheme can carry any number of combining marks; so many UTF-16 units for each are kept. */
const unitsEach = 8

/**
 * The text, or as much of its start as `most` allows and an ellipsis, which counts too. Cut between two graphemes:
 * never inside an emoji, or between a letter and its accent. `size` measures a text, and that of a longer one is not
 * smaller; without it, graphemes are counted.
 */
export function cut(text: string, most: number, size: (text: string) => number = count): string {
  if (text.length <= most * unitsEach && size(text) <= most) return text
  const ends = startsOf(text, most * unitsEach)
  let best = '…'
  let low = 0
  let high = ends.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const candidate = `${text.slice(0, ends[middle]).trimEnd()}…`
    if (size(candidate) <= most) {
      best = candidate
      low = middle + 1
    } else {
      high = middle - 1
    }
  }
  return best
}

function count(text: string): number {
  let number = 0
  for (const _ of graphemesOf(text)) number += 1
  return number
}

/** Where graphemes begin, up to a place; so a text of megabytes costs no more than what is kept of it. */
function startsOf(text: string, most: number): number[] {
  const starts: number[] = []
  for (const { index } of graphemesOf(text)) {
    if (index > most) break
    starts.push(index)
  }
  return starts
}

/** "1 message", "2 messages", "1 try", "2 tries". */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** A length of time, no more exact than people say it: "1 minute", "119 minutes", "2 hours", "3 days". */
export function span(minutes: number): string {
  if (minutes < 120) return counted(minutes, 'minute')
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`
}

/** 12.43 → "12.4%". Two hundredths of a percent are less than one prompt in 500. */
export function percentText(percent: number): string {
  return `${percent.toFixed(1)}%`
}

/** A difference of two rates, in percentage points: "+2.4", "−0.8", "0.0". */
export function signed(points: number, digits = 1): string {
  const text = Math.abs(points).toFixed(digits)
  if (Number(text) === 0) return text
  return points > 0 ? `+${text}` : `−${text}`
}

/** "a", "a and b", "a, b and c"; or with "or". */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  const others = words.slice(0, -1)
  return [...(others.length > 0 ? [others.join(', '), last] : []), ...words.slice(-1)].join(' ')
}

/** "2026-11-21 14:00Z", of an ISO 8601 time in UTC. */
export function minuteText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`
}

/** Words that stand where a secret should; compared without case, hyphens, underscores and dots. */
const placeholders =
  /changeme|changethis|replaceme|replacethis|redacted|hidden|masked|placeholder|notshown|notavailable|undefined|example|insert(the|your|secret|here)|your\w*(secret|key|token)|(secret|key|token)(goes)?here|^<.*>$|^\[.*\]$|^\(.*\)$|^\{.*\}$/

/** Whether a text only stands for the secret that belongs there: `xoxb-your-token`, `changeme`. */
export function isPlaceholder(text: string): boolean {
  return placeholders.test(text.toLowerCase().replace(/[-_.\s]/g, ''))
}

/** The text in colour or weight if the terminal shows them; whether it does was asked before. */
export function painted(format: Parameters<typeof styleText>[0], text: string, colour: boolean): string {
  return colour ? styleText(format, text, { validateStream: false }) : text
}

/** The word that is probably meant, in any case; undefined if none is similar. */
export function nearest(written: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined
  const lower = written.toLowerCase()
  const nearestLower = closest(
    lower,
    words.map((word) => word.toLowerCase()),
  )
  const isNear = distance(lower, nearestLower) <= Math.max(1, Math.floor(written.length / 3))
  return isNear ? words.find((word) => word.toLowerCase() === nearestLower) : undefined
}

/** ` (is desk meant?)`, for an error about a word that does not exist; empty if none is similar. */
export function hintAt(written: string, words: readonly string[]): string {
  const meant = nearest(written, words)
  return meant === undefined ? '' : ` (is ${plain(meant)} meant?)`
}

/** Without percent-encoding; as it is if it has none that can be read. */
export function uriDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
