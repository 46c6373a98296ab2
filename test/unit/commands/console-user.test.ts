import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { Console } from '../../../src/config/console.ts'
import { isPassword } from '../../../src/console/access/password.ts'
import { command } from '../../support/command.ts'

const Written = z.object({ console: Console })

function consoleUser(input: string, ...words: string[]): string {
  return execFileSync(process.execPath, ['src/main.js', 'console-user', ...words], {
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
}

test('what it prints can be put into the configuration, and holds a hash of the password that was given', async () => {
  const printed = consoleUser('correct horse battery\n', ' ana ', '--role', 'editor')
  expect(printed).not.toContain('correct horse')
  const [user] = Written.parse(parse(printed)).console.users ?? []
  expect(user).toMatchObject({ name: 'ana', role: 'editor' })
  expect(await isPassword('correct horse battery', user?.password ?? '')).toBe(true)
})

test('a short password is refused', () => {
  expect(() => consoleUser('short', 'ana')).toThrow(/Command failed/)
})

test.each([
  ['a name with a blank', ['ana b'], 'NAME must have no spaces'],
  ['another role', ['ana', '--role', 'owner'], 'owner'],
])('%s is refused', async (_, words, why) => {
  const refused = await command(['console-user', ...words])
  expect(refused).toMatchObject({ code: 2, out: '', notes: expect.stringContaining(why) })
})

test('without a terminal and a password it says how one is given', async () => {
  const run = spawnSync(process.execPath, ['src/main.js', 'console-user', 'ana'], { encoding: 'utf8' })
  expect([run.status, run.stderr]).toEqual([2, expect.stringContaining('run this in a terminal')])
})

test('its help shows how it is used', async () => {
  expect((await command(['console-user', '--help'])).out).toContain(
    'bluepencil console-user ana --role editor',
  )
})
