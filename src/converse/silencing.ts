import { type Asked, type Asker, longestWhy, type Reply } from '../channels/interaction.ts'
import type { Scope } from '../event/act.ts'
import type { AlertEvent } from '../event/event.ts'
import type { Store } from '../store/store.ts'
import type { Acts } from './acts.ts'
import { notACategory } from './categories.ts'
import { mayNot, notKept } from './refusals.ts'
import { endFrom, waysToEnd } from './until.ts'

/** What readers call things. */
interface Words {
  /** "Claude on political prompts". */
  scope(scope: Scope): string
  /** A time (ISO 8601) in a time zone. */
  when(iso: string, timeZone: string): string
  /** One line on an alert: its headline. */
  headline(alert: AlertEvent): Promise<string>
}

export interface SilencingParts {
  acts: Acts
  store: Pick<Store, 'find' | 'list'>
  words: Words
  clock: { now(): number }
  may(doing: 'acknowledge' | 'silence', by: Asker): boolean
  /** In which somebody is shown times, and says them. */
  timeZone(by: Asker): string
}

export interface Silencing {
  form(by: Asker, about: string): Promise<Reply>
  /** From the form of an alert. */
  ofAlert(asked: Extract<Asked, { does: 'silence' }>): Promise<Reply>
  /** `until` in words: `1h`, `tomorrow`, … */
  ofScope(asked: Pick<Asked, 'by' | 'key'>, wanted: Wanted): Promise<Reply>
}

interface Wanted {
  scope: Scope
  until: string
  why: string
  about?: string
}

const ends = [
  { value: '1h', label: '1 hour' },
  { value: 'tomorrow', label: 'Until tomorrow, 9:00' },
  { value: '1w', label: '1 week' },
]

export function createSilencing({ acts, store, words, clock, may, timeZone }: SilencingParts): Silencing {
  const refused: Reply = { text: mayNot('silence alerts', 'chat.silence') }

  async function scopeOf(about: string): Promise<Scope | Reply> {
    const entry = (await store.find(about))?.entry
    if (entry?.kind !== 'alert') return notKept
    const { model, category } = entry
    // A silence of nothing named would be one of everything.
    if (model === null) return { text: 'The alert names no model, so there is nothing to silence by.' }
    return { model, ...(category !== null && { category: category.toLowerCase() }) }
  }

  async function ofScope({ by, key }: Pick<Asked, 'by' | 'key'>, wanted: Wanted): Promise<Reply> {
    if (!may('silence', by)) return refused
    const { scope, about } = wanted
    const zone = timeZone(by)
    const until = endFrom(wanted.until, zone, clock.now())
    if (until === undefined) return { text: `The time cannot be read; write ${waysToEnd}.` }
    const why = wanted.why.trim().slice(0, longestWhy) || 'no reason given'
    const asked = { scope, until, why, ...(about !== undefined && { about }) }
    const done = await acts.silence({ by, key }, asked)
    if (done.result === 'bad-end' || done.result === 'unknown') {
      return { text: 'A silence ends later than now, and within 30 days; nothing was done.' }
    }
    if (done.result === 'no-category') {
      return { text: `${notACategory(scope.category ?? '')} Nothing was done.` }
    }
    const { silence } = done
    const end = words.when(silence.until, zone)
    return {
      text: `Alerts about ${words.scope(silence.scope)} are held until ${end}; then one message says what came.`,
    }
  }

  return {
    ofScope,
    async form(by, about) {
      if (!may('silence', by)) return refused
      const scope = await scopeOf(about)
      if ('text' in scope) return scope
      const of = words.scope(scope)
      return { text: `Silence ${of}?`, form: { about, scope: of, ends } }
    },
    async ofAlert({ by, key, about, until, why }) {
      if (!may('silence', by)) return refused
      const scope = await scopeOf(about)
      return 'text' in scope ? scope : ofScope({ by, key }, { scope, until, why, about })
    },
  }
}
