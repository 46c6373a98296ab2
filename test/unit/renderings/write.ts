import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mailInTheDark, sideBySide } from './drawing/page.ts'
import { takePicture } from './pictures.ts'
import { type Rendered, renderAll } from './rendered.ts'
import { textsOf } from './texts.ts'

/** Writes docs/renderings anew: the texts from the code alone, the pictures with Chromium. */

const folder = fileURLToPath(new URL('../../../docs/renderings/', import.meta.url))

const all = await renderAll()
await mkdir(folder, { recursive: true })
for (const [name, text] of textsOf(all)) await writeFile(join(folder, name), text)
await takePicture(sideBySide(example('rise')), join(folder, 'alert.png'))
await takePicture(mailInTheDark(example('rise')), join(folder, 'mail-dark.png'))
await takePicture(sideBySide(example('not-as-documented')), join(folder, 'not-as-documented.png'))

function example(name: string): Rendered {
  const found = all.find((one) => one.example.name === name)
  if (found === undefined) throw new Error(`there is no example called ${name} to take a picture of`)
  return found
}
