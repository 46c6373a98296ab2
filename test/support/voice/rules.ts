import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import { type Sentence, sentencesOf } from './prose.ts'

/** Something that is not as the project speaks. */
export interface Offence extends Sentence {
  rule: string
}

const mostWords = 30

/** Words that the house no longer uses, with the plain ones. */
const retired: readonly { rule: string; pattern: RegExp }[] = [
  { rule: 'tell: send, alert, notify, report', pattern: /\b(tells?|telling|told|untold)\b/i },
  { rule: 'hear of: is notified', pattern: /\b(hears?|heard)\b/i },
  { rule: 'owe: pending', pattern: /\b(owed|owes|owing)\b/i },
  { rule: 'set aside: quarantined', pattern: /\bset aside\b/i },
  { rule: 'let past: skip ahead', pattern: /\b(let past|easy pace|look-back)\b/i },
  {
    rule: 'a riddle: a plain subject and verb',
    pattern: /\b(whoever|whatever|whichever|of which|of whom|so that none)\b/i,
  },
  {
    rule: 'where: if, when',
    pattern: /(?:^|[,;:(] |\b(?:and|or|but|not|only|except|also|even|nor) )where\b(?! (?:to|from)\b)/i,
  },
]

/** A constant says what it holds, a function what it does to what. */
const retiredNames = new Set(['found', 'known', 'one', 'asked', 'said', 'own', 'given', 'take'])

export function offencesOf(sentences: readonly Sentence[]): Offence[] {
  return sentences.flatMap((sentence) => {
    const words = longestReading(sentence.text)
      .split(' ')
      .filter((word) => /[\p{L}\d]/u.test(word)).length
    return [
      ...(words > mostWords ? [{ ...sentence, rule: `longer than ${mostWords} words` }] : []),
      ...retired
        .filter(({ pattern }) => pattern.test(sentence.text))
        .map(({ rule }) => ({ ...sentence, rule })),
    ]
  })
}

/** Of a phrase with choices (`{way, select, rise {up} other {down}}`), the longest that a reader may see. */
function longestReading(text: string): string {
  if (!/\{\w+, (?:select|plural), /.test(text)) return text
  try {
    return longestOf(parse(text))
  } catch {
    return text
  }
}

function longestOf(elements: readonly MessageFormatElement[]): string {
  return elements
    .map((element) => {
      if (element.type === TYPE.literal) return element.value
      if (element.type !== TYPE.select && element.type !== TYPE.plural) return 'X'
      const readings = Object.values(element.options).map(({ value }) => longestOf(value))
      return readings.toSorted((one, other) => other.split(' ').length - one.split(' ').length)[0] ?? ''
    })
    .join('')
}

/** Names of constants and functions; a part of a pattern is named by what it is taken from. */
export function namesIn(file: string, source = readFileSync(file, 'utf8')): Offence[] {
  const offences: Offence[] = []
  const lines = source.split('\n')
  function check(id: Node | null, start: number): void {
    if (id?.type !== 'Identifier' || !retiredNames.has(id.name)) return
    const line = source.slice(0, start).split('\n').length
    const text = (lines[line - 1] ?? '').trim()
    offences.push({ file, line, text, rule: `the name ${id.name}: what is in it, what it does to what` })
  }
  new Visitor({
    VariableDeclarator: ({ id, start }) => check(id, start),
    FunctionDeclaration: ({ id, start }) => check(id, start),
  }).visit(parseSync(file, source).program)
  return offences
}

/** The same for a sentence that only moved. */
export function keyOf({ rule, text }: Offence): string {
  return hash('sha256', `${rule}\n${text}`, 'hex').slice(0, 10)
}

const pages = ['*.md', 'docs/**/*.md', '.github/**/*.md']
const code = ['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'pack/**/*.ts']
/** Answers in other languages, the words that are refused, and a page that repeats texts of the code. */
const without =
  /^src\/message\/words\/(?:\w+\/)?(?:de|es|fr|pt)\.ts$|^test\/(?:support|unit)\/voice\/|^docs\/reference\.md$/

/** Every sentence and name of the project that is not as it speaks, old ones included. */
export function allOffences(): Offence[] {
  const files = globSync([...pages, ...code])
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !without.test(file) && !file.includes('node_modules'))
    .toSorted()
  return files.flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    return [...offencesOf(sentencesOf(file, source)), ...(file.endsWith('.ts') ? namesIn(file, source) : [])]
  })
}
