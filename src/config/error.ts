import { visible } from '../platform/text.ts'

/** One thing that is wrong in the configuration, and where. */
export interface ConfigProblem {
  file: string
  /** Counted from 1; absent where the file as a whole is meant. */
  line?: number
  column?: number
  /** `channels[0].minDelta`; empty for the whole file. */
  key: string
  message: string
}

/** The configuration cannot be used. The message has a line for each problem and can be shown as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[], cause?: unknown) {
    super(problems.map(sentence).join('\n'), { cause })
    this.problems = problems
  }
}

function sentence({ file, line, column, key, message }: ConfigProblem): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`
  // What was mistyped may be what a terminal would obey.
  return visible(`${place}: ${key === '' ? '' : `${key}: `}${message}`).replace(/\s+/g, ' ')
}
