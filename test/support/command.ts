import { run } from '../../src/commands/program.ts'
import { harmless } from '../../src/commands/terminal.ts'

export interface Answer {
  code: number
  out: string
  notes: string
}

/** Runs a command in this process, as a person at a terminal of so many columns would. `watch` sees each text when it is there. */
export async function command(
  argv: readonly string[],
  width = 80,
  watch: (text: string) => void = () => {},
): Promise<Answer> {
  let out = ''
  let notes = ''
  const terminal = harmless({
    out: (text) => {
      out += text
      watch(text)
    },
    note: (text) => {
      notes += text
    },
    colour: false,
    width,
  })
  process.stdout.setMaxListeners(1_000)
  const code = await run(argv, terminal)
  return { code, out, notes }
}
