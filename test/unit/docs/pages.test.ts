import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { command } from '../../support/command.ts'

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

describe.each(documents)('%s', (document) => {
  const text = readFileSync(document, 'utf8')

  test('links to nothing that is not there', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(dirname(document), link)))).toEqual([])
  })

  test('names no npm script that is not there', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script)
    expect(named.filter((script) => !(script in scripts))).toEqual([])
  })

  test('names no command that is not there', async () => {
    const named = new Set([...text.matchAll(/npx bluepencil (?!--)([a-z-]+)/g)].map(([, name = '']) => name))
    for (const name of named) expect(await command([name, '--help'])).toMatchObject({ code: 0 })
  })

  test('names no place of one machine', () => {
    expect(text).not.toMatch(/\/(home|root|Users|work)\//)
  })
})
