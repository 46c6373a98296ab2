import { posix } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

interface Import {
  line: number
  /** The file that is imported, from the root of the repository. */
  file: string
}

/**
 * The imports of a file that its row of the table does not allow, each as a sentence for its author. What is
 * imported from packages is no matter of the table.
 */
export function forbidden(file: string, text: string, table: Record<string, string>): string[] {
  return forbiddenOf(file, ownImports(file, text), table)
}

/** As `forbidden`, for imports that were read before: to parse all of src/ takes a second. */
export function forbiddenOf(
  file: string,
  imports: readonly Import[],
  table: Record<string, string>,
): string[] {
  const from = rowOf(file)
  const may = table[from]
  if (may === undefined) return [`${file} belongs to no row of the table: add one for ${from}`]
  const allowed = [from, ...may.split(' ')]
  return imports
    .filter((one) => !allowed.includes(rowOf(one.file)))
    .map((one) => `${file}:${one.line} imports ${one.file}; ${from} may import: ${may || 'nothing of ours'}`)
}

/** Every form of import, types included. Throws where the file does not read. */
export function ownImports(file: string, text: string): Import[] {
  const { program, errors } = parseSync(file, text)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const imports: Import[] = []
  const see = ({ source }: { source: object | null }) => {
    if (source === null || !('value' in source) || !('start' in source)) return
    const { value, start } = source
    if (typeof value !== 'string' || typeof start !== 'number' || !value.startsWith('.')) return
    const line = text.slice(0, start).split('\n').length
    imports.push({ line, file: posix.join(posix.dirname(file), value) })
  }
  new Visitor({
    ImportDeclaration: see,
    ExportNamedDeclaration: see,
    ExportAllDeclaration: see,
    ImportExpression: see,
    TSImportType: see,
  }).visit(program)
  return imports
}

/** Wings whose rooms have a row each. */
const wings = ['intake', 'decide', 'message', 'people', 'record', 'service', 'platform']

/** `src/store/sqlite/open.ts` belongs to the row `store`, `src/intake/poll/plan.ts` to `intake/poll`; what is outside src/ to none. */
export function rowOf(file: string): string {
  const [root, wing, room] = file.split('/')
  if (root !== 'src' || wing === undefined) return file
  return room !== undefined && wings.includes(wing) ? `${wing}/${room}` : wing
}
