import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { endAll, type Running, run, start } from '../../system/e2e/process.ts'

const planted = 'planted-secret-of-the-hook'
let folder: string
let port: number
let serving: Running
let env: Record<string, string>
const here = (...args: string[]) => run(args, { cwd: folder, env })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'without-'))
  port = await freePort()
  const config = join(folder, 'usual.yaml')
  env = { BLUEPENCIL_CONFIG_DEFAULT: config }
  writeFileSync(
    config,
    `server: { host: 127.0.0.1, port: ${port} }\nconsole: { listen: { host: 0.0.0.0, port: 0 } }\n`,
  )
  serving = start(['serve'], { cwd: folder, env })
  await vi.waitUntil(() => serving.log().some(({ message }) => message === 'ready'))
})
afterAll(endAll)

async function readyz() {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('a service without channel and account runs, and says in its log and to probes that it is not set up', async () => {
  expect(await readyz()).toMatchObject({ status: 503, body: { status: 'not_set_up' } })
  expect(serving.stderr()).toContain('Bluepencil is not set up')
})

test('a file that was named and is missing ends it, with exit code 2; so does no file at all beside no store', async () => {
  expect(await here('serve', '--config', 'nowhere.yaml')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^nowhere.yaml: /),
  })
  const elsewhere = mkdtempSync(join(tmpdir(), 'without-'))
  const lost = await run(['events'], { cwd: elsewhere })
  expect([lost.code, lost.stderr]).toEqual([
    2,
    expect.stringContaining('config/bluepencil.yaml: does not exist'),
  ])
})

test('channels and accounts of a file are taken into what is made in the browser, beside the running service', async () => {
  const hash = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const webhookUrl = `https://hooks.slack.com/services/T0/B0/${planted}`
  writeFileSync(
    join(folder, 'more.yaml'),
    `log: debug\nconsole: { users: [{ name: ana, password: '${hash}', role: admin }] }\nchannels: [{ name: hook, type: slack, webhookUrl: '${webhookUrl}' }]\n`,
  )
  const imported = await here('config', 'import', 'more.yaml')
  expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining('can set it: log') })
  await vi.waitUntil(async () => (await readyz()).status === 200)
  expect((await here('config', 'import', 'more.yaml')).stderr).toContain('Already set: console.users')
})

test('a command beside it knows the channel; what is in force is shown as a file without secrets', async () => {
  expect((await here('preview', 'hook')).code).toBe(0)
  const shown = await here('config', 'show')
  expect(shown.stdout).toContain('# Made in the browser:\n  - name: hook')
  expect(shown.stdout).not.toContain(planted)
  const names = Array.from(shown.stdout.matchAll(/^# Set (\w+)\.$/gm), ([, name = '']) => name)
  expect(names).toEqual(['CONSOLE_USERS_ANA_PASSWORD', 'HOOK_WEBHOOK_URL'])
  writeFileSync(join(folder, 'shown.yaml'), `${shown.stdout.replace('console:', 'console:\n  edit: false')}`)
  const values = {
    CONSOLE_USERS_ANA_PASSWORD: `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`,
    HOOK_WEBHOOK_URL: `https://hooks.slack.com/services/T0/B0/${planted}`,
  }
  const again = await run(['config', 'show', '--config', 'shown.yaml'], { cwd: folder, env: values })
  expect([again.code, again.stderr]).toEqual([0, ''])
})

test('an export has the secrets, for its user alone, and can be imported after all was cleared', async () => {
  const file = join(folder, 'browser.yaml')
  expect((await here('config', 'export', file)).stderr).toContain('secrets included')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain(planted)
  expect((await here('config', 'clear')).code).toBe(0)
  await vi.waitUntil(async () => (await readyz()).body.status === 'not_set_up')
  expect((await here('config', 'import', file)).code).toBe(0)
  await vi.waitUntil(async () => (await readyz()).status === 200)
})

test('somebody who is locked out gets another password; the audit log says so, and has no secret', async () => {
  const reset = await here('console-user', 'reset', 'ana', '--by', 'root')
  expect([reset.code, reset.stdout]).toEqual([0, expect.stringMatching(/^[\w-]{20}\n$/)])
  expect((await here('console-user', 'reset', 'nobody')).code).toBe(1)
  const { stdout } = await here('events', '--json', '--limit', '50')
  expect(stdout).toContain('"does":"change-config"')
  expect(stdout + serving.stderr() + JSON.stringify(await readyz())).not.toMatch(
    new RegExp(`${planted}|${reset.stdout.trim()}|scrypt`),
  )
})

test('without a running service the same is done on its store', async () => {
  serving.kill()
  expect(await serving.ended).toBe(0)
  expect((await here('console-user', 'reset', ' ana ')).code).toBe(0)
  expect((await here('config', 'clear')).stdout).toContain('What was made in the browser is removed.')
})
