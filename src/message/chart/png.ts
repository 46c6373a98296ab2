import { execFile } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Above this something is wrong: a chart has some 70 kB. */
const mostBytes = 1_000_000
/** Drawing takes half a second; a machine that is out of breath gets this, in milliseconds. */
const timeoutMs = 30_000

/**
 * An SVG of chart/svg.ts as a PNG; the same bytes for the same SVG. It is drawn in a process that ends with it and so gives
 * all its memory back: a thread kept 80 to 110 MB (docs/internals/performance.md). Rejects if it fails.
 */
export function pngOf(svg: string): Promise<Uint8Array> {
  // .ts in a checkout, .js in the package.
  const drawing = fileURLToPath(new URL(`./rasterise${extname(import.meta.url)}`, import.meta.url))
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [drawing],
      // The environment may hold secrets, and drawing needs none of it.
      { encoding: 'buffer', maxBuffer: mostBytes, timeout: timeoutMs, env: {} },
      (error, png) => {
        if (error === null) resolve(png)
        else reject(new Error('the picture could not be drawn', { cause: error }))
      },
    )
    // Where the process ends early, that is the error, not that nobody reads.
    child.stdin?.on('error', () => {})
    child.stdin?.end(svg)
  })
}
