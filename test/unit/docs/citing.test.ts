import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const read = (file: string) => readFileSync(file, 'utf8')

test('both files for citing Bluepencil have the version, licence and purpose of the package', () => {
  const { version, license, description } = JSON.parse(read('package.json'))
  expect(parse(read('CITATION.cff'))).toMatchObject({
    'cff-version': '1.2.0',
    title: 'Bluepencil',
    version,
    license,
  })
  expect(JSON.parse(read('codemeta.json'))).toMatchObject({
    name: 'Bluepencil',
    version,
    license: `https://spdx.org/licenses/${license}`,
  })
  expect(description).toContain('AI chat model')
})
