import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { desk, file, first, folderWith, slack, textIn } from '../../system/e2e/init-fakes.ts'
import { down, enter, init } from '../../system/e2e/prompts.ts'
import { runHere } from '../../system/e2e/run-here.ts'

const postgres = postgresForTests()

/** A store beside it, with this made in the browser. */
async function madeInBrowser(folder: string, yaml: string): Promise<void> {
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.close()
  writeFileSync(join(folder, 'made.yaml'), yaml)
  expect(await runHere(['config', 'import', 'made.yaml'], { cwd: folder })).toMatchObject({ code: 0 })
}

const hash = `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`
const accounts = `console: { users: [{ name: ana, password: '${hash}', role: admin }] }\n`

test('an account is added in the console if the others were made there: one in the file would lock them out', async () => {
  const add = async (yaml: string) => {
    const folder = folderWith(`${desk}console: {}\n`, first)
    await madeInBrowser(folder, accounts)
    writeFileSync(join(folder, file), yaml)
    const done = await runHere(['init', '--add', 'account'], { cwd: folder })
    expect(textIn(folder)).toBe(yaml)
    return done
  }
  const advice = 'under Settings, People; console-user reset NAME gives somebody a new password\n'
  expect(await add(`${desk}console: {}\n`)).toEqual({
    code: 2,
    stdout: '',
    stderr: `bluepencil: the accounts were made in the console, and one in ${file} would replace them all. Add it there, ${advice}`,
  })
  // Without `console`, nobody can reach that page yet.
  expect(await add(desk)).toEqual({
    code: 2,
    stdout: '',
    stderr: `bluepencil: the accounts were made in the console, and one in ${file} would replace them all. Write "console: {}" into ${file}, which turns the console on; then add it there, ${advice}`,
  })
  // These do not count.
  expect((await add(`${desk}console: { edit: false }\n`)).stderr).toContain('without a terminal')
})

test('a Slack channel in the file goes through the bot that was made in the browser, and leaves it there', async () => {
  const fake = await slack()
  const yaml = `${desk}console: {}\n`
  const folder = folderWith(yaml, first)
  const bot = `slack: { token: ${fake.token}, apiUrl: ${fake.apiUrl} }\n`
  await madeInBrowser(folder, `${bot}channels: [{ name: politics, type: slack, to: '#ai-desk' }]\n`)
  const args = ['init', '--add', 'channel', '--channel', 'slack-bot', '--slack-channel', '#investigations']
  expect(await runHere([...args, '--name', 'politics'], { cwd: folder })).toMatchObject({
    code: 2,
    stderr: 'bluepencil: --name is the name of another channel\n',
  })
  expect(await runHere(args, { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
  expect(textIn(folder)).toBe(
    yaml.replace(
      'console: {}',
      '  - name: investigations\n    type: slack\n    to: "#investigations"\n    timeZone: UTC\nconsole: {}',
    ),
  )
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(first)
  expect(await fake.read('investigations')).toHaveLength(1)
  const shown = await runHere(['config', 'show'], { cwd: folder })
  expect(shown).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('name: politics') })
  // With `console.edit: false` only the file counts: it needs a bot of its own.
  writeFileSync(join(folder, file), `${desk}console: { edit: false }\n`)
  expect(await runHere(args, { cwd: folder })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--slack-token'),
  })
})

test('the service and our own address stay in the browser if they were set there', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const yaml = `${desk}console: {}\n`
  const args = ['init', '--add', 'service', '--service', sandbox.url, '--service-key', 'sandbox-free']
  const named = folderWith(yaml, first)
  await madeInBrowser(named, 'monitor: { baseUrl: https://monitor.example/v1, apiKey: of-the-desk }\n')
  expect(await runHere(args, { cwd: named })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'bluepencil: the monitoring service was set in the console; change it there, under Settings\n',
  })
  expect([textIn(named), readFileSync(join(named, '.env'), 'utf8')]).toEqual([yaml, first])

  const monitor = 'monitor: { baseUrl: https://monitor.example/v1, apiKey: of-the-desk }\n'
  const reached = folderWith(yaml + monitor, first)
  await madeInBrowser(reached, 'webhook: { publicUrl: https://alerts.desk.example }\n')
  const again = await runHere([...args, '--public-url', 'https://other.desk.example'], { cwd: reached })
  expect(again.stderr).toContain('--public-url would have no effect')
  expect(await runHere(args, { cwd: reached })).toMatchObject({ code: 0, stderr: '' })
  expect(textIn(reached)).toContain(`baseUrl: ${sandbox.url}`)
  expect(textIn(reached)).not.toContain('publicUrl')
})

test('settings that cannot be read stop it: they may have what the file would replace', async () => {
  const folder = folderWith(`${desk}console: {}\n`, first)
  mkdirSync(join(folder, 'data/settings.json'), { recursive: true })
  const webhook = [
    '--channel',
    'slack-webhook',
    '--slack-webhook',
    'https://hooks.slack.com/services/T0/B0/x',
  ]
  expect(await runHere(['init', '--add', 'channel', ...webhook], { cwd: folder })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^bluepencil: The settings made in the browser could not be read: EISDIR.*\. Nothing was changed\n$/,
    ),
  })
})

test('the same with a store in Postgres, which may be new; one that cannot be reached stops it', async () => {
  const add = async (url: string) => {
    const folder = folderWith(`${desk}store: '${url}'\nconsole: {}\n`, first)
    writeFileSync(join(folder, 'made.yaml'), accounts)
    await runHere(['config', 'import', 'made.yaml'], { cwd: folder })
    return (await runHere(['init', '--add', 'account'], { cwd: folder })).stderr
  }
  expect(await add(await postgres().create())).toContain('the accounts were made in the console')
  expect(await add(await postgres().createEmpty())).toContain('without a terminal')
  const away = await add('postgres://ana:planted@127.0.0.1:1/desk')
  expect(away).toMatch(
    /^bluepencil: The settings made in the browser could not be read: .*ECONNREFUSED.*\. Nothing was changed\n$/,
  )
  expect(away).not.toContain('planted')
})

const madeHere = `channels: [{ name: politics, type: console }]
monitor: { baseUrl: https://monitor.example/v1, apiKey: of-the-desk }
operators: [politics]
`

/** Set up in the browser alone. */
async function withoutFile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'init-browser-'))
  await madeInBrowser(folder, madeHere)
  return folder
}

test('without a file, what was set in the console stays: init says so, and adds a channel beside it', async () => {
  const folder = await withoutFile()
  expect(await runHere(['init'], { cwd: folder })).toEqual({
    code: 2,
    stdout: '',
    stderr: `bluepencil: ${file} is not there: Bluepencil was set up in the browser, and serve needs no file. Change it in the console, under Settings; --add channel writes a file with one more channel, and keeps the rest\n`,
  })
  expect(existsSync(join(folder, file))).toBe(false)
  expect((await runHere(['init', '--add', 'service'], { cwd: folder })).stderr).toContain(
    'the monitoring service was set in the console',
  )
  const fake = await slack()
  const args = ['init', '--add', 'channel', '--channel', 'slack-webhook', '--slack-webhook', fake.webhookUrl]
  expect(await runHere([...args, '--name', ' desk '], { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
  expect(textIn(folder)).toBe(
    `console: {}\nchannels:\n  - name: desk\n    type: slack\n    webhookUrl: \${SLACK_WEBHOOK_URL}\n    timeZone: UTC\n`,
  )
  const { stdout } = await runHere(['config', 'show'], { cwd: folder })
  expect(stdout).toMatch(/name: desk[\s\S]*name: politics/)
  expect(stdout).toContain('baseUrl: https://monitor.example/v1')
})

test('at a terminal, init asks what to do beside the console; leaving it changes nothing', async () => {
  const folder = await withoutFile()
  const session = init(folder)
  await session.answer(
    /set up in the browser, and serve needs no file\. What do you want to do\?/,
    down + down + down + enter,
  )
  expect(await session.ended).toBe(1)
  expect(session.screen()).not.toContain('Start anew')
  expect(session.screen()).toContain('Nothing was changed.')
  expect(existsSync(join(folder, file))).toBe(false)
})
