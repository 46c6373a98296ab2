import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { allOf, read } from '../../support/markdown.ts'
import { packedFiles } from '../../support/packed.ts'

const packed = packedFiles()

test('a page of the package links to nothing that is in the repository alone', () => {
  const open = packed
    .filter((file) => file.endsWith('.md'))
    .flatMap((page) => linkedFrom(page).map((file) => ({ page, file })))
    .filter(({ file }) => !packed.some((one) => one === file || one.startsWith(`${file}/`)))
    .map(({ page, file }) => `${page}: ${file}`)
  expect(open).toEqual([])
})

function linkedFrom(page: string): string[] {
  return [...allOf('link', read(page)), ...allOf('image', read(page))]
    .map(({ href }) => href.replace(/#.*/, ''))
    .filter((href) => href !== '' && !/^(https?|mailto):/.test(href))
    .map((href) => join(dirname(page), href))
}
