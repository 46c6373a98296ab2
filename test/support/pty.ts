import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import xterm from '@xterm/headless'
import { expect, onTestFinished, vi } from 'vitest'

/** The program at a terminal, as a person sees it and types into it. */
export interface Session {
  /** What stands on the screen, and above it, without colours. */
  screen(): string
  /** Types it once the question is asked. */
  answer(question: RegExp, typed: string): Promise<void>
  ended: Promise<number | null>
}

const columns = 100

/** A terminal of 100 columns by script(1) of util-linux; a terminal emulator reads what is drawn. */
export function atTerminal(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Session {
  const quoted = [process.execPath, new URL('../../src/main.js', import.meta.url).pathname, ...args].map(
    (one) => `'${one.replaceAll("'", "'\\''")}'`,
  )
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `stty cols ${columns}; exec ${quoted.join(' ')}`, '/dev/null'],
    { cwd, env: { ...process.env, TERM: 'xterm', NO_COLOR: '1', ...env } },
  )
  const terminal = new xterm.Terminal({ cols: columns, rows: 24, scrollback: 1_000, allowProposedApi: true })
  child.stdout.on('data', (drawn: Buffer) => terminal.write(drawn))
  const errors = text(child.stderr)
  const ended = once(child, 'close').then(async ([code]) => {
    await new Promise<void>((resolve) => terminal.write('', resolve))
    return Number(code)
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await errors
  })

  function screen(): string {
    const { active } = terminal.buffer
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    )
    return `${lines.join('\n').trimEnd()}\n`
  }

  return {
    screen,
    async answer(question, typed) {
      await vi.waitFor(() => expect(lastLines(screen())).toMatch(question), { timeout: 20_000 })
      child.stdin.write(typed)
    },
    ended,
  }
}

/** Where a prompt stands: earlier questions are asked no more. */
function lastLines(screen: string): string {
  return screen.trimEnd().split('\n').slice(-10).join('\n')
}
