import { existsSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'

const functions = ['test', 'it', 'describe']
const namesByFile = new Map<string, string[]>()

/** A test that a document names: words of its name, in a file. */
interface Cited {
  file: string
  name: string
}

/** As documents name tests: `file` below test/, "words of a name", "of another"; and so on. */
export function citedIn(text: string): Cited[] {
  return [...text.matchAll(/`([\w/-]+\.test\.ts)`((?:,? "[^"]+")+)/g)].flatMap(([, file = '', names = '']) =>
    [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => ({ file: `test/${file}`, name })),
  )
}

export function isTest({ file, name }: Cited): boolean {
  return testNames(file).some((one) => one.includes(name))
}

/**
 * The names of the tests in a file as they are written there, with `%s`. Also the texts in the rows of
 * `test.each`, even if the rows are a constant. A comment is no name, nor is what a test's body says. None if
 * there is no such file.
 */
function testNames(file: string): string[] {
  const names = namesByFile.get(file) ?? (existsSync(file) ? namesIn(file) : [])
  namesByFile.set(file, names)
  return names
}

function namesIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const { program, errors } = parseSync(file, text)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  const names: string[] = []
  const constants = new Map<string, object | null>()
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier') constants.set(id.name, init)
    },
  }).visit(program)
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (first === undefined || !functions.includes(rootOf(callee) ?? '')) return
      const isTable =
        callee.type === 'MemberExpression' && 'name' in callee.property && callee.property.name === 'each'
      if (isTable) names.push(...textsIn(first, constants))
      else if (first.type === 'Literal' || first.type === 'TemplateLiteral') names.push(written(first))
    },
  }).visit(program)
  return names

  function written({ start, end }: { start: number; end: number }): string {
    return text.slice(start, end)
  }

  /** Texts and keys, as they are written, however deep. */
  function textsIn(node: object, named: Map<string, object | null>): string[] {
    if ('type' in node && 'start' in node && 'end' in node) {
      const at = { start: Number(node.start), end: Number(node.end) }
      if (node.type === 'Literal' || node.type === 'TemplateElement') return [written(at)]
      if (node.type === 'Identifier' && 'name' in node && typeof node.name === 'string') {
        const stands = named.get(node.name)
        const others = new Map(named)
        others.delete(node.name)
        return [node.name, ...(stands ? textsIn(stands, others) : [])]
      }
    }
    return Object.values(node).flatMap((one) => (one instanceof Object ? textsIn(one, named) : []))
  }
}

/** `test` of `test(…)`, `test.each(…)(…)` and `test.skipIf(…)(…)`. */
function rootOf(callee: object): string | undefined {
  if ('name' in callee && typeof callee.name === 'string') return callee.name
  const within = 'object' in callee ? callee.object : 'callee' in callee ? callee.callee : undefined
  return within instanceof Object ? rootOf(within) : undefined
}
