import { expect, test } from 'vitest'
import { command } from '../../support/command.ts'
import { configured } from '../../support/served.ts'
import { startScriptedService } from '../service/client/scripted-service.ts'
import { checked, sandboxed } from './check/checked.ts'

test('where all is well it exits with 0, and says the same in words and for machines', async () => {
  const { file } = await sandboxed()
  const { code, rows, failed, doubted } = await checked(file)
  expect({ code, failed, doubted }).toEqual({ code: 0, failed: [], doubted: [] })
  const sections = [...new Set(rows.map(({ about }) => about))]
  expect(sections).toEqual([
    'configuration',
    'store',
    'serve',
    'monitoring service',
    'figures',
    'deliveries',
    'polling',
    'desk (console)',
  ])
  const words = sections.map((section) => {
    const inSection = rows.filter(({ about }) => about === section)
    return `${section}\n${inSection.map(({ what, text }) => `  ok    ${what}: ${text}\n`).join('')}`
  })
  expect(await command(['check', '--config', file])).toEqual({
    code: 0,
    out: `${words.join('')}In order\n`,
    notes: '',
  })
})

test('a warning is shown with what to do, and leaves the exit code at 0', async () => {
  const { file } = await sandboxed({ more: '' })
  const { code, out } = await command(['check', '--config', file])
  expect(code).toBe(0)
  expect(out).toContain(
    '  warn  operators: there are none: nobody is notified if a channel fails, the subscription is lost or the disk is full\n' +
      '        write operators: with the name of a channel (desk)\n',
  )
})

test('each row is shown as soon as it is found, while others are still being asked for', async () => {
  const service = await startScriptedService()
  const { promise: isShown, resolve: show } = Promise.withResolvers<void>()
  service.script = async (_, response): Promise<'answered'> => {
    await isShown
    response.writeHead(404).end()
    return 'answered'
  }
  const { file } = configured(
    `monitor: { baseUrl: "${service.baseUrl}", apiKey: key-of-the-desk-4711, tier: 1000 }\nchannels: [{ name: desk, type: console }]\n`,
  )
  // The service answers nothing before this is shown.
  const { out } = await command(['check', '--config', file], 80, (text) => {
    if (text.includes('has no store yet')) show()
  })
  expect(out).toMatch(/has no store yet.*\nserve\n.*\nmonitoring service\n {2}FAIL {2}check: /)
  await service.close()
})

test.each([
  ['{ name: desk, type: console }', '1 channel'],
  ['{ name: desk, type: console }, { name: mail, type: console }', '2 channels'],
])('it counts the channels: %s', async (channels, count) => {
  const { file } = await sandboxed({ channels })
  const { about } = await checked(file)
  expect(about('configuration', 'file')).toEqual({
    about: 'configuration',
    level: 'ok',
    what: 'file',
    text: `${file} is right; ${count}`,
  })
})

test('it notifies nobody, and changes nothing at the service', async () => {
  const made = await sandboxed()
  await made.store()
  await checked(made.file)
  expect((await command(['subscriptions', 'list', '--json', '--config', made.file])).out).toBe('[]\n')
  expect(made.sandbox.deliveries()).toEqual([])
  expect(await command(['events', '--json', '--config', made.file])).toEqual({ code: 0, out: '', notes: '' })
})

test('it asks the running service for what that knows of the store', async () => {
  const made = await sandboxed()
  const disk = async () => (await checked(made.file)).about('store', 'disk')?.text
  expect(await disk()).toBe(`${made.folder}/data has no store yet; serve will make it`)
  await made.store()
  expect(await disk()).toBe(`${made.folder}/data can be written`)
  await made.serve()
  expect(await disk()).toBe(`${made.folder}/data is in use by the running service`)
})

test('what was wrong when the service ended may be mended by now: it is a failure only while the service runs', async () => {
  const made = await sandboxed()
  const told = { key: 'x', channel: null, told: true, since: '2026-11-23T11:13:42.000Z' }
  await made.remember('troubles', [
    { ...told, title: 'The console cannot be served', text: 'the port is taken' },
  ])
  const { code, doubted } = await checked(made.file)
  expect([code, doubted]).toEqual([
    0,
    [
      'store, trouble: when the service last ran: The console cannot be served (since 2026-11-23T11:13:42.000Z): the port is taken',
      'serve, running: not running: nothing is received, polled or sent',
    ],
  ])
  await made.serve()
  expect(await checked(made.file)).toMatchObject({ code: 1, doubted: [] })
})

test('a key that the service does not accept is a failure of the service’s part', async () => {
  const { file } = await sandboxed({ apiKey: 'of-nobody-0123456789' })
  const { code, failed } = await checked(file)
  expect(code).toBe(1)
  expect(failed).toEqual([
    expect.stringMatching(/^monitoring service, check: GET \S+\/webhooks answered 401: /),
    expect.stringMatching(/^figures, metrics: those of chatgpt could not be read: GET .* answered 401: /),
  ])
  expect(failed.join()).not.toContain('of-nobody-0123456789')
})

test('a key without the scope for webhooks is in doubt where there is no subscription, and else a failure', async () => {
  const apiKey = 'sandbox-readonly'
  const polling = await checked((await sandboxed({ apiKey })).file)
  expect([polling.code, polling.doubted]).toEqual([
    0,
    [expect.stringMatching(/^monitoring service, key: it lacks the scope for webhooks: .*403/)],
  ])
  const more = 'operators: [desk]\nwebhook: { publicUrl: "https://desk.example" }\n'
  const subscribed = await checked((await sandboxed({ apiKey, more })).file)
  expect([subscribed.code, subscribed.failed]).toEqual([
    1,
    [expect.stringMatching(/^monitoring service, check: .*403/)],
  ])
})

test('a service that is away, and a channel that is, are failures beside what works', async () => {
  const hook = 'http://127.0.0.1:9/api/webhooks/1190000000000000001/abc'
  const { file, sandbox } = await sandboxed({
    channels: `{ name: desk, type: console }, { name: discord, type: discord, webhookUrl: "${hook}" }`,
  })
  await sandbox.close()
  const { code, failed } = await checked(file)
  expect(code).toBe(1)
  expect(failed.map((one) => one.split(',')[0])).toEqual([
    'monitoring service',
    'figures',
    'discord (discord)',
  ])
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

test('stories on a channel whose messages cannot be edited are in doubt', async () => {
  const channels =
    '{ name: desk, type: console, stories: { within: 2h } }, { name: chat, type: console, as: slack, stories: { within: 2h } }'
  const { file } = await sandboxed({ channels })
  const { code, doubted } = await checked(file)
  expect([code, doubted]).toEqual([
    0,
    ['desk (console), stories: messages here cannot be edited, so each alert is sent by itself'],
  ])
})
