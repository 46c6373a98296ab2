import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkRows } from '../../support/check-rows.ts'
import { forbidden, forbiddenOf, ownImports, rowOf } from './imports.ts'
import { mayImport } from './table.ts'

const files = globSync('src/**/*.{ts,js}')
const imports = new Map(files.map((file) => [file, ownImports(file, readFileSync(file, 'utf8'))]))
const rows = Object.keys(mayImport)

function fileOf(row: string): string {
  return row.endsWith('.ts') || row.endsWith('.js') ? `src/${row}` : `src/${row}/planted.ts`
}

test('every file of src/ imports what its row of the table allows, and nothing else of ours', () => {
  expect([...imports].flatMap(([file, of]) => forbiddenOf(file, of, mayImport))).toEqual([])
})

describe('the table', () => {
  test('has a row for every folder and file of src/, and no other', () => {
    expect(rows.toSorted()).toEqual([...new Set(files.map(rowOf))].toSorted())
  })

  test('runs one way: a row names rows below it only', () => {
    const upward = rows.flatMap((row, index) =>
      named(row)
        .filter((other) => rows.indexOf(other) <= index)
        .map((other) => `${row} names ${other}`),
    )
    expect(upward).toEqual([])
  })

  test('allows no direction that nobody goes', () => {
    const used = new Set(
      [...imports].flatMap(([file, of]) => of.map((one) => `${rowOf(file)} → ${rowOf(one.file)}`)),
    )
    const allowed = rows.flatMap((row) => named(row).map((other) => `${row} → ${other}`))
    expect(allowed.filter((direction) => !used.has(direction))).toEqual([])
  })
})

describe('a planted import is refused', () => {
  test('in each row, of each row that it may not import', () =>
    checkRows(rows, (row) => {
      const others = rows.filter((other) => other !== row && !named(row).includes(other))
      const from = fileOf(row)
      const text = others.map((other) => `import '${way(from, fileOf(other))}'`).join('\n')
      const planted = forbidden(from, text, mayImport)
      expect(planted.map((sentence) => rowOf(/imports (\S+);/.exec(sentence)?.[1] ?? ''))).toEqual(others)
    }))

  test.each([
    ["import { route } from '../decide/route/route.ts'"],
    ["import type { Route } from '../decide/route/route.ts'"],
    ["import '../decide/route/route.ts'"],
    ["export { route } from '../decide/route/route.ts'"],
    ["export * from '../decide/route/route.ts'"],
    ["export type Route = import('../decide/route/route.ts').Route"],
    ["export const route = await import('../decide/route/route.ts')"],
  ])('however it is written: %s', (text) => {
    expect(forbidden('src/deliver/pace.ts', `\n${text}`, mayImport)).toEqual([
      `src/deliver/pace.ts:2 imports src/decide/route/route.ts; deliver may import: ${mayImport.deliver}`,
    ])
  })

  test('where it leaves src/', () => {
    const text = "import { startSlack } from '../../test/support/fakes/slack-proxy.ts'"
    expect(forbidden('src/store/store.ts', text, mayImport)).toEqual([
      `src/store/store.ts:1 imports test/support/fakes/slack-proxy.ts; store may import: ${mayImport.store}`,
    ])
  })

  test('not if a comment or a text mentions one', () => {
    const text =
      "// import '../decide/route/route.ts'\nexport const text = \"import '../decide/route/route.ts'\""
    expect(forbidden('src/deliver/pace.ts', text, mayImport)).toEqual([])
  })
})

/** As an import writes it. */
function way(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

function named(row: string): string[] {
  return (mayImport[row] ?? '').split(' ').filter(Boolean)
}
