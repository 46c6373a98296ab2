import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { ConfigProblem } from '../config/error.ts'
import { listed, nearest } from '../platform/text.ts'
import { errorCode } from '../platform/unknown.ts'

/** In the folder where a command is started. What stands in it counts as the environment, which wins. */
const environmentFile = '.env'

/** The files that are read; the first wins. In the working folder, beside the configuration, and the file that `init` writes. */
export function environmentFiles(configFile: string): string[] {
  const folder = dirname(resolve(configFile))
  const folders = [folder, ...(basename(folder) === 'config' ? [dirname(folder)] : [])]
  const here = process.cwd()
  const others = folders
    .filter((one) => one !== here)
    .map((one) => relative(here, join(one, environmentFile)))
  return [environmentFile, ...others]
}

/** The one that `init` writes: what is there already, else beside a configuration that was named. */
export function environmentFileFor(configFile: string): string {
  const folder = configFile === 'config/bluepencil.yaml' ? '.' : dirname(configFile)
  return environmentFiles(configFile).find((file) => existsSync(file)) ?? join(folder, environmentFile)
}

interface FileEnvironment {
  variables: NodeJS.Dict<string>
  /** What is wrong with the files, for who lacks these variables. */
  problemsFor(missing: readonly string[]): ConfigProblem[]
}

export function readEnvironmentFiles(configFile: string): FileEnvironment {
  const files = environmentFiles(configFile).map(read)
  const variables = Object.assign({}, ...files.toReversed().map((one) => one.variables))
  return {
    variables,
    problemsFor(missing) {
      const problems = files.flatMap((one) => one.problemsFor(missing))
      if (files.some((one) => one.isThere)) return problems
      const folders = files.map(({ file }) => dirname(resolve(file)))
      const message = `is missing in ${listed(folders, 'or')}; Bluepencil reads variables from there, too`
      return [{ file: environmentFile, key: '', message }]
    },
  }
}

function read(file: string): FileEnvironment & { file: string; isThere: boolean } {
  try {
    return { file, isThere: true, ...contentOf(file, readFileSync(file, 'utf8')) }
  } catch (error) {
    const code = errorCode(error) ?? ''
    const message =
      code === 'EISDIR'
        ? 'is a folder; write the variables into a file of that name'
        : `cannot be read (${code}), so its variables are not set; change its owner or its mode`
    const isThere = code !== 'ENOENT'
    return { file, isThere, variables: {}, problemsFor: () => (isThere ? [{ file, key: '', message }] : []) }
  }
}

const curly = /^["'`]?[“”„‟‘’‚‛«»]|[“”„‟‘’‚‛«»]["'`]?$/u

/** No message has a value in it, which may be a secret. A value in curly quotes is no value: they would be a part of it. */
function contentOf(file: string, text: string): FileEnvironment {
  const variables = parseEnv(text)
  const lines = linesOf(text)
  const inCurly = lines.filter(({ name }) => name !== undefined && curly.test(variables[name]?.trim() ?? ''))
  for (const { name = '' } of inCurly) delete variables[name]

  return {
    variables,
    problemsFor(missing) {
      const at = (line: number, column: number, message: string) => ({ file, line, column, key: '', message })
      const wordless = lines
        .filter(({ name }) => name === undefined)
        .map(({ line, text: whole }) => {
          const meant = missing.find((one) => /^\s*(?:export\s+)?(\w+)/.exec(whole)?.[1] === one)
          return at(line, 1, `is not NAME=value${meant === undefined ? '' : `; write ${meant}=…`}`)
        })
      const quoted = inCurly.map(({ line, name = '', text: whole }) =>
        at(line, whole.indexOf('=') + 2, `${name} is in curly quotes; write straight ones (") or none`),
      )
      const misspelt = missing.flatMap((one) => {
        const meant = nearest(one, Object.keys(variables))
        const written = lines.find(({ name }) => name === meant)
        return meant === undefined || meant === one || written === undefined
          ? []
          : [at(written.line, 1, `has ${meant}; is that meant by ${one}?`)]
      })
      return [...wordless, ...quoted, ...misspelt]
    },
  }
}

interface EnvironmentLine {
  /** Counted from 1. */
  line: number
  text: string
  /** Absent if it sets no variable. */
  name?: string | undefined
}

/** Where something begins: a value in quotes may have several lines. */
function linesOf(text: string): EnvironmentLine[] {
  const lines = text.split(/\r?\n/)
  const entries: EnvironmentLine[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, mark, rest = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(["'`]?)(.*)$/.exec(line) ?? []
    entries.push({ line: index + 1, text: line, name })
    if (mark === undefined || mark === '' || rest.includes(mark)) continue
    const end = lines.findIndex((other, at) => at > index && other.includes(mark))
    if (end !== -1) index = end
  }
  return entries
}
