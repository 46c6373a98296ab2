import { type Asker, type ChatReply, type ChatRequest, longestWhy } from '../../channels/interaction.ts'
import type { Scope } from '../../event/act.ts'
import { type AlertEvent, knownCategories } from '../../event/event.ts'
import type { Words } from '../../message/words/words.ts'
import type { Store } from '../../store/store.ts'
import type { Acts } from './acts.ts'
import { endFrom } from './until.ts'

/** The words and times of an answer. */
export interface ReplyWording {
  words: Words
  /** In which times are shown, and read. */
  timeZone: string
  /** "Claude on political prompts". */
  scope(scope: Scope): string
  /** One line on an alert: its headline. */
  headline(alert: AlertEvent): Promise<string>
}

export interface SilencingParts {
  acts: Acts
  store: Pick<Store, 'find' | 'list'>
  telling: ReplyWording
  clock: { now(): number }
  may(doing: 'acknowledge' | 'silence', by: Asker): boolean
}

export interface Silencing {
  form(by: Asker, about: string): Promise<ChatReply>
  /** From the form of an alert. */
  ofAlert(asked: Extract<ChatRequest, { does: 'silence' }>): Promise<ChatReply>
  /** `until` in words: `1h`, `tomorrow`, … */
  ofScope(asked: Pick<ChatRequest, 'by' | 'key'>, wanted: UnparsedSilence): Promise<ChatReply>
}

interface UnparsedSilence {
  scope: Scope
  until: string
  why: string
  about?: string
}

const ends = [
  { value: '1h', label: 'forOneHour' },
  { value: 'tomorrow', label: 'untilTomorrow' },
  { value: '1w', label: 'forOneWeek' },
] as const

export function createSilencing({ acts, store, telling, clock, may }: SilencingParts): Silencing {
  const { words, timeZone } = telling
  const refused: ChatReply = { text: words.say('mayNot', { doing: 'silence', key: 'chat.silence' }) }

  async function scopeOf(about: string): Promise<Scope | ChatReply> {
    const entry = (await store.find(about))?.entry
    if (entry?.kind !== 'alert') return { text: words.say('alertGone') }
    const { model, category } = entry
    // A silence of nothing named would be one of everything.
    if (model === null) return { text: words.say('nothingToSilence') }
    return { model, ...(category !== null && { category: category.toLowerCase() }) }
  }

  async function ofScope(
    { by, key }: Pick<ChatRequest, 'by' | 'key'>,
    wanted: UnparsedSilence,
  ): Promise<ChatReply> {
    if (!may('silence', by)) return refused
    const { scope, about } = wanted
    const until = endFrom(wanted.until, timeZone, clock.now())
    if (until === undefined) return { text: words.say('timeNotRead') }
    const why = wanted.why.trim().slice(0, longestWhy)
    const request = { scope, until, why, ...(about !== undefined && { about }) }
    const done = await acts.silence({ by, key }, request)
    if (done.result === 'bad-end' || done.result === 'unknown') {
      return { text: words.say('silenceTooLong') }
    }
    if (done.result === 'no-category') {
      const { category = '' } = scope
      const categories = [...knownCategories, 'all'].join(', ')
      return { text: words.say('noSuchCategory', { category, categories }) }
    }
    const { silence } = done
    const end = words.time(silence.until, timeZone)
    return { text: words.say('silenceBegun', { scope: telling.scope(silence.scope), until: end }) }
  }

  return {
    ofScope,
    async form(by, about) {
      if (!may('silence', by)) return refused
      const scope = await scopeOf(about)
      if ('text' in scope) return scope
      const of = telling.scope(scope)
      const offered = ends.map(({ value, label }) => ({ value, label: words.say(label) }))
      return { text: words.say('silenceWhat', { scope: of }), form: { about, scope: of, ends: offered } }
    },
    async ofAlert({ by, key, about, until, why }) {
      if (!may('silence', by)) return refused
      const scope = await scopeOf(about)
      return 'text' in scope ? scope : ofScope({ by, key }, { scope, until, why, about })
    },
  }
}
