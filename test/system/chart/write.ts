import { writeFile } from 'node:fs/promises'
import { pngOf } from '../../../src/message/chart/png.ts'
import { svgOf } from '../../../src/message/chart/svg.ts'
import { english } from '../../../src/message/words/words.ts'
import { example, pictures } from './examples.ts'

/** Writes the pictures of docs/charts/ anew. */

const folder = new URL('../../../docs/charts/', import.meta.url)
for (const [name, look] of pictures) {
  await writeFile(new URL(name, folder), await pngOf(svgOf(example, look, english)))
}
