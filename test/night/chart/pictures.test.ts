import { expect, test } from 'vitest'
import { pngOf } from '../../../src/message/chart/png.ts'
import { svgOf } from '../../../src/message/chart/svg.ts'
import { english } from '../../../src/message/words/words.ts'
import { example } from '../../system/chart/examples.ts'

test('a picture gives its memory back', async () => {
  const before = process.memoryUsage().rss
  for (let count = 0; count < 3; count++) await pngOf(svgOf(example, 'dark', english))
  // A thread kept 80 MB after its first picture.
  expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000)
})
