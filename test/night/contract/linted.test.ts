import { expect, test } from 'vitest'
import { openApi } from '../../../src/service/sandbox/contract/openapi.ts'
import { dialectsOneApart } from '../../contract/dialects.ts'
import { lint } from '../../contract/lint.ts'
import { checkRows } from '../../support/check-rows.ts'

test('the contract of every dialect passes the linter', () =>
  checkRows(dialectsOneApart(), async ({ name, dialect }) => {
    expect(await lint(openApi(dialect, 'http://127.0.0.1:4010'), name)).toEqual([])
  }))
