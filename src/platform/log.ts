import { type DestinationStream, type Logger, pino } from 'pino'
import { isoTime } from './clock.ts'
import { visible } from './text.ts'

/** JSON lines, one for each thing that happened; none leaves with a secret in it, or commands a terminal. */
export function createLog(
  level: string,
  redactor: Pick<Redactor, 'redact'>,
  write: (line: string) => void,
): Logger {
  const destination: DestinationStream = { write: (line) => write(visible(redactor.redact(line))) }
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoTime(Date.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'message',
      serializers: { error: described },
    },
    destination,
  )
}

/** What an error says and why, down the chain of causes; the stack only if there is no message. */
function described(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  return {
    name: error.name,
    message: error.message,
    ...(error.cause === undefined ? {} : { cause: described(error.cause) }),
    ...(error.name === 'Error' || error.name === 'TypeError' ? { stack: error.stack } : {}),
  }
}

/** Shorter ones would blot out ordinary words. */
const shortest = 6

export type Redactor = ReturnType<typeof createRedactor>

export function createRedactor() {
  let secrets: string[] = []
  return {
    /** More to hide from now on: a signing secret that the service gave us. */
    add(more: readonly string[]): void {
      const forms = more.flatMap((secret) => [
        secret,
        encodeURIComponent(secret),
        // As SMTP and HTTP Basic send it.
        Buffer.from(secret).toString('base64'),
        JSON.stringify(secret).slice(1, -1),
      ])
      const usable = [...secrets, ...forms].filter((secret) => secret.length >= shortest)
      secrets = [...new Set(usable)].sort((one, other) => other.length - one.length)
    },
    /** The text with every secret replaced by `[secret]`. */
    redact: (text: string): string =>
      secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text),
  }
}
