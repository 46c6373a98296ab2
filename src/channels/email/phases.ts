import type { Readable } from 'node:stream'
import { minuteMs } from '../../platform/durations.ts'
import { counted } from '../../platform/text.ts'
import type { SmtpTimeouts } from './transport.ts'

/** How far one try to send a mail has come, and its end where a part of it takes too long. */
export interface SmtpPhases {
  /** Aborts when the part that it is in has lasted too long. */
  signal: AbortSignal
  /** The mail's body, which is read when the server has answered DATA. */
  follow(body: Readable): void
  /** True as soon as the server may have the mail: nothing can have been delivered before. */
  isBodyBegun(): boolean
  /** What took too long; undefined where nothing did. */
  tooSlow(): string | undefined
  end(): void
}

/**
 * Each part has its own limit (RFC 5321, 4.5.3.2). Before the body a try can be cut off and made again without harm;
 * a server that has the whole mail may take ten minutes to say so, and whoever does not wait sends it twice.
 */
export function followPhases(limits: SmtpTimeouts): SmtpPhases {
  const cut = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let body: Readable | undefined
  let slow: string | undefined

  function enter(milliseconds: number, what: string): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      slow = `${what} within ${span(milliseconds)}`
      cut.abort()
    }, milliseconds)
  }

  enter(limits.before, 'the mail was not asked for')
  return {
    signal: cut.signal,
    follow(next) {
      body = next
      next.once('resume', () => enter(limits.data, 'the mail was not accepted'))
      next.once('end', () => enter(limits.answer, 'the whole mail was sent, and not answered'))
    },
    isBodyBegun: () => body?.readableDidRead ?? false,
    tooSlow: () => slow,
    end: () => clearTimeout(timer),
  }
}

function span(milliseconds: number): string {
  const minutes = milliseconds / minuteMs
  return minutes >= 1 ? counted(minutes, 'minute') : counted(milliseconds / 1000, 'second')
}
