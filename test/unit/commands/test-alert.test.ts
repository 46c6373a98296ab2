import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { command } from '../../support/command.ts'
import { configured } from '../../support/served.ts'

/** Slack's side of an incoming webhook. */
async function hook(status: number, answer: string) {
  const got: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      got.push(body)
      response.writeHead(status).end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { got, url: `http://127.0.0.1:${address.port}/services/T/B/x` }
}

function desk(url: string) {
  return configured(
    `channels:
  - { name: desk, type: slack, webhookUrl: "${url}", models: [qwen], minDelta: 90 }
  - { name: terminal, type: console }
`,
  )
}

test('a test is sent past the filters, marked as one, with an id of its own each time', async () => {
  const { got, url } = await hook(200, 'ok')
  const { file } = desk(url)
  for (const _ of [1, 2]) {
    const { code, out, notes } = await command(['test-alert', 'desk', '--config', file])
    expect({ code, notes }).toEqual({ code: 0, notes: '' })
    expect(out).toMatch(/^desk .*\n$/)
  }
  expect(got).toHaveLength(2)
  for (const body of got) {
    expect(body).toContain('TEST, not a real alert: Claude refused 30% of political prompts, up from 18%.')
    expect(body).toMatch(/Sent by [^"]+ with “bluepencil test-alert” on \d+ \w+ 20\d\d, \d\d:\d\d UTC/)
    expect(body).not.toMatch(/reported by|the .* reports/i)
  }
  expect(new Set(got.map((body) => /test_[0-9a-f]{12}/.exec(body)?.[0])).size).toBe(2)
})

test('beside a running service too, which knows nothing of it', async () => {
  const { got, url } = await hook(200, 'ok')
  const made = desk(url)
  await made.serve()
  expect((await command(['test-alert', 'desk', '--config', made.file])).code).toBe(0)
  expect(got).toHaveLength(1)
  // It may have noted by now that it has no signing secret.
  expect((await command(['events', '--json', '--config', made.file])).out).not.toContain('test_')
})

test('a channel that does not take it is a failure, with the reason', async () => {
  const { url } = await hook(404, 'no_service')
  const { file } = desk(url)
  const words = await command(['test-alert', 'desk', '--config', file])
  expect(words).toMatchObject({ code: 1, out: '' })
  expect(words.notes).toMatch(/^bluepencil: desk .*no_service/)
  const machine = await command(['test-alert', 'desk', '--json', '--config', file])
  expect(machine).toMatchObject({ code: 1, notes: '' })
  expect(JSON.parse(machine.out)).toMatchObject({ channel: 'desk', result: 'blocked' })
})

test('for machines, standard output is one document, even if the channel is the terminal', async () => {
  const { url } = await hook(200, 'ok')
  const { file } = desk(url)
  for (const channel of ['desk', 'terminal']) {
    const { code, out } = await command(['test-alert', channel, '--json', '--config', file])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ channel, result: 'sent' })
  }
})

test('a name that no channel has is a usage error that lists those there are', async () => {
  const { file } = desk('http://127.0.0.1:9/x')
  expect(await command(['test-alert', 'sports', '--config', file])).toEqual({
    code: 2,
    out: '',
    notes: 'bluepencil: there is no channel called sports; there are desk, terminal\n',
  })
})

test('a wrong configuration is named with file, line and key', async () => {
  const { file } = configured('channels:\n  - { name: desk, type: console, minDelt: 3 }\n')
  expect(await command(['test-alert', 'desk', '--config', file])).toMatchObject({
    code: 2,
    out: '',
    notes: expect.stringMatching(
      /b\.yaml:4:34: channels\[0\]\.minDelt: there is no such key \(is minDelta meant\?\); /,
    ),
  })
})
