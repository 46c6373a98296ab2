import { text } from 'node:stream/consumers'
import password from '@inquirer/password'
import { stringify } from 'yaml'
import { hashOf, shortestPassword } from '../console/access/password.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Prints what stands under `console.users` for a person. The password is asked for, or read from standard input. */
export async function consoleUser(
  name: string,
  { role }: { role: 'reader' | 'editor' | 'admin' },
  { out, note }: Terminal,
): Promise<void> {
  if (!/^[^\p{C}\p{Z}]{1,100}$/u.test(name))
    throw new CommandFailure('NAME must have no blanks, such as ana', 2)
  const chosen = process.stdin.isTTY ? await asked(name) : await given()
  if (chosen.length < shortestPassword)
    throw new CommandFailure(`a password has at least ${shortestPassword} characters`, 2)
  note('Put this into the configuration:\n')
  out(stringify({ console: { users: [{ name, password: await hashOf(chosen), role }] } }, { lineWidth: 0 }))
}

async function given(): Promise<string> {
  const read = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (read !== '') return read
  const what = 'there is no password on standard input, and no terminal to ask for it'
  throw new CommandFailure(`${what}; begin this in a terminal (with docker: run -it), or send one line`, 2)
}

async function asked(name: string): Promise<string> {
  const first = await password({ message: `Password of ${name}:`, mask: true })
  const second = await password({ message: 'Once more:', mask: true })
  if (first !== second) throw new CommandFailure('the two are not the same; nothing was made', 2)
  return first
}
