import type * as z from 'zod'
import { visible } from '../platform/text.ts'
import { isMapping } from '../platform/unknown.ts'
import type { MadePart } from './browser-config.ts'

/** One thing that is wrong in the configuration, with its place. */
export interface ConfigProblem {
  file: string
  /** Counted from 1; absent if the file as a whole is meant. */
  line?: number
  column?: number
  /** `channels[0].minDelta`; empty for the whole file. */
  key: string
  message: string
  /** If it was made in the browser: which part is wrong, and the path in it. */
  made?: MadePart & { path: (string | number)[] }
  /** If it is in the file: what may need something that was made in the browser. */
  needs?: FileEntry
}

/** A channel or an operator of the file, by its index; or an address of ours that needs a service. */
export type FileEntry = readonly ['channels' | 'operators', number] | readonly ['webhook', 'publicUrl']

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

/** What is wrong with a value, and what to write instead, if the schema itself has no sentence for it. */
export function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return ofType(issue.expected, issue.input)
  if (issue.code === 'invalid_value') return oneOf(issue.values.map(String))
  if (issue.code === 'invalid_union' && Array.isArray(issue.options)) return oneOf(issue.options.map(String))
  if (issue.code === 'too_small') return tooSmall(issue.origin, Number(issue.minimum))
  if (issue.code === 'too_big')
    return issue.origin === 'number' ? `must be ${issue.maximum} at most` : 'is too long'
  return undefined
}

/** The value is not repeated: it may be a secret. */
function ofType(expected: string, input: unknown): string | undefined {
  if (input === undefined) return 'is missing'
  if (input === null) {
    return expected === 'string'
      ? 'is empty; text that begins with # must be in quotes, since # begins a comment'
      : 'is empty; write something below it, or leave the key out'
  }
  switch (expected) {
    case 'array':
      return isMapping(input)
        ? 'must be a list: begin each of its entries with a hyphen'
        : 'must be a list; write it in brackets, such as [one, another]'
    case 'string':
      return typeof input === 'object' ? 'must be one text' : 'must be text; put it in quotes'
    case 'number':
    case 'int':
      return 'must be a number alone, such as 5: no quotes, unit or per cent sign'
    case 'boolean':
      return 'must be true or false, without quotes'
    case 'object':
      return 'must have keys of its own, indented below it'
    default:
      return undefined
  }
}

function tooSmall(origin: string, least: number): string {
  if (origin === 'array')
    return 'is an empty list, so nothing would pass; leave the key out to get everything'
  return origin === 'string' ? 'is empty' : `must be ${least} at least`
}

/** "must be one of rise, fall, both" */
function oneOf(values: readonly string[]): string {
  return `must be one of ${values.join(', ')}`
}
