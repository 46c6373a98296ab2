import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { endAll, run, start } from './process.ts'

afterEach(endAll)

/** A folder with a configuration that needs a variable. */
function folderWith(variables: string | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'env-file-'))
  writeFileSync(
    join(folder, 'b.yaml'),
    `server: { host: 127.0.0.1, port: 0 }\nchannels: [{ name: desk, type: slack, webhookUrl: "\${HOOK}" }]\n`,
  )
  if (variables !== undefined) writeFileSync(join(folder, '.env'), variables)
  return folder
}

const testAlert = (cwd: string, env = {}) => run(['test-alert', 'desk', '--config', 'b.yaml'], { cwd, env })

async function slack() {
  const fake = await startSlack()
  onTestFinished(() => fake.close())
  return fake
}

test('variables of .env fill in the configuration; the environment wins', async () => {
  const fake = await slack()
  expect((await testAlert(folderWith(`HOOK=${fake.webhookUrl}\n`))).code).toBe(0)
  const wrong = folderWith('HOOK=http://127.0.0.1:9/elsewhere\n')
  expect((await testAlert(wrong, { HOOK: fake.webhookUrl })).code).toBe(0)
  expect(fake.requests).toHaveLength(2)
})

test('a folder called .env is none of ours', async () => {
  const fake = await slack()
  const folder = folderWith(undefined)
  mkdirSync(join(folder, '.env'))
  expect((await testAlert(folder, { HOOK: fake.webhookUrl })).code).toBe(0)
})

test('that it cannot be read is said only where a variable is missing', async () => {
  const fake = await slack()
  const folder = folderWith(undefined)
  symlinkSync('.env', join(folder, '.env'))
  expect((await testAlert(folder, { HOOK: fake.webhookUrl })).code).toBe(0)
  expect(await testAlert(folder)).toMatchObject({
    code: 2,
    stderr:
      'b.yaml:2:51: the environment variable HOOK is not set\n' +
      '.env: cannot be read (ELOOP), so no variable is known from it; change its owner or its mode\n',
  })
})

test('serve reads a changed .env as it reads a changed configuration', async () => {
  const fake = await slack()
  const folder = folderWith('HOOK=\n')
  const early = await run(['serve', '--config', 'b.yaml'], { cwd: folder })
  expect(early).toMatchObject({ code: 2, stderr: 'b.yaml:2:51: the environment variable HOOK is not set\n' })
  writeFileSync(join(folder, '.env'), 'HOOK=http://127.0.0.1:9/elsewhere\n')
  const serving = start(['serve', '--config', 'b.yaml'], { cwd: folder })
  const logged = (message: string) =>
    vi.waitUntil(() => serving.log().some((line) => line.message === message), { timeout: 20_000 })
  await logged('ready')
  writeFileSync(join(folder, '.env'), `HOOK=${fake.webhookUrl}\n`)
  await logged('the configuration is in force')
})

test('without a .env, serve does not begin with a reload; one that is made later is read', async () => {
  const folder = folderWith(undefined)
  const env = { HOOK: 'http://127.0.0.1:9/services/T0/B0/abc' }
  const serving = start(['serve', '--config', 'b.yaml'], { cwd: folder, env })
  const logged = (message: string) => serving.log().filter((line) => line.message === message)
  const until = (message: string) => vi.waitUntil(() => logged(message).length > 0, { timeout: 20_000 })
  await until('ready')
  const right = readFileSync(join(folder, 'b.yaml'))
  writeFileSync(join(folder, 'b.yaml'), 'wrong')
  // One after the other: what came before would have been done by now.
  await until('the configuration was not changed')
  expect(logged('the configuration is in force')).toEqual([])
  writeFileSync(join(folder, 'b.yaml'), right)
  await until('the configuration is in force')
  writeFileSync(join(folder, '.env'), 'OTHER=1\n')
  await vi.waitUntil(() => logged('the configuration is in force').length === 2, { timeout: 20_000 })
})
