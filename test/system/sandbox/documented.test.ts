import { expect, test } from 'vitest'
import { dialectKeys } from '../../../src/service/sandbox/dialect.ts'
import { codeIn, read, rowsOf } from '../../support/markdown.ts'
import { run } from '../e2e/process.ts'
import { Description, sandboxPage } from './sandbox-page.ts'
import { startWithClock } from './started.ts'

const page = read('docs/sandbox.md')

test('docs/sandbox.md has a row for each key of the dialect, with its values and meaning', () => {
  const rows = rowsOf(page).map(({ code: [first, values], cells }) => ({
    key: first?.[0],
    values,
    meaning: cells[2],
  }))
  const keys = dialectKeys().map(({ key, values, meaning }) => ({ key, values: values.map(String), meaning }))
  expect(rows.filter(({ key }) => keys.some((one) => one.key === key))).toEqual(keys)
})

test('the command lists every key with its values', async () => {
  const { code, stdout } = await run(['sandbox', '--dialect', 'help'])
  expect(code).toBe(0)
  const missing = dialectKeys().filter(({ key, values }) => !stdout.includes(`${key}=${values.join('|')}\n`))
  expect(missing).toEqual([])
})

test('docs/sandbox.md names each operation, key and client that the sandbox has', async () => {
  const { control } = await startWithClock()
  const description = Description.parse((await control('GET', '')).body)
  await expect(sandboxPage(description)).toMatchFileSnapshot('../../../docs/sandbox.md')
  const { keys, oauth, operations } = description
  const code = codeIn(page)
  const named = [...keys, ...oauth.clients, ...operations.map(({ method, path }) => `${method} ${path}`)]
  expect(named.filter((name) => !code.some((text) => text.startsWith(name)))).toEqual([])
})
