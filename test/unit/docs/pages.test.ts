import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { checkRows } from '../../support/check-rows.ts'
import { command } from '../../support/command.ts'
import { allOf, codeIn, read } from '../../support/markdown.ts'

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...globSync('docs/**/*.md')]
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

const pages = documents.map((document) => {
  const page = read(document)
  const code = codeIn(page).join('\n')
  const links = [...allOf('link', page), ...allOf('image', page)].map(({ href }) => href)
  const ours = links.filter((link) => !/^(https?|mailto):/.test(link))
  return { document, code, ours }
})

test('no page links to a file that is not there', () => {
  const gone = pages.flatMap(({ document, ours }) =>
    ours
      .map((link) => link.replace(/#.*/, ''))
      .filter((file) => file !== '' && !existsSync(join(dirname(document), file)))
      .map((file) => `${document}: ${file}`),
  )
  expect(gone).toEqual([])
})

test('no page links to a heading that is not there', () => {
  const gone = pages.flatMap(({ document, ours }) =>
    ours
      .filter((link) => {
        const [file = '', anchor = ''] = link.split('#')
        if (!/^([^#]+\.md)?#/.test(link)) return false
        return !anchorsOf(file === '' ? document : join(dirname(document), file)).includes(anchor)
      })
      .map((link) => `${document}: ${link}`),
  )
  expect(gone).toEqual([])
})

test('no page names an npm script that is not there', () => {
  const gone = pages.flatMap(({ document, code }) =>
    Array.from(code.matchAll(/npm run (?:--silent )?([\w:-]+)/g), ([, script = '']) => script)
      .filter((script) => !(script in scripts))
      .map((script) => `${document}: ${script}`),
  )
  expect(gone).toEqual([])
})

test('no page names a command that is not there', async () => {
  const named = pages.flatMap(({ document, code }) =>
    Array.from(code.matchAll(/npx bluepencil (?!--)([a-z-]+)/g), ([, name = '']) => ({ document, name })),
  )
  const pagesOf = Map.groupBy(named, ({ name }) => name)
  await checkRows(pagesOf, async ([name]) => {
    expect(await command([name, '--help'])).toMatchObject({ code: 0 })
  })
})

test('no page gives a command an option that it does not have', async () => {
  const calls = pages.flatMap(({ document, code }) =>
    Array.from(code.matchAll(/npx bluepencil ([a-z][^\n#]*--[^\n#]*)/g), ([, call = '']) => ({
      document,
      call,
    })),
  )
  expect(calls.length).toBeGreaterThan(10)
  await checkRows(calls, async ({ call }) => {
    const [name = '', second = ''] = call.split(' ')
    const helps = await Promise.all([[name], [name, second]].map((words) => command([...words, '--help'])))
    const options = Array.from(call.matchAll(/(?<= )--[a-z-]+/g), ([option]) => option)
    expect(options.filter((option) => !helps.some(({ out }) => out.includes(`${option} `)))).toEqual([])
  })
})

test('no page names a place of one machine', () => {
  const place = /\/(home|root|Users|work)\//
  expect(documents.filter((document) => place.test(readFileSync(document, 'utf8')))).toEqual([])
})

const anchors = new Map<string, string[]>()

/** As GitHub makes them of headings. */
function anchorsOf(file: string): string[] {
  if (!existsSync(file)) return []
  const cached = anchors.get(file)
  if (cached !== undefined) return cached
  const made = allOf('heading', read(file)).map(({ text }) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
  anchors.set(file, made)
  return made
}
