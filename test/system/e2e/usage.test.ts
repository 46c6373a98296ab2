import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { run } from './process.ts'
import { runHere } from './run-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'bluepencil-usage-'))

function configured(text: string): string {
  const file = join(folder, 'b.yaml')
  writeFileSync(file, `store: file:${folder}/data\n${text}`)
  return file
}

const desk = 'channels:\n  - name: desk\n    type: console\n'

/** Every command that a person starts with. */
const commands = [
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
]

test('every command shows examples at --help, and exits with 0', async () => {
  const answers = await Promise.all(
    commands.map(async (command) => {
      const { code, stdout } = await runHere([command, '--help'])
      return { command, code, hasExamples: stdout.includes(`Examples:\n  bluepencil ${command}`) }
    }),
  )
  expect(answers).toEqual(commands.map((command) => ({ command, code: 0, hasExamples: true })))
  const { code, stdout } = await run(['serve', '--help'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('Examples:\n  bluepencil serve'),
  })
})

test('a usage error is exit 2, one clear message, no stack', async () => {
  const wrong = [
    [['explain'], /missing required argument 'event-id'/],
    [['sandbox', '--dialect', 'colour=red'], /colour/],
    [['sandbox', '--speed', 'fast'], /must be a number/],
    [
      ['serve', '--config', 'nowhere.yaml'],
      /^nowhere\.yaml: does not exist; make one with npx bluepencil init/,
    ],
  ] as const
  const answers = [
    { args: ['sevre'], ...(await run(['sevre'])), message: /unknown command 'sevre'/ },
    ...(await Promise.all(
      wrong.map(async ([args, message]) => ({ args, ...(await runHere(args)), message })),
    )),
  ]
  const asExpected = ({ code, stderr, message }: (typeof answers)[number]) =>
    code === 2 && message.test(stderr) && !/^\s+at /m.test(stderr)
  expect(answers.filter((answer) => !asExpected(answer))).toEqual([])
})

test('a wrong configuration exits with 2 and says file, line and key', async () => {
  const file = configured(`${desk}    minDelt: 5\n`)
  const { code, stderr } = await run(['serve', '--config', file])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `${file}:5:5: channels[0].minDelt: there is no such key (is minDelta meant?); there are name, models, events, categories, minDelta, direction, timeZone, language, quiet, digest, stories, escalate, fixed, statusReport, type, as\n`,
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
    stderr: `${file}:2:17: the file ${secret} cannot be read by this user; change its owner or mode (chown, chmod)\n`,
  })
  chmodSync(file, 0)
  const { code, stderr } = await run(['check', '--config', file], { through })
  chmodSync(file, 0o600)
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `${file}: cannot be read by this user; change its owner or mode (chown, chmod)\n`,
  })
})

test('check exits with 1 where deliveries could not be verified, and says what to set', async () => {
  const { code, stdout } = await runHere(['check', '--config', configured(desk)])
  expect(stdout).toContain(
    'FAIL  subscription: Bluepencil would find no changes: set monitor to read the service’s figures; webhook.publicUrl makes alerts faster',
  )
  expect(stdout).toContain('ok    disk: ')
  expect(code).toBe(1)
})

test('test-alert goes to one channel, marked as a test', async () => {
  const { code, stdout } = await run(['test-alert', 'desk', '--config', configured(desk)])
  expect(stdout).toContain('TEST, not a real alert: Claude refused 30% of political prompts, up from 18%.')
  expect(stdout).toContain('desk accepted the test')
  expect(code).toBe(0)
})

test('test-alert and check end with a line for machines at --json', async () => {
  const lastLine = async (...args: string[]) => {
    const { stdout } = await runHere([...args, '--json', '--config', configured(desk)])
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  }
  expect(await lastLine('test-alert', 'desk')).toMatchObject({ channel: 'desk', result: 'sent' })
  expect(await lastLine('check')).toMatchObject({ about: 'desk (console)', level: 'ok', what: 'terminal' })
})

test('commands without a running service open the store themselves', async () => {
  const file = configured(desk)
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.close()
  expect(await runHere(['events', '--config', file])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No event has come in yet.\n',
  })
  expect(await runHere(['explain', 'evt_1', '--config', file])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'bluepencil: no event evt_1 is stored; bluepencil events lists the stored ones\n',
  })
})
