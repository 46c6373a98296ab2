import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const folder = import.meta.dirname
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

/** One file that verifies evidence in a browser, by the code of `bluepencil verify`, without a network. The same for the same code. */
export async function verifyPage(): Promise<string> {
  const [script, style] = [await scriptText(), textOf('page.css')]
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const parts: Record<string, string> = { policy, style, script }
  return textOf('page.html').replace(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '')
}

async function scriptText(): Promise<string> {
  const bundle = await rolldown({
    input: join(folder, 'entry.js'),
    platform: 'browser',
    // Of Node's modules nothing is used there; an import that is left would fail the test in a browser.
    external: [/^node:/, 'fastest-levenshtein'],
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    plugins: [
      {
        name: 'bytes of a browser',
        resolveId: (source) => (source.endsWith('/bytes.ts') ? join(folder, 'bytes.js') : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false })
  await bundle.close()
  // In a page, this would end the script.
  return output[0].code.replaceAll('</script', '<\\/script').trim()
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
