import { globSync, readFileSync } from 'node:fs'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { read, rowsOf } from '../../support/markdown.ts'

/** Parts of the program that have nothing for operators. */
const others = /^src\/(service|commands|message|channels|config|console)\//

/** Titles as operators read them, with X or N for what differs, and what follows a colon left out where it does. */
function titlesInCode(): string[] {
  const files = globSync('src/**/*.ts').filter((file) => !others.test(file))
  return files
    .flatMap(titlesIn)
    .filter((text) => text.length > 2)
    .map(pattern)
}

/** The texts that may become a `title`: of a property or a constant of that name, also one of two. */
function titlesIn(file: string): string[] {
  const code = readFileSync(file, 'utf8')
  const values: Node[] = []
  new Visitor({
    Property({ key, value }) {
      if ('name' in key && key.name === 'title') values.push(value)
    },
    VariableDeclarator({ id, init }) {
      if ('name' in id && id.name === 'title' && init !== null) values.push(init)
    },
  }).visit(parseSync(file, code).program)
  return values.flatMap(textsOf).map(({ start, end }) => code.slice(start + 1, end - 1))
}

function textsOf(value: Node): Node[] {
  if (value.type === 'ConditionalExpression') return [value.consequent, value.alternate].flatMap(textsOf)
  return value.type === 'Literal' || value.type === 'TemplateLiteral' ? [value] : []
}

function pattern(title: string): string {
  return title
    .replace(/\$\{(\w*\.?(length|count)|contents|copies)\b[^}]*\}/g, 'N')
    .replace(/: \$\{.*$/, '')
    .replace(/\$\{[^}]*\}/g, 'X')
}

test('the page of trouble has a row for each title that operators may be sent', () => {
  const rows = rowsOf(read('docs/trouble.md')).map(({ code: [[title = ''] = []] }) =>
    title.replace(/: …$/, ''),
  )
  const titles = titlesInCode()
  expect(titles.length).toBeGreaterThan(15)
  expect(titles.filter((title) => !rows.includes(title))).toEqual([])
})
