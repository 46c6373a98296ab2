import { readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { heldBy } from '../../../src/decide/route/holds.ts'
import { checkRows } from '../../support/check-rows.ts'
import { examples } from './examples.ts'
import { desk, silence } from './people.ts'
import { renderAll } from './rendered.ts'
import { reported } from './reported.ts'
import { textsOf } from './texts.ts'

const folder = new URL('../../../docs/renderings/', import.meta.url)
const texts = textsOf(await renderAll())

describe('docs/renderings', () => {
  test('each file is what the code gives (else: npm run renderings)', () =>
    checkRows(texts.keys(), (name) => {
      expect(readFileSync(new URL(name, folder), 'utf8')).toBe(texts.get(name))
    }))

  test.each([
    ['silence-report', [silence], silence.id],
    ['digest', [], 'quiet'],
  ])('%s lists only what the rules hold', async (name, silences, by) => {
    const entry = (await examples()).find((example) => example.name === name)?.entry
    const items = entry?.kind === 'digest' ? entry.items : []
    expect(items).toHaveLength(3)
    const held = items.map((item) => {
      const event = { ...reported(), ...item }
      return heldBy(event, desk, { now: Date.parse(item.receivedAt), silences })
    })
    expect(held.map((one) => one?.by)).toEqual([by, by, by])
    expect(held.map((one) => one?.until)).toContain(entry?.kind === 'digest' && entry.until)
  })

  test('holds nothing else but pictures that its page shows', () => {
    const others = readdirSync(folder).filter((name) => !texts.has(name))
    const shown = Array.from(texts.get('README.md')?.matchAll(/\]\((.+\.png)\)/g) ?? [], ([, file]) => file)
    expect(new Set(others)).toEqual(new Set(shown))
    for (const file of others) expect(statSync(new URL(file, folder)).size).toBeLessThan(60_000)
  })
})
