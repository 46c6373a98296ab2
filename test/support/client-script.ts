import { readFileSync } from 'node:fs'

/** The script in docs/client.md, to ask the sandbox at this address. */
export function clientScript(url: string): string {
  const [, script = ''] = /```ts\n(.*?)```/s.exec(readFileSync('docs/client.md', 'utf8')) ?? []
  return script.replace('http://127.0.0.1:4010/v1', url)
}
