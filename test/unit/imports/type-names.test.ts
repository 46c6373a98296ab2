import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const declarations = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration']

/** The types and classes that a file declares at its top, exported or not. */
function typesIn(file: string, text: string): string[] {
  return parseSync(file, text).program.body.flatMap((statement) => {
    const declared =
      statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement
    if (!declarations.includes(declared.type) || !('id' in declared)) return []
    const { id } = declared
    return id && 'name' in id && typeof id.name === 'string' ? [id.name] : []
  })
}

type Declared = { name: string; file: string }

function declaredIn(file: string, text: string): Declared[] {
  return typesIn(file, text).map((name) => ({ name, file }))
}

/** A sentence for each name that more than one file declares. */
function sharedNames(places: readonly Declared[]): string[] {
  return [...Map.groupBy(places, ({ name }) => name)]
    .map(([name, at]) => ({ name, files: [...new Set(at.map(({ file }) => file))] }))
    .filter(({ files }) => files.length > 1)
    .map(({ name, files }) => `${name} is declared in ${files.join(' and ')}: give one a name of its own`)
}

const files = globSync('src/**/*.ts')
const inSource = files.flatMap((file) => declaredIn(file, readFileSync(file, 'utf8')))

test('no two files of src/ declare a type of one name', () => {
  expect(files.length).toBeGreaterThan(400)
  expect(sharedNames(inSource)).toEqual([])
})

test.each(['interface Outcome { at: string }', 'export type Outcome = string', 'class Outcome {}'])(
  'a planted second one is refused: %s',
  (text) => {
    expect(sharedNames([...inSource, ...declaredIn('src/planted.ts', text)])).toEqual([
      'Outcome is declared in src/event/outcome.ts and src/planted.ts: give one a name of its own',
    ])
  },
)
