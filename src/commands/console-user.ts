import { text } from 'node:stream/consumers'
import password from '@inquirer/password'
import { stringify } from 'yaml'
import type { Role } from '../config/values.ts'
import { hashOf, shortestPassword } from '../console/access/password.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

const rule = `a password has at least ${shortestPassword} characters`

/** Prints what stands under `console.users` for a person. */
export async function consoleUser(
  name: string,
  { role }: { role: Role },
  { out, note }: Terminal,
): Promise<void> {
  const account = await makeAccount(name, role)
  note('Add this to the configuration:\n')
  out(stringify({ console: { users: [account] } }, { lineWidth: 0 }))
}

/** As `console.users` has it. The password is asked for, or read from standard input. */
export async function makeAccount(typed: string, role: Role) {
  const name = typed.trim()
  if (!/^[^\p{C}\p{Z}]{1,100}$/u.test(name))
    throw new CommandFailure('NAME must have no spaces, such as ana', 2)
  const chosen = process.stdin.isTTY ? await askPassword(name) : await readPassword()
  if (chosen.length < shortestPassword) throw new CommandFailure(rule, 2)
  return { name, password: await hashOf(chosen), role }
}

async function readPassword(): Promise<string> {
  const read = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (read !== '') return read
  const what = 'there is no password on standard input, and no terminal to ask for one'
  throw new CommandFailure(`${what}; run this in a terminal (with docker: run -it), or send one line`, 2)
}

async function askPassword(name: string): Promise<string> {
  const validate = (typed: string) => typed.length >= shortestPassword || rule
  const first = await password({ message: `Password of ${name} (${rule}):`, mask: true, validate })
  const second = await password({ message: 'Once more:', mask: true })
  if (first !== second) throw new CommandFailure('the two passwords differ; nothing was changed', 2)
  return first
}
