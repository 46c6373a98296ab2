import { run } from '../../../src/commands/program.ts'

/** Runs a command in this process, to its end, and leaves no listener behind. */
export async function runHere(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const before = new Set(process.stdout.listeners('error'))
  let stdout = ''
  let stderr = ''
  const terminal = {
    out(text: string) {
      stdout += text
    },
    note(text: string) {
      stderr += text
    },
    colour: false,
    width: 200,
  }
  const code = await run(argv, terminal)
  for (const listener of process.stdout.listeners('error')) {
    if (!before.has(listener)) process.stdout.off('error', listener as () => void)
  }
  return { code, stdout, stderr }
}
