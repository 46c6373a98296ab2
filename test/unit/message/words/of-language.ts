import { de } from '../../../../src/message/words/de.ts'
import { en } from '../../../../src/message/words/en.ts'
import { es } from '../../../../src/message/words/es.ts'
import { fr } from '../../../../src/message/words/fr.ts'
import type { Language } from '../../../../src/message/words/phrases.ts'
import { pt } from '../../../../src/message/words/pt.ts'
import { wordsOf } from '../../../../src/message/words/words.ts'
import { vocabularyOf, wordsIn } from './literals.ts'

const catalogues = { en, de, fr, es, pt }

/** What is the same in every language: names, fields of the interface, what people write to us, what tests put in. */
const names = new Set([
  ...wordsIn(
    'Censorship Monitoring Service Bluepencil Slack Discord ChatGPT Claude Gemini Mistral Qwen llama Ada desk news example console',
  ),
  ...wordsIn(
    'type model category delta detected at methodology id body policy change censorship spike retired sports version x test alert explain alerts monitor m UTC',
  ),
  ...wordsIn(
    'acknowledge silence history compare status latest silences send held channels why help tomorrow days friday all h d w y T chat',
  ),
  ...wordsIn('checking published reopen'),
])

const vocabularies = new Map<Language, Set<string>>()

/** The words of a text that are none of the language's: of another language, and no name, id or date. */
export function foreignIn(language: Language, text: string): string[] {
  const vocabulary =
    vocabularies.get(language) ?? new Set([...vocabularyOf(catalogues[language]), ...datesIn(language)])
  vocabularies.set(language, vocabulary)
  return wordsIn(withoutIds(text)).filter((word) => !vocabulary.has(word) && !names.has(word))
}

/** Months and time zones. */
function datesIn(language: Language): string[] {
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 10)).toISOString())
  const zones = ['UTC', 'Europe/Berlin']
  return zones.flatMap((zone) => days.flatMap((day) => wordsIn(wordsOf(language).time(day, zone))))
}

function withoutIds(text: string): string {
  return (
    text
      .replaceAll('\u200b', '')
      .replace(/\\/g, '')
      // What was cut ends in half a word.
      .replace(/\S*…/g, ' ')
      .replace(/https?:\S+|\S+@\S+/g, ' ')
      .replace(/\b(?:evt|poll|dgs|body|ntc|sum|test)_\S*/g, ' ')
  )
}
