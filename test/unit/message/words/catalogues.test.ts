import { describe, expect, test } from 'vitest'
import { problems } from '../../../../src/event/problems.ts'
import { de } from '../../../../src/message/words/de.ts'
import { en } from '../../../../src/message/words/en.ts'
import { es } from '../../../../src/message/words/es.ts'
import { fr } from '../../../../src/message/words/fr.ts'
import type { Catalogue, PhraseName } from '../../../../src/message/words/phrases.ts'
import { pt } from '../../../../src/message/words/pt.ts'
import { english } from '../../../../src/message/words/words.ts'
import { checkRows } from '../../../support/check-rows.ts'
import { argumentsOf, choicesOf, literalsOf, wordsIn } from './literals.ts'

const others: [string, Catalogue][] = Object.entries({ de, fr, es, pt })
const keys = Object.keys(en).filter(isKey)

function isKey(key: string): key is PhraseName {
  return Object.hasOwn(en, key)
}

/** Words that hold a sentence together, and that none of the other languages has. */
const englishAlone = new Set(
  'and are been could from has have its not of that the their them they this to was were which with you your'.split(
    ' ',
  ),
)
/** Which of these another language has all the same. */
const alsoIn: Record<string, string[]> = { de: ['was'], fr: ['has'], es: ['has', 'are'], pt: [] }

describe.each(others)('%s', (language, catalogue) => {
  test('says everything, and nothing else', () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(keys.toSorted())
  })

  test('takes the arguments that each message has in English', () =>
    checkRows(keys, (key) => {
      expect(argumentsOf(catalogue[key])).toEqual(argumentsOf(en[key]))
      expect(choicesOf(catalogue[key])).toEqual(expect.arrayContaining(choicesOf(en[key])))
    }))

  test('leaves no English word in a sentence', () => {
    const left = keys.flatMap((key) =>
      wordsIn(literalsOf(catalogue[key]).join(' '))
        .filter((word) => englishAlone.has(word) && !alsoIn[language]?.includes(word))
        .map((word) => `${key}: ${word}`),
    )
    expect(left).toEqual([])
  })

  test('says nothing as English does, but names and words that both languages have', () => {
    const same = keys.filter(
      (key) => literalsOf(en[key]).some((text) => /\p{L}/u.test(text)) && catalogue[key] === en[key],
    )
    const shared: Record<string, string[]> = {
      de: ['version', 'test', 'link', 'trend'],
      fr: ['version', 'test', 'shortPoints'],
      es: [],
      pt: ['link'],
    }
    expect(same.toSorted()).toEqual(shared[language]?.toSorted())
  })

  test('writes typographic apostrophes, which ICU does not read as quotes', () => {
    expect(Object.values(catalogue).filter((message) => message.includes("'"))).toEqual([])
  })

  test('never says of a difference that it is a per cent', () => {
    const differences = [
      'points',
      'shortPoints',
      'tinyChange',
      'refusesPoints',
      'otherModelsChanged',
    ] as const
    for (const key of differences) expect(catalogue[key]).not.toContain('%')
    expect(catalogue.otherSize).not.toMatch(/\{(shown|reported)\}\s*%/u)
  })

  test('never says as a fact that somebody censors', () => {
    const quoted = /„[^“]*“|«[^»]*»|“[^”]*”/gu
    const literals = keys.map((key) =>
      literalsOf(catalogue[key]).join(' ').replaceAll('censorship_spike', ''),
    )
    expect(literals.filter((text) => /[zc]ens/iu.test(text.replace(quoted, '')))).toEqual([])
  })
})

test.each(Object.entries({ en, ...Object.fromEntries(others) }))(
  'in %s no line ends between a number and its sign',
  (language, catalogue) => {
    const parted = Object.entries(catalogue).filter(([, message]) => / %/u.test(message))
    expect(parted).toEqual([])
    // English and Brazilian house styles write no blank at all.
    if (language !== 'en' && language !== 'pt') return
    expect(Object.entries(catalogue).filter(([, message]) => /\s%/u.test(message))).toEqual([])
  },
)

test('in French no line ends before a sign that stands apart', () => {
  expect(Object.entries(fr).filter(([, message]) => / [:;!?»]|« /u.test(message))).toEqual([])
})

test('each problem is stored in the words that English has for it', () =>
  checkRows(Object.entries(problems), ([name, text]) => {
    const key = `problem.${name}`
    if (!isKey(key)) throw new Error(`${key} is said nowhere`)
    expect(en[key]).toBe(text)
    expect(english.language).toBe('en')
  }))
