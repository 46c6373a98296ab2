import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Parts of the program that have nothing for operators. */
const others = /^src\/(sandbox|commands|render|channels|client|config)\//

/** Titles as operators read them, with X or N for what differs, and what follows a colon left out where it does. */
function titlesInCode(): string[] {
  const files = globSync('src/**/*.ts').filter((file) => !others.test(file))
  const texts = files.flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    const direct = code.matchAll(/\btitle(?::| =) (['`])(.+?)\1/g)
    const chosen = code.matchAll(/const title[^=]*=\s+[^?\n]+\n?\s*\? (['`])(.+?)\1\s*: (['`])(.+?)\3/g)
    return [...[...direct].map((one) => one[2]), ...[...chosen].flatMap((one) => [one[2], one[4]])]
  })
  const known = texts.filter((text) => text !== undefined)
  return known.filter((text) => !text.startsWith('Resolved: ') && text.length > 2).map(pattern)
}

function pattern(title: string): string {
  return title
    .replace(/\$\{(\w*\.?(length|count)|contents|copies)\b[^}]*\}/g, 'N')
    .replace(/: \$\{.*$/, '')
    .replace(/\$\{[^}]*\}/g, 'X')
}

test('the page of operations has a row for each title that operators may be sent', () => {
  const page = readFileSync('docs/operations.md', 'utf8')
  const rows = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, title = '']) => title.replace(/: …$/, ''))
  const titles = titlesInCode()
  expect(titles.length).toBeGreaterThan(15)
  expect(titles.filter((title) => !rows.includes(title))).toEqual([])
})
