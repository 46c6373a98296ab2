import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inChats, inMail } from './drawing/page.ts'
import { takePicture } from './pictures.ts'
import { type Rendered, renderAll } from './rendered.ts'
import { pictures } from './shown.ts'
import { textsOf } from './texts.ts'

/** Writes docs/renderings anew: the texts from the code alone, the pictures with Chromium. */

const folder = fileURLToPath(new URL('../../../docs/renderings/', import.meta.url))

const all = await renderAll()
await mkdir(folder, { recursive: true })
for (const [name, text] of textsOf(all)) await writeFile(join(folder, name), text)
for (const { name, of, as } of pictures) {
  const rendered = example(of)
  const page = as === 'chats' ? inChats(rendered) : inMail(rendered, as === 'mail' ? 'light' : 'dark')
  await takePicture(page, join(folder, name))
}

function example(name: string): Rendered {
  const rendering = all.find((one) => one.example.name === name)
  if (rendering === undefined) throw new Error(`there is no example called ${name} to take a picture of`)
  return rendering
}
