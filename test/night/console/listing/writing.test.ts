import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../src/console/listing/database.ts'
import { listedOf } from '../../../../src/console/listing/rows.ts'
import { createWriting } from '../../../../src/console/listing/writing.ts'
import { alert } from '../../../support/fakes/events.ts'

test('a disk that is full is what the error says, and with room again the rows are written', () => {
  const database = openDatabase(join(mkdtempSync(join(tmpdir(), 'listing-')), 'console.sqlite'))
  const writing = createWriting(database)
  const rows = Array.from({ length: 500 }, (_, seq) =>
    listedOf({ seq: seq + 1, entry: alert({ id: `evt_${seq}` }), outcomes: {} }),
  )
  database.exec('PRAGMA max_page_count = 40')
  expect(() => writing.put(rows)).toThrow('database or disk is full')
  database.exec('PRAGMA max_page_count = 100000')
  writing.put(rows)
  expect(writing.newest()).toEqual({ seq: 500, id: 'evt_499' })
})
