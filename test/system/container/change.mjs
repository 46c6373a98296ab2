import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `node change.mjs FOLDER`: beside whole.json, a file of evidence, one file for each of its parts, in which one byte in the
 * middle of that part is another. Prints the names of the parts.
 */
const [folder = ''] = process.argv.slice(2)
const text = readFileSync(join(folder, 'whole.json'), 'utf8')
const starts = [...text.matchAll(/^ {2}"(\w+)": /gm)]
for (const [index, { 0: start, 1: part = '', index: from }] of starts.entries()) {
  const to = starts[index + 1]?.index ?? text.length - 3
  const bytes = Buffer.from(text)
  const at = from + start.length + Math.floor((to - from - start.length) / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(join(folder, `${part}.json`), bytes, { mode: 0o644 })
  process.stdout.write(`${part}\n`)
}
