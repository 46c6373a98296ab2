import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A text of a file that stands there once, and what is planted in its place. */
export interface Edit {
  file: string
  text: string
  planted: string
}

/** Plants edits in a copy of the program and its tests, and answers what `work` does with the copy's folder. */
export function inPlantedCopy<T>(edits: readonly Edit[], work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-planted-'))
  try {
    for (const name of [
      'src',
      'test',
      'docs',
      'config',
      'package.json',
      'vitest.config.ts',
      'tsconfig.json',
    ]) {
      cpSync(name, join(folder, name), { recursive: true, filter: (path) => !path.includes('/version-1') })
    }
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    for (const { file, text, planted } of edits) {
      const parts = readFileSync(join(folder, file), 'utf8').split(text)
      if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times, not once: ${text}`)
      writeFileSync(join(folder, file), parts.join(planted))
    }
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
