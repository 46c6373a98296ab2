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
  return {
    out: (text) => void stdout.write(text),
    note: (text) => void process.stderr.write(text),
    colour: stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
    width: Math.min(Math.max(stdout.columns ?? 80, 40), 100),
  }
}
