import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { dialectKeys } from '../../../src/sandbox/dialect.ts'
import { run } from '../e2e/process.ts'
import { startWithClock } from './started.ts'

const page = readFileSync('docs/sandbox.md', 'utf8')

test('docs/sandbox.md has a row for each key of the dialect, with its values and meaning', () => {
  const rows = dialectKeys().map(
    ({ key, values, meaning }) => `| \`${key}\` | \`${values.join('`, `')}\` | ${meaning} |`,
  )
  expect(page.split('\n').filter((line) => rows.includes(line))).toEqual(rows)
})

test('the command lists every key with its values', async () => {
  const { code, stdout } = await run(['sandbox', '--dialect', 'help'])
  expect(code).toBe(0)
  const missing = dialectKeys().filter(({ key, values }) => !stdout.includes(`${key}=${values.join('|')}\n`))
  expect(missing).toEqual([])
})

test('docs/sandbox.md names each operation, key and client that the sandbox has', async () => {
  const { control } = await startWithClock()
  const { keys, oauth, operations } = z
    .object({
      keys: z.array(z.string()),
      oauth: z.object({ clients: z.array(z.string()) }),
      operations: z.array(z.object({ method: z.string(), path: z.string() })),
    })
    .parse((await control('GET', '')).body)
  const named = [...keys, ...oauth.clients, ...operations.map(({ method, path }) => `${method} ${path}`)]
  expect(named.filter((name) => !page.includes(`\`${name}`))).toEqual([])
})
