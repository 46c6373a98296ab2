import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { replaceFile } from './changes-under-load.ts'
import { endAll, run, start } from './process.ts'
import { runHere } from './run-here.ts'

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

const argv = ['test-alert', 'desk', '--config', 'b.yaml']
const testAlert = (cwd: string, env = {}) => runHere(argv, { cwd, env })

async function slack() {
  const fake = await startSlack()
  onTestFinished(() => fake.close())
  return fake
}

test('variables of .env fill in the configuration; the environment wins', async () => {
  const fake = await slack()
  const cwd = folderWith(`HOOK=${fake.webhookUrl}\n`)
  // As a process of its own, as operators run it.
  expect((await run(argv, { cwd })).code).toBe(0)
  const wrong = folderWith('HOOK=http://127.0.0.1:9/elsewhere\n')
  expect((await testAlert(wrong, { HOOK: fake.webhookUrl })).code).toBe(0)
  expect(fake.requests).toHaveLength(2)
})

const notSet = 'b.yaml:2:51: the environment variable HOOK is not set\n'

test('a folder called .env matters only if a variable is missing', async () => {
  const fake = await slack()
  const folder = folderWith(undefined)
  mkdirSync(join(folder, '.env'))
  expect((await testAlert(folder, { HOOK: fake.webhookUrl })).code).toBe(0)
  const stderr = `${notSet}.env: is a folder; write the variables into a file of that name\n`
  expect(await testAlert(folder)).toMatchObject({ code: 2, stderr })
})

/** A wrong line, and what is said of it. */
const wrongLines = [
  ['HOOK https://h.example/secret', '.env:4:1: is not NAME=value; write HOOK=…\n'],
  ['https://h.example/secret', '.env:4:1: is not NAME=value\n'],
  ['HOOK=“https://h.example/secret”', '.env:4:6: HOOK is in curly quotes; write straight ones (") or none\n'],
  ["HOOKS='https://h.example/secret'", '.env:4:1: has HOOKS; is that meant by HOOK?\n'],
] as const

test('a wrong line of .env is named with its number, and no value of it', async () => {
  const answers: unknown[] = []
  for (const [line] of wrongLines) {
    const folder = folderWith(`# ours\nOTHER="two\nlines"\n${line}\nexport LAST=1\n`)
    const { code, stderr } = await testAlert(folder)
    answers.push({ line, code, stderr })
  }
  expect(answers).toEqual(
    wrongLines.map(([line, problem]) => ({ line, code: 2, stderr: `${notSet}${problem}` })),
  )
})

test.each(['.', 'config'])(
  'a .env is found beside the configuration, in %s of another folder',
  async (where) => {
    const fake = await slack()
    const folder = folderWith(`HOOK=${fake.webhookUrl}\n`)
    mkdirSync(join(folder, 'config'))
    copyFileSync(join(folder, 'b.yaml'), join(folder, 'config', 'b.yaml'))
    const elsewhere = mkdtempSync(join(tmpdir(), 'env-file-'))
    const config = join(folder, where, 'b.yaml')
    expect((await runHere(['test-alert', 'desk', '--config', config], { cwd: elsewhere })).code).toBe(0)
  },
)

test('an unreadable file is reported only if a variable is missing', async () => {
  const fake = await slack()
  const folder = folderWith(undefined)
  symlinkSync('.env', join(folder, '.env'))
  expect((await testAlert(folder, { HOOK: fake.webhookUrl })).code).toBe(0)
  expect(await testAlert(folder)).toMatchObject({
    code: 2,
    stderr:
      'b.yaml:2:51: the environment variable HOOK is not set\n' +
      '.env: cannot be read (ELOOP), so its variables are not set; change its owner or its mode\n',
  })
})

test('serve reads a changed .env as it reads a changed configuration; without one, it does not begin with a reload', async () => {
  const folder = folderWith('HOOK=\n')
  const serve = ['serve', '--config', 'b.yaml']
  expect(await runHere(serve, { cwd: folder })).toMatchObject({ code: 2, stderr: notSet })
  rmSync(join(folder, '.env'))
  const env = { HOOK: 'http://127.0.0.1:9/services/T0/B0/abc' }
  const serving = start(serve, { cwd: folder, env })
  const logged = (message: string) => serving.log().filter((line) => line.message === message).length
  const until = (message: string, times = 1) => vi.waitUntil(() => logged(message) === times)
  await until('ready')
  const right = readFileSync(join(folder, 'b.yaml'), 'utf8')
  replaceFile(join(folder, 'b.yaml'), 'wrong')
  // One after the other: what came before would have been done by now.
  await until('the configuration was not changed')
  expect(logged('the configuration is in use')).toBe(0)
  replaceFile(join(folder, 'b.yaml'), right)
  await until('the configuration is in use')
  replaceFile(join(folder, '.env'), 'OTHER=1\n')
  await until('the configuration is in use', 2)
  replaceFile(join(folder, '.env'), 'OTHER=2 of another length\n')
  await until('the configuration is in use', 3)
})
