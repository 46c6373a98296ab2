import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandFailure } from '../failure.ts'

export interface NewFile {
  file: string
  text: string
  mode: number
}

/** The text of a file, or undefined where there is none. */
export function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Writes all of them or, where one cannot be written, none: what was there before is there again. */
export function writeAll(files: readonly NewFile[]): void {
  const undo: (() => void)[] = []
  for (const one of files) {
    try {
      const before = textOf(one.file)
      mkdirSync(dirname(one.file), { recursive: true })
      writeWhole(one)
      undo.push(() => (before === undefined ? rmSync(one.file) : writeWhole({ ...one, text: before })))
    } catch (error) {
      for (const step of undo) step()
      const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      throw new CommandFailure(`${one.file} cannot be written (${why}); nothing was changed`, 1, error)
    }
  }
}

/** Whoever reads it meets the whole text of before or of after. A link keeps leading where it led. */
function writeWhole({ file, text, mode }: NewFile): void {
  const target = existsSync(file) ? realpathSync(file) : file
  const next = `${target}.new-${process.pid}`
  try {
    writeFileSync(next, text, { mode, flag: 'wx', flush: true })
    renameSync(next, target)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}
