import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { run } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'bluepencil-usage-'))

function configured(text: string): string {
  const file = join(folder, 'b.yaml')
  writeFileSync(file, `store: file:${folder}/data\n${text}`)
  return file
}

const desk = 'channels:\n  - name: desk\n    type: console\n'

test.each([
  'serve',
  'demo',
  'sandbox',
  'init',
  'check',
  'test-alert',
  'events',
  'explain',
  'ledger',
  'replay',
  'subscriptions',
  'monitor',
])('%s --help shows examples and exits with 0', async (command) => {
  const { code, stdout } = await run([command, '--help'])
  expect(code).toBe(0)
  expect(stdout).toContain(`Examples:\n  bluepencil ${command}`)
})

test.each([
  [['sevre'], /unknown command 'sevre'/],
  [['explain'], /missing required argument 'event-id'/],
  [['sandbox', '--dialect', 'colour=red'], /colour/],
  [['sandbox', '--speed', 'fast'], /must be a number/],
  [['serve', '--config', 'nowhere.yaml'], /^nowhere\.yaml: is not there; npx bluepencil init /],
])('%j is a usage error: exit 2, one clear message, no stack', async (args, message) => {
  const { code, stderr } = await run(args)
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(code).toBe(2)
})

test('a wrong configuration exits with 2 and says file, line and key', async () => {
  const file = configured(`${desk}    minDelt: 5\n`)
  const { code, stderr } = await run(['serve', '--config', file])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `${file}:5:5: channels[0].minDelt: there is no such key (is minDelta meant?); there are name, models, events, categories, minDelta, direction, timeZone, language, quiet, digest, stories, fixed, statusReport, type, as\n`,
  })
})

test('a file that this user may not read is not called missing', async () => {
  // Root may read everything, unless it gives its powers away.
  const through = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'xoxb-1-2-abc', { mode: 0 })
  const file = configured(`slack: { token: "\${file:${secret}}" }\n${desk}`)
  expect(await run(['check', '--config', file], { through })).toEqual({
    code: 2,
    stdout: '',
    stderr: `${file}:2:17: the file ${secret} may not be read by this user; change its owner or its mode (chmod, chown)\n`,
  })
  chmodSync(file, 0)
  const { code, stderr } = await run(['check', '--config', file], { through })
  chmodSync(file, 0o600)
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `${file}: may not be read by this user; change its owner or its mode (chmod, chown)\n`,
  })
})

test('check exits with 1 where deliveries could not be verified, and says what to set', async () => {
  const { code, stdout } = await run(['check', '--config', configured(desk)])
  expect(stdout).toContain(
    'FAIL  subscription: nothing would be reported: set monitor, whose figures are read then; webhook.publicUrl beside it makes it faster',
  )
  expect(stdout).toContain('ok    disk: ')
  expect(code).toBe(1)
})

test('test-alert goes to one channel, marked as a test', async () => {
  const { code, stdout } = await run(['test-alert', 'desk', '--config', configured(desk)])
  expect(stdout).toContain(
    'TEST, not a report: Claude now refuses more political prompts: 30 %, up 12 points from 18 %.',
  )
  expect(stdout).toContain('desk accepted the test')
  expect(code).toBe(0)
})

test.each([
  [['test-alert', 'desk'], { channel: 'desk', result: 'sent' }],
  [['check'], { about: 'desk (console)', level: 'ok', what: 'terminal' }],
])('%j --json ends with a line for machines', async (args, document) => {
  const { stdout } = await run([...args, '--json', '--config', configured(desk)])
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject(document)
})

test('commands without a running service open the store themselves', async () => {
  const file = configured(desk)
  const store = await openLowdbStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.close()
  expect(await run(['events', '--config', file])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No event has come in yet.\n',
  })
  expect(await run(['explain', 'evt_1', '--config', file])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'bluepencil: no event evt_1 is stored; bluepencil events lists what is\n',
  })
})
