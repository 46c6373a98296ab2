import { allOf, read } from './markdown.ts'

/** The script in docs/client.md, to ask the sandbox at this address. */
export function clientScript(url: string): string {
  const [script] = allOf('code', read('docs/client.md')).filter(({ lang }) => lang === 'ts')
  return script?.text.replace('http://127.0.0.1:4010/v1', url) ?? ''
}
