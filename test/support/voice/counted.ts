import { readFileSync, writeFileSync } from 'node:fs'
import { keyOf, type Offence } from './rules.ts'

const file = 'test/unit/voice/counted.txt'

/** What was there before the project spoke as it does now: it may stay until it is changed, and is never added to. */
function counted(): ReadonlySet<string> {
  return new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))
}

export function newOffences(offences: readonly Offence[], old = counted()): string[] {
  return offences
    .filter((offence) => !old.has(keyOf(offence)))
    .map(({ file: at, line, rule, text }) => `${at}:${line}: ${rule}\n    ${text}`)
}

/** Entries of the list that nothing in the project has any more. */
export function goneOffences(offences: readonly Offence[], old = counted()): string[] {
  const keys = new Set(offences.map(keyOf))
  return [...old].filter((key) => !keys.has(key))
}

export function forget(gone: readonly string[]): void {
  const rest = counted().difference(new Set(gone))
  writeFileSync(file, `${[...rest].toSorted().join('\n')}\n`)
}
