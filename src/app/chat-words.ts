import type { Channel } from '../channels/channel.ts'
import type { ChatRequest } from '../channels/interaction.ts'
import type { Config } from '../config/schema.ts'
import { shownLater } from '../decide/accept/later.ts'
import { scopeInWords } from '../message/render/acts.ts'
import { headline } from '../message/render/headline.ts'
import { statedSize } from '../message/render/levels.ts'
import { type Language, languages } from '../message/words/phrases.ts'
import { loadWords, wordsOf } from '../message/words/words.ts'
import type { ReplyWording } from '../people/converse/silencing.ts'
import type { Store } from '../store/store.ts'

interface TellingParts {
  channels: Config['channels']
  /** The same, opened: they know where they go. */
  opened: readonly Pick<Channel, 'name' | 'place'>[]
  store: Pick<Store, 'later'>
}

/**
 * In the language and the time zone of the channel that goes where it is asked. Where none does: in the language that who asks
 * has set, or in English, and in the time zone of the first channel of that provider.
 */
export async function tellingOf(
  asked: Pick<ChatRequest, 'by' | 'place' | 'locale'>,
  { channels, opened, store }: TellingParts,
): Promise<ReplyWording> {
  const ofProvider = channels.filter(({ type }) => type === asked.by.via)
  const here = ofProvider.find((one) => {
    const place = opened.find(({ name }) => name === one.name)?.place
    return place !== undefined && asked.place.includes(place)
  })
  const language = here === undefined ? languageOf(asked.locale) : here.language
  await loadWords([language ?? 'en'])
  const words = wordsOf(language)
  return {
    words,
    timeZone: (here ?? ofProvider[0])?.timeZone ?? 'UTC',
    scope: (scope) => scopeInWords(scope, words),
    async headline(alert) {
      const later = shownLater(await store.later(alert.id))
      return headline(alert, { words, ...later, size: statedSize(alert, later) })
    },
  }
}

/** `pt-BR` is Portuguese, and `es-419` Spanish. */
function languageOf(locale: string | undefined): Language | undefined {
  const [spoken] = locale?.toLowerCase().split('-') ?? []
  return languages.find((one) => one === spoken)
}
