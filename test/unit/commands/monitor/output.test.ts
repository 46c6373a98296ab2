import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CsvCell, csv } from '../../../../src/commands/monitor/output.ts'
import { runs } from '../../../support/runs.ts'

/** Reads RFC 4180 as its grammar has it, and nothing else. */
function parse(text: string): string[][] {
  const records: string[][] = []
  let rest = text
  while (rest !== '') {
    const record: string[] = []
    for (;;) {
      const quoted = /^"((?:[^"]|"")*)"/.exec(rest)
      const field = quoted?.[0] ?? /^[^",\r\n]*/.exec(rest)?.[0] ?? ''
      record.push(quoted === null ? field : (quoted[1] ?? '').replaceAll('""', '"'))
      rest = rest.slice(field.length)
      if (!rest.startsWith(',')) break
      rest = rest.slice(1)
    }
    if (!rest.startsWith('\r\n')) throw new Error(`no line end before ${JSON.stringify(rest.slice(0, 20))}`)
    rest = rest.slice(2)
    records.push(record)
  }
  return records
}

test('a header row, CRLF, quotes only when needed, nothing for a missing value', () => {
  const rows: CsvCell[][] = [
    ['pub_1', 'Refusals, "hard" and soft', 12.4],
    ['pub_2', null, -0.12],
  ]
  expect(csv(['id', 'title', 'score'], rows)).toBe(
    'id,title,score\r\npub_1,"Refusals, ""hard"" and soft",12.4\r\npub_2,,-0.12\r\n',
  )
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\u200b=1', '＝1'])(
  'text that a spreadsheet could run is harmless: %j',
  (text) => {
    expect(parse(csv(['a'], [[text]]))).toEqual([['a'], [`'${text}`]])
  },
)

test('anything that the service writes can be read back unchanged', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', '=', ' ', 'é', '\u202e') })
  const cell = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
      const read = parse(csv(['one', 'other'], rows)).slice(1)
      const written = rows.map((row) => row.map((one) => (one === null ? '' : String(one))))
      expect(read.map((row, at) => row.map((one, place) => unguarded(one, rows[at]?.[place])))).toEqual(
        written,
      )
      const run = read
        .flat()
        .filter((one, at) => /^\s*[=+@]/.test(one) && typeof rows.flat()[at] === 'string')
      expect(run).toEqual([])
    }),
    runs(),
  )
})

function unguarded(read: string, cell: CsvCell | undefined): string {
  return typeof cell === 'string' && read === `'${cell}` ? cell : read
}
