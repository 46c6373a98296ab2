// A process of its own: the SVG comes in, the PNG goes out. See png.ts.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

/** Pixels of the picture for one of the screen: readable on a phone, too. */
const scale = 2

/** Beside the code: a slim container has no fonts, and resvg then draws no text, without an error. */
const fonts = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
]

async function drawn(svg: string): Promise<Uint8Array> {
  await initWasm(await contentOf('@resvg/resvg-wasm/index_bg.wasm'))
  const resvg = new Resvg(svg, {
    font: { fontBuffers: await Promise.all(fonts.map(contentOf)), sansSerifFamily: 'Inter' },
    fitTo: { mode: 'zoom', value: scale },
  })
  return resvg.render().asPng()
}

async function contentOf(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL(import.meta.resolve(name))))
}

// What imports every module, to compile it, draws nothing.
if (import.meta.main) process.stdout.write(await drawn(await text(process.stdin)))
