import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { command } from '../../support/command.ts'
import { configured } from '../../support/served.ts'

const Sections = z.array(
  z.object({
    about: z.string(),
    findings: z.array(z.object({ ok: z.boolean(), what: z.string(), detail: z.string() })),
  }),
)

async function sandboxed({ apiKey = 'sandbox-enterprise', channels = '{ name: desk, type: console }' } = {}) {
  const sandbox = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => sandbox.close())
  const made = configured(
    `monitor: { baseUrl: "${sandbox.url}", apiKey: ${apiKey}, tier: 10000 }
channels: [${channels}]
`,
  )
  return { ...made, sandbox }
}

/** The findings, by what they are about, and the exit code. */
async function checked(file: string) {
  const { code, out, notes } = await command(['check', '--json', '--config', file])
  expect(notes).toBe('')
  const sections = Sections.parse(JSON.parse(out))
  const failed = sections.flatMap(({ about, findings }) =>
    findings.filter(({ ok }) => !ok).map(({ what, detail }) => `${about}, ${what}: ${detail}`),
  )
  return { code, sections, failed }
}

test('where all is well it exits with 0, and says the same in words and for machines', async () => {
  const { file } = await sandboxed()
  const { code, sections, failed } = await checked(file)
  expect({ code, failed }).toEqual({ code: 0, failed: [] })
  expect(sections.map(({ about }) => about)).toEqual([
    'configuration',
    'store',
    'monitoring service',
    'polling',
    'desk (console)',
  ])
  const words = sections.map(
    ({ about, findings }) =>
      `${about}\n${findings.map(({ what, detail }) => `  ok    ${what}: ${detail}\n`).join('')}`,
  )
  expect(await command(['check', '--config', file])).toEqual({ code: 0, out: words.join(''), notes: '' })
})

test.each([
  ['{ name: desk, type: console }', '1 channel'],
  ['{ name: desk, type: console }, { name: mail, type: console }', '2 channels'],
])('it counts the channels: %s', async (channels, count) => {
  const { file } = await sandboxed({ channels })
  const { sections } = await checked(file)
  expect(sections[0]?.findings).toEqual([{ ok: true, what: 'file', detail: `${file} is right; ${count}` }])
})

test('it tells nobody anything, and changes nothing at the service', async () => {
  const { file, sandbox } = await sandboxed()
  await checked(file)
  expect((await command(['subscriptions', 'list', '--json', '--config', file])).out).toBe('[]\n')
  expect(sandbox.deliveries()).toEqual([])
  expect((await command(['events', '--json', '--config', file])).out).toBe('')
})

test('it asks the running service for what that knows of the store', async () => {
  const made = await sandboxed()
  const disk = async () =>
    (await checked(made.file)).sections.find(({ about }) => about === 'store')?.findings[0]?.detail
  expect(await disk()).toBe(`${made.folder}/data can be written; no service is running on it`)
  await made.serve()
  expect(await disk()).toBe(`${made.folder}/data is in use by the running service`)
})

test('a key that the service does not accept is a failure of the service’s part alone', async () => {
  const { file } = await sandboxed({ apiKey: 'of-nobody-0123456789' })
  const { code, failed } = await checked(file)
  expect(code).toBe(1)
  expect(failed).toEqual([
    expect.stringMatching(/^monitoring service, check: GET \S+\/webhooks answered 401: /),
  ])
  expect(failed.join()).not.toContain('of-nobody-0123456789')
})

test('a service that is away, and a channel that is, are failures beside what works', async () => {
  const hook = 'http://127.0.0.1:9/api/webhooks/1190000000000000001/abc'
  const { file, sandbox } = await sandboxed({
    channels: `{ name: desk, type: console }, { name: discord, type: discord, webhookUrl: "${hook}" }`,
  })
  await sandbox.close()
  const { code, failed } = await checked(file)
  expect(code).toBe(1)
  expect(failed.map((one) => one.split(',')[0])).toEqual(['monitoring service', 'discord (discord)'])
})

test('a wrong configuration exits with 2, named with file, line and key, for machines too', async () => {
  const { file } = configured('channels:\n  - { name: desk, type: console, minDelt: 3 }\n')
  for (const more of [[], ['--json']]) {
    expect(await command(['check', ...more, '--config', file])).toMatchObject({
      code: 2,
      out: '',
      notes: expect.stringMatching(
        /b\.yaml:4:34: channels\[0\]\.minDelt: there is no such key \(is minDelta meant\?\); /,
      ),
    })
  }
})

test('what it is given beside options is a usage error', async () => {
  const { file } = await sandboxed()
  expect(await command(['check', 'desk', '--config', file])).toMatchObject({
    code: 2,
    out: '',
    notes: expect.stringContaining("too many arguments for 'check'"),
  })
})
