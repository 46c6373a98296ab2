import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import type { Page } from './drawing/page.ts'

const run = promisify(execFile)
const chromium = process.env.CHROMIUM ?? 'chromium'

/** Quiet, without a network, and as root too. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
]

/**
 * Takes a picture of a page with Chromium, and gives it a palette: a third of the bytes, and nobody sees it. The page itself says how high it is. It looks right where there are the fonts Lato, Open Sans, Inter and Georgia
 * (or Gelasio, which takes the same room).
 */
export async function takePicture({ html, width }: Page, file: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bluepencil-picture-'))
  try {
    const source = join(folder, 'page.html')
    await writeFile(source, html)
    const common = [...flags, `--user-data-dir=${join(folder, 'profile')}`]
    const address = pathToFileURL(source).href
    const { stdout } = await call(chromium, [...common, `--window-size=${width},2000`, '--dump-dom', address])
    const height = /<html[^>]* data-height="(\d+)"/.exec(stdout)?.[1]
    if (height === undefined) throw new Error('the page did not say how high it is')
    const shot = join(folder, 'page.png')
    const size = [`--window-size=${width},${height}`, '--force-device-scale-factor=1']
    await call(chromium, [...common, ...size, `--screenshot=${shot}`, address])
    await sharp(shot).png({ palette: true, colours: 16, dither: 0, effort: 10 }).toFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function call(program: string, words: string[]): Promise<{ stdout: string }> {
  try {
    return await run(program, words, { maxBuffer: 64 * 1024 * 1024, timeout: 60_000 })
  } catch (cause) {
    throw new Error(
      `${program} failed, so there is no new picture, the texts are written all the same; install Chromium, or say in CHROMIUM where it is`,
      { cause },
    )
  }
}
