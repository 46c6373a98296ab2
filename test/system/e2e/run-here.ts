import { command } from '../../support/command.ts'

/** As `run` of process.ts, in this process: in that folder, and with these variables beside those of the machine. */
export async function runHere(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: { cwd?: string; env?: Record<string, string> } = {},
) {
  const folder = process.cwd()
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  process.chdir(cwd)
  Object.assign(process.env, env)
  try {
    const { code, out, notes } = await command(args)
    return { code, stdout: out, stderr: notes }
  } finally {
    process.chdir(folder)
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
