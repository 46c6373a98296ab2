import { expect, onTestFinished } from 'vitest'
import * as z from 'zod'
import { startSandbox } from '../../../../src/service/sandbox/sandbox.ts'
import { command } from '../../../support/command.ts'
import { configured } from '../../../support/served.ts'

const Row = z.strictObject({
  about: z.string(),
  level: z.enum(['ok', 'warn', 'fail']),
  what: z.string(),
  text: z.string(),
  hint: z.string().optional(),
})
export type Row = z.infer<typeof Row>

/** What check says for machines, and the exit code; `shown`: those of a level, as "about, what: text". */
export async function checked(file: string) {
  const { code, out, notes } = await command(['check', '--json', '--config', file])
  expect(notes).toBe('')
  const rows = out
    .trim()
    .split('\n')
    .map((line) => Row.parse(JSON.parse(line)))
  const shown = (level: Row['level']) =>
    rows.filter((row) => row.level === level).map(({ about, what, text }) => `${about}, ${what}: ${text}`)
  return {
    code,
    rows,
    failed: shown('fail'),
    doubted: shown('warn'),
    about: (about: string, what: string) => rows.find((row) => row.about === about && row.what === what),
  }
}

/** A desk with a sandbox for its service, and with operators who can be reached in two ways, so that nothing is in doubt. */
export async function sandboxed({
  apiKey = 'sandbox-enterprise',
  channels = '{ name: desk, type: console }',
  more = 'operators: [desk]\nheartbeat: { url: "http://127.0.0.1:9/ping" }\n',
} = {}) {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const made = configured(
    `monitor: { baseUrl: "${sandbox.url}", apiKey: ${apiKey}, tier: 10000 }
channels: [${channels}]
${more}`,
  )
  return { ...made, sandbox }
}
