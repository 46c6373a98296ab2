import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { leaks, secrets } from './planted-secrets.ts'
import { runHere } from './run-here.ts'

test.each([
  ['a Slack token with a blank', 'slack: { token: "SECRET of slack" }'],
  ['a Discord token with a blank', 'discord: { token: "SECRET of discord" }'],
  ['a mail server of no kind', 'email: { smtp: "SECRET", from: a@desk.example }'],
  [
    'a mail server with a bad port',
    'email: { smtp: "smtp://desk:SECRET@127.0.0.1:999999", from: a@desk.example }',
  ],
  ['a webhook elsewhere', 'channels: [{ name: a, type: discord, webhookUrl: "http://x.example/SECRET" }]'],
  ['a key for a number', 'server: { port: "SECRET" }'],
  ['a key with a line end', 'monitor: { baseUrl: "http://127.0.0.1:9/v1", apiKey: "SECRET\\nSECRET" }'],
])('a mounted secret that does not fit where it is put is not repeated: %s', async (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'b.yaml')
  const [value = ''] = /"[^"]*SECRET[^"]*"/.exec(text) ?? []
  writeFileSync(join(folder, 'secret'), JSON.parse(value.replaceAll('SECRET', secrets.slackToken)))
  writeFileSync(file, `${text.replace(value, `"\${file:${join(folder, 'secret')}}"`)}\n`)
  const { code, stdout, stderr } = await runHere('check', '--config', file)
  const out = stdout + stderr
  expect(code).toBe(2)
  expect(out).toContain('b.yaml:1:')
  expect(leaks(out)).toEqual([])
})
