import stringWidth from 'string-width'
import type { Outcome } from '../../event/outcome.ts'
import { padded, wrap } from '../../platform/terminal.ts'
import { painted } from '../../platform/text.ts'
import type { StoredEntry } from '../../store/store.ts'
import type { Terminal } from '../terminal.ts'

/** Columns before all that belongs to an act. */
export const indent = 3

export type DemoPrinter = ReturnType<typeof sayTo>

/** How the demo speaks: to the terminal, in lines that fit. */
export function sayTo({ out, width, colour }: Pick<Terminal, 'out' | 'width' | 'colour'>) {
  /** The first line after `before`, the others as far in. */
  function hung(before: string, text: string, further = 0): void {
    const blanks = ' '.repeat(stringWidth(before) + further)
    const [first = '', ...rest] = wrap(text, Math.max(width - blanks.length, 16))
    out(`${before}${first}\n`)
    for (const line of rest) out(`${blanks}${line}\n`)
  }
  const margin = ' '.repeat(indent)

  return {
    title: (text: string): void => hung('', painted('bold', text, colour)),
    /** A sentence, broken where the line ends. */
    line: (text: string): void => hung(margin, text),
    /** A name and what is said of it, which is broken where the line ends. */
    rows(rows: readonly (readonly [string, string])[]): void {
      const names = Math.max(...rows.map(([name]) => stringWidth(name)))
      for (const [name, text] of rows) hung(`${margin}  ${padded(name, names)}  `, text)
    },
    /** Lines as they are. */
    block(text: string): void {
      for (const line of text.trimEnd().split('\n')) out(`${margin}${line}`.trimEnd().concat('\n'))
    },
    /** What a command prints: lines that are too long are broken, and go on further in. */
    printed(text: string): void {
      for (const line of text.trimEnd().split('\n')) {
        const before = /^ */.exec(line)?.[0] ?? ''
        hung(`${margin}${before}`, line.slice(before.length), 2)
      }
    },
    /** An empty line. */
    gap: (): void => out('\n'),
  }
}

/** What became of an event on each channel, as it is stored. */
export function outcomeRows({ outcomes }: Pick<StoredEntry, 'outcomes'>): [string, string][] {
  return Object.entries(outcomes).map(([channel, outcome]) => [channel, inWords(outcome)])
}

function inWords(outcome: Outcome): string {
  switch (outcome.state) {
    case 'sent':
      return 'sent'
    case 'not_sent':
      return `not sent: ${outcome.why}`
    case 'merged':
      return 'no new message: Bluepencil edits the first one'
    case 'held':
    case 'waiting':
    case 'failed':
      return `${outcome.state}: ${outcome.why}`
  }
}
