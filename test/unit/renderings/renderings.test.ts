import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { renderAll } from './rendered.ts'
import { textsOf } from './texts.ts'

const folder = new URL('../../../docs/renderings/', import.meta.url)
const texts = textsOf(await renderAll())

describe('docs/renderings', () => {
  test.each([...texts])('%s is what the code gives (else: npm run renderings)', (name, text) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text)
  })

  test('holds nothing else but pictures that its page shows', () => {
    const others = readdirSync(folder).filter((name) => !texts.has(name))
    const shown = Array.from(texts.get('README.md')?.matchAll(/\]\((.+\.png)\)/g) ?? [], ([, file]) => file)
    expect(new Set(others)).toEqual(new Set(shown))
    for (const file of others) expect(statSync(new URL(file, folder)).size).toBeLessThan(60_000)
  })
})
