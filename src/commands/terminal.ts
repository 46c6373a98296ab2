import { visible } from '../platform/text.ts'

/** Where a command writes: results to `out`, everything else to `note`. */
export interface Terminal {
  out(text: string): void
  note(text: string): void
  /** Colours are for people: only on a terminal, and never with NO_COLOR. */
  colour: boolean
  width: number
}

export function processTerminal(): Terminal {
  const { stdout, env } = process
  return harmless({
    out: (text) => void stdout.write(text),
    note: (text) => void process.stderr.write(text),
    colour: stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
    width: Math.min(Math.max(stdout.columns ?? 80, 40), 100),
  })
}

/** Select Graphic Rendition (ECMA-48, 8.3.117), as `styleText` writes it. */
const esc = '\u001b'
const colours = new RegExp(`(${esc}\\[[\\d;]*m)`)

/**
 * What commands write holds words of the service and of providers, also in JSON, whose own escapes leave 8-bit
 * controls and reading directions as they are. Of all that a terminal obeys only colours get through.
 */
export function harmless({ out, note, colour, width }: Terminal): Terminal {
  // A carriage return before a line end, as CSV has it (RFC 4180), moves nothing.
  const clean = (text: string) => text.split('\r\n').map(cleanPart).join('\r\n')
  const cleanPart = (text: string) =>
    colour
      ? text
          .split(colours)
          .map((part, index) => (index % 2 === 0 ? visible(part) : part))
          .join('')
      : visible(text)
  return { out: (text) => out(clean(text)), note: (text) => note(clean(text)), colour, width }
}
