import { expect, test } from 'vitest'
import { asyncApi } from '../../../src/service/sandbox/contract/asyncapi.ts'
import { openApi } from '../../../src/service/sandbox/contract/openapi.ts'
import { dialectsOneApart } from '../../contract/dialects.ts'
import { lint } from '../../contract/lint.ts'
import { checkRows } from '../../support/check-rows.ts'

test('the contract of every dialect passes the linter', () =>
  checkRows(dialectsOneApart(), async ({ name, dialect }) => {
    expect(await lint(openApi(dialect, 'http://127.0.0.1:4010'), name)).toEqual([])
  }))

test('the events of every dialect pass the linter', () => {
  const dialects = dialectsOneApart().filter(({ name }) => /default|signature|extra-fields/.test(name))
  return checkRows(dialects, async ({ name, dialect }) => {
    expect(await lint(asyncApi(dialect), name)).toEqual([])
  })
})
