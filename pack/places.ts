import { readFileSync, rmSync, writeFileSync } from 'node:fs'

type Form = 'checkout' | 'package'

/** What package.json names differently: a checkout runs its TypeScript, below node_modules Node runs JavaScript alone. */
const places: readonly Record<Form, string>[] = [
  { checkout: '"src/main.js"', package: '"dist/main.js"' },
  { checkout: '"./src/service/client/client.ts"', package: '"./dist/service/client/client.js"' },
]

/** Both ways it may be called again: an `npm pack` that was killed is mended by the next one. */
export function pointTo(form: Form): void {
  const other = form === 'checkout' ? 'package' : 'checkout'
  let text = readFileSync('package.json', 'utf8')
  for (const place of places) {
    text = text.replace(place[other], place[form])
    if (!text.includes(place[form]))
      throw new Error(`package.json has neither ${place.checkout} nor ${place.package}`)
  }
  writeFileSync('package.json', text)
}

export function removeDist(): void {
  rmSync('dist', { recursive: true, force: true })
}
