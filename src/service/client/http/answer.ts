import * as z from 'zod'
import { type ReadBounds, readWithin } from '../../../platform/outbound/read.ts'
import { plain } from '../../../platform/text.ts'
import { Unintelligible } from '../errors.ts'

/** No answer that we ask for comes near; what is longer is not read on. */
const longestAnswer: ReadBounds = { mostBytes: 5 * 1024 * 1024, mostValues: 500_000 }

const tooLong =
  'more than 5 MB, more than 500,000 values or an encoding that was not asked for, and was not read to its end'

/** A successful answer, and the way to say that it is not what was asked for. */
export interface ServiceAnswer {
  status: number
  headers: Headers
  /** The body as JSON; undefined where there was none. Throws `Unintelligible` where it is something else. */
  json(): unknown
  /** Parses what was read; a mismatch is `Unintelligible` and names the fields. */
  parse<Shape extends z.ZodType>(value: unknown, shape: Shape): z.infer<Shape>
  unintelligible(problem: string, cause?: unknown): Unintelligible
}

/** Undefined where the body goes beyond what is read. */
export async function readText(response: Response, longest = longestAnswer): Promise<string | undefined> {
  const bytes = await readWithin(response, longest)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

/** `asked`: "GET https://service.example/v1/webhooks". `text`: undefined where it was too long. */
export function answerOf(response: Response, text: string | undefined, asked: string): ServiceAnswer {
  const { status, headers } = response
  function unintelligible(problem: string, cause?: unknown): Unintelligible {
    const advice = 'Check that monitor.baseUrl is the address of the interface, ending in /v1.'
    return new Unintelligible(`${asked} answered ${status} with ${problem}. ${advice}`, { status, cause })
  }
  if (text === undefined) throw unintelligible(tooLong)
  return {
    status,
    headers,
    json: () => (text.trim() === '' ? undefined : readJson(text, headers, unintelligible)),
    unintelligible,
    parse(value, shape) {
      const parsed = shape.safeParse(value)
      if (parsed.success) return parsed.data
      const problems = plain(z.prettifyError(parsed.error), 300)
      throw unintelligible(`JSON of another shape (${problems})`, parsed.error)
    },
  }
}

/** The parser's own error is not kept: it quotes the body, where a secret may stand. */
function readJson(text: string, headers: Headers, unintelligible: ServiceAnswer['unintelligible']): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const type = /^[\w.+-]+\/[\w.+-]+/.exec(headers.get('content-type') ?? '')?.[0] ?? 'no content type'
    const what = /^\s*</.test(text) ? 'a page of HTML or XML' : `${text.length} characters that are not JSON`
    throw unintelligible(`${what} (${type})`)
  }
}
