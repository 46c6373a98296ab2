import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Catalogue } from '../../../../src/message/words/phrases.ts'

/** What a message needs to be said: its arguments, and which of them is a number of things: `count plural`. */
export function argumentsOf(message: string): string[] {
  return [...new Set(elementsOf(message).flatMap(argumentIn))].toSorted()
}

function argumentIn(element: MessageFormatElement): string[] {
  if (element.type === TYPE.literal || element.type === TYPE.pound) return []
  return [element.type === TYPE.plural ? `${element.value} plural` : element.value]
}

/** The choices of its selections, such as `way rise`. */
export function choicesOf(message: string): string[] {
  return elementsOf(message).flatMap((element) =>
    element.type === TYPE.select
      ? Object.keys(element.options).map((option) => `${element.value} ${option}`)
      : [],
  )
}

/** The words that a language says, in lower case. */
export function vocabularyOf(catalogue: Catalogue): Set<string> {
  return new Set(Object.values(catalogue).flatMap((message) => wordsIn(literalsOf(message).join(' '))))
}

/** The words of a text, in lower case: letters, with apostrophes and hyphens between them. */
export function wordsIn(text: string): string[] {
  return Array.from(text.matchAll(/\p{L}[\p{L}\p{M}]*/gu), ([word]) => word.toLowerCase())
}

export function literalsOf(message: string): string[] {
  return elementsOf(message).flatMap((element) => (element.type === TYPE.literal ? [element.value] : []))
}

function elementsOf(message: string): MessageFormatElement[] {
  return parse(message, { ignoreTag: true }).flatMap(withParts)
}

function withParts(element: MessageFormatElement): MessageFormatElement[] {
  if (element.type !== TYPE.plural && element.type !== TYPE.select) return [element]
  return [element, ...Object.values(element.options).flatMap(({ value }) => value.flatMap(withParts))]
}
