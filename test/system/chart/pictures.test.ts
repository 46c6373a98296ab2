import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pngOf } from '../../../src/message/chart/png.ts'
import { svgOf } from '../../../src/message/chart/svg.ts'
import { altText } from '../../../src/message/chart/words.ts'
import { english } from '../../../src/message/words/words.ts'
import { example, pictures } from './examples.ts'

const folder = new URL('../../../docs/charts/', import.meta.url)

describe('docs/charts', () => {
  test.each(pictures)(
    '%s is what the code draws, byte for byte (else: npm run charts)',
    async (name, look) => {
      const drawn = await pngOf(svgOf(example, look, english))
      expect(readFileSync(new URL(name, folder)).equals(drawn)).toBe(true)
    },
  )

  test('holds the pictures and a page that shows them, in words too', () => {
    const names = pictures.map(([name]) => name)
    expect(readdirSync(folder).toSorted()).toEqual(['README.md', ...names].toSorted())
    const page = readFileSync(new URL('README.md', folder), 'utf8')
    for (const name of names) expect(page).toContain(`](${name})`)
    expect(page.replaceAll(/\n(> )?/g, ' ')).toContain(altText(example, english))
  })
})

describe('a picture', () => {
  test('is twice as large as the chart, so that it is sharp, and has its words where the machine has no fonts', async () => {
    const svg = svgOf(example, 'light', english)
    const png = Buffer.from(await pngOf(svg))
    expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([800, 500])
    const without = svg.replaceAll(/<text.*<\/text>/g, '')
    expect(png.length).toBeGreaterThan((await pngOf(without)).length + 5_000)
  })

  test('that cannot be drawn is an error', async () => {
    await expect(pngOf('no picture')).rejects.toThrow('the picture could not be drawn')
  })
})
