import { spawnSync } from 'node:child_process'

/** Lives of a desk in processes of their own, since they replace Node's time and network. Answers what `run.ts` printed. */
export function simulate(...args: string[]): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/system/simulate/run.ts', ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return { status, printed: stdout + stderr }
}
