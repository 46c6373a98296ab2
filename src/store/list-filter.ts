import type { DeskState } from '../event/desk.ts'
import type { Entry } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'

/** What a list is limited to; undefined is any. */
export interface ListFilter {
  kind?: Entry['kind'] | undefined
  /** Of alerts; case does not matter. */
  model?: string | undefined
  category?: string | undefined
  type?: string | undefined
  /** On any channel, or on the one that is named. */
  outcome?: Outcome['state'] | undefined
  channel?: string | undefined
  /** Of alerts: what the desk does about them. */
  desk?: DeskState | undefined
  /** Days of receipt such as 2026-11-21, in UTC; both are included. `from` may be a time, in ISO 8601. */
  from?: string | undefined
  to?: string | undefined
  /** The entry has all of these words, or words that begin with them. */
  words?: string | undefined
}

/** Longer words are cut; of each text so many UTF-16 units are searched. */
const longestWord = 60
const longestText = 4_000

/** The words by which an entry is found: letters and digits, without accents and case. */
export function searchWords(entry: Entry): string[] {
  const texts = entry.kind === 'alert' ? textsOfAlert(entry) : stringsIn(entry)
  return texts.flatMap((text) => wordsIn(text.slice(0, longestText)))
}

/** What is searched for. One letter begins too many words, and so is a whole one. */
export function searchTerms(text: string): { word: string; isWhole: boolean }[] {
  return wordsIn(text).map((word) => ({ word, isWhole: /^.$/u.test(word) }))
}

function textsOfAlert({ id, model, category, type, body }: Extract<Entry, { kind: 'alert' }>): string[] {
  return [id, model ?? '', category ?? '', type ?? '', body.text]
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Nearly all text is ASCII, which has no accents: each delivery has its words made (2.4 µs, not 6.4). */
const isAscii = /^[\0-\x7f]*$/

function wordsIn(text: string): string[] {
  if (isAscii.test(text)) {
    const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
    return words.map((word) => word.slice(0, longestWord))
  }
  const plain = text.toWellFormed().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.slice(0, longestWord).replace(/\p{Cs}/gu, ''),
  )
}
