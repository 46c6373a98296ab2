import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { command } from '../../support/command.ts'
import { allOf, codeIn, read } from '../../support/markdown.ts'

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...globSync('docs/**/*.md')]
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

describe.each(documents)('%s', (document) => {
  const page = read(document)
  const code = codeIn(page).join('\n')
  const links = [...allOf('link', page), ...allOf('image', page)].map(({ href }) => href)
  const ours = links.filter((link) => !/^(https?|mailto):/.test(link))

  test('links to nothing that is not there', () => {
    const files = ours.map((link) => link.replace(/#.*/, '')).filter((file) => file !== '')
    expect(files.filter((file) => !existsSync(join(dirname(document), file)))).toEqual([])
  })

  test('links to no heading that is not there', () => {
    const toHeadings = ours.filter((link) => /^([^#]+\.md)?#/.test(link))
    const gone = toHeadings.filter((link) => {
      const [file = '', anchor = ''] = link.split('#')
      return !anchorsOf(file === '' ? document : join(dirname(document), file)).includes(anchor)
    })
    expect(gone).toEqual([])
  })

  test('names no npm script that is not there', () => {
    const named = [...code.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script)
    expect(named.filter((script) => !(script in scripts))).toEqual([])
  })

  test('names no command that is not there', async () => {
    const named = new Set([...code.matchAll(/npx bluepencil (?!--)([a-z-]+)/g)].map(([, name = '']) => name))
    for (const name of named) expect(await command([name, '--help'])).toMatchObject({ code: 0 })
  })

  test('names no place of one machine', () => {
    expect(readFileSync(document, 'utf8')).not.toMatch(/\/(home|root|Users|work)\//)
  })
})

/** As GitHub makes them of headings. */
function anchorsOf(file: string): string[] {
  if (!existsSync(file)) return []
  return allOf('heading', read(file)).map(({ text }) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
}
