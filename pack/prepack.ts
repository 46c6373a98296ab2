// What `npm pack` packs: dist/, made of src/ (docs/internals/decisions/0025-packed-as-javascript.md).
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, mkdirSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { pointTo, removeDist } from './places.ts'

/** Read at run time, beside the code that reads it. */
const copied = ['.css', '.html', '.mustache', '.sql', '.svg']
/** They run in a browser, as they are. */
const scripts = ['src/console/live-page.js', 'src/console/copy.js', 'src/console/link-key.js']
/** Code, and what a copied file is made of. */
const left = ['.ts', '.js', '.mjml']

removeDist()
// `npm run types` checks types. Without them this takes a fifth of the time.
compile('pack/tsconfig.json', '--noCheck')
// Declarations of what a script can import.
compile('pack/tsconfig.client.json')
chmodSync('dist/main.js', 0o755)
for (const file of globSync('src/**/*.*', { exclude: ['**/.*'] })) {
  if (copied.includes(extname(file)) || scripts.includes(file)) {
    const packed = file.replace(/^src/, 'dist')
    mkdirSync(dirname(packed), { recursive: true })
    copyFileSync(file, packed)
    // Neither forgotten nor published by mistake.
  } else if (!left.includes(extname(file)))
    throw new Error(`${file}: pack/prepack.ts does not say whether to pack it`)
}
// Last: if a step before fails, package.json is as it was.
pointTo('package')

function compile(project: string, ...options: string[]): void {
  execFileSync('tsc', ['--project', project, ...options], { stdio: 'inherit' })
}
