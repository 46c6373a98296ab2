import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Asset {
  /** With a hash of what is in it: it never changes under its name. */
  name: string
  type: string
  text: string
}

export function readAssets(): { style: Asset; script: Asset } {
  return {
    style: asset('style.css', 'text/css; charset=utf-8'),
    script: asset('live-page.js', 'text/javascript; charset=utf-8'),
  }
}

function asset(file: string, type: string): Asset {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const [name = '', ending = ''] = file.split('.')
  return { name: `${name}-${hash}.${ending}`, type, text }
}
