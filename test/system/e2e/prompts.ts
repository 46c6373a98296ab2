import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atTerminal } from '../../support/pty.ts'

export const enter = '\r'
export const down = '\u001b[B'
export const up = '\u001b[A'
export const interrupt = '\u0003'

export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'init-'))
}

export function init(cwd: string, ...args: string[]) {
  return atTerminal(['init', ...args], { cwd, env: { TZ: 'Europe/Berlin' } })
}

/** The recorded run, with what differs each time by a name. */
export function recorded(screen: string, ...names: [string | RegExp, string][]): string {
  const secrets: [RegExp, string] = [/\*{8,}(\n\*+)?/g, '****************']
  return [secrets, ...names].reduce(
    (text, [found, name]) => text.replaceAll(found, name),
    `$ npx bluepencil init\n${screen}`,
  )
}

/** Where the run is recorded for the documentation. */
export const record = (name: string) => new URL(`../../../docs/set-up/${name}.txt`, import.meta.url).pathname
