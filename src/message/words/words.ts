import { IntlMessageFormat } from 'intl-messageformat'
import { en } from './en.ts'
import type { Catalogue, Language, PhraseArguments, PhraseName } from './phrases.ts'

type ArgumentsOf<Name extends PhraseName> = Name extends keyof PhraseArguments ? [PhraseArguments[Name]] : []

interface Digits {
  /** Decimal places: as many at least, and at most. */
  least?: number
  most: number
  grouped?: boolean
}

/** One language: what it says, and how it writes numbers, dates and lists. */
export interface Words {
  language: Language
  say<Name extends PhraseName>(name: Name, ...args: ArgumentsOf<Name>): string
  /** "14,500". */
  number(value: number, digits: Digits): string
  /** "21 Nov 2026, 15:05 CET"; of an ISO 8601 time, in an IANA time zone. */
  time(iso: string, timeZone: string): string
  /** "21 Nov 2026". */
  day(iso: string, timeZone: string): string
  /** "21 Nov". */
  shortDay(iso: string, timeZone: string): string
  /** "a, b, c". */
  list(items: readonly string[]): string
}

/** As Intl knows them; Portuguese is that of Brazil. */
const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', es: 'es-ES', pt: 'pt-BR' }

const catalogues: Record<Exclude<Language, 'en'>, () => Promise<Catalogue>> = {
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  pt: async () => (await import('./pt.ts')).pt,
}

const loaded = new Map<Language, Words>([['en', wordsFrom('en', en)]])

/** What is in English for everybody: notices to operators. */
export const english: Words = wordsOf()

/** Loads what is not there yet. A process that speaks English alone loads nothing. */
export async function loadWords(wanted: Iterable<Language>): Promise<void> {
  for (const language of new Set(wanted)) {
    if (language === 'en' || loaded.has(language)) continue
    loaded.set(language, wordsFrom(language, await catalogues[language]()))
  }
}

/** A language that was loaded; throws if it was not. */
export function wordsOf(language: Language = 'en'): Words {
  const words = loaded.get(language)
  if (words === undefined) throw new Error(`the words of the language ${language} are not loaded`)
  return words
}

function wordsFrom(language: Language, catalogue: Catalogue): Words {
  const locale = locales[language]
  const numbers = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)
  const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)
  // Making one takes a hundred times as long as using it.
  const messages = kept((name: PhraseName) => {
    const formatters = { getNumberFormat: count, getDateTimeFormat: () => dates({}), getPluralRules: rules }
    return new IntlMessageFormat(catalogue[name], locale, undefined, { ignoreTag: true, formatters })
  })
  const number = kept(numbersAs)
  const time = kept((timeZone: string) => dates({ ...dayAs, ...timeAs, timeZone }))
  const day = kept((timeZone: string) => dates({ ...dayAs, timeZone }))
  const shortDay = kept((timeZone: string) => dates({ ...shortDayAs, timeZone }))
  const list = once(() => new Intl.ListFormat(locale, { type: 'unit' }))
  const count = once(() => numbers({ useGrouping: false }))
  const rules = once(() => new Intl.PluralRules(locale))

  function numbersAs(key: string): Intl.NumberFormat {
    const [least, most, grouped] = key.split(' ')
    const digits = { minimumFractionDigits: Number(least), maximumFractionDigits: Number(most) }
    return numbers({ ...digits, useGrouping: grouped === 'grouped' })
  }

  return {
    language,
    say(name, ...[values]) {
      const text = messages(name).format<string>({ ...values })
      return Array.isArray(text) ? text.join('') : text
    },
    number: (value, { least = 0, most, grouped = true }) =>
      number(`${least} ${most} ${grouped ? 'grouped' : ''}`).format(value),
    time: (iso, timeZone) => time(timeZone).format(new Date(iso)),
    day: (iso, timeZone) => day(timeZone).format(new Date(iso)),
    shortDay: (iso, timeZone) => shortDay(timeZone).format(new Date(iso)),
    list: (items) => list().format(items),
  }
}

const shortDayAs = { day: 'numeric', month: 'short' } as const
const dayAs = { ...shortDayAs, year: 'numeric' } as const
const timeAs = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

function kept<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const all = new Map<Key, Made>()
  return (key) => all.getOrInsertComputed(key, make)
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}
