import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { endAll, type Running, start } from './process.ts'

afterEach(endAll)

const folder = mkdtempSync(join(tmpdir(), 'bluepencil-stop-'))
const configFile = join(folder, 'b.yaml')
writeFileSync(
  configFile,
  `store: file:${folder}/data\nserver: { host: 127.0.0.1, port: 0 }\nwebhook: { secrets: [whsec_of_the_test_of_the_desk] }\nchannels: [{ name: desk, type: console }]\n`,
)

async function serving(): Promise<{ process: Running; port: number }> {
  const process = start(['serve', '--config', configFile])
  const ready = await vi.waitUntil(() => process.log().find(({ message }) => message === 'ready'), {
    timeout: 20_000,
  })
  return { process, port: Number(ready.port) }
}

async function stopped(process: Running): Promise<{ code: unknown; milliseconds: number }> {
  const before = performance.now()
  process.kill('SIGTERM')
  return { code: await process.ended, milliseconds: performance.now() - before }
}

test.each([
  ['nothing at all', ''],
  ['half a request line', 'POST /webh'],
  ['half the headers', 'POST /webhook HTTP/1.1\r\nHost: x\r\nX-Servi'],
  [
    'half a body',
    'POST /webhook HTTP/1.1\r\nHost: x\r\nX-Service-Signature: ab\r\nContent-Length: 100\r\n\r\nhalf',
  ],
])('a stranger who sends %s does not hold up a stop', async (_what, bytes) => {
  const { process, port } = await serving()
  const socket = connect(port, '127.0.0.1')
  // A server that stops may reset what it has not read.
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.write(bytes === '' ? '\r\n' : bytes, resolve))
  const { code, milliseconds } = await stopped(process)
  socket.destroy()
  expect(code).toBe(0)
  expect(milliseconds).toBeLessThan(5_000)
})

test.each([0, 100, 200, 300, 400, 600])('a stop %s ms after the start is heard', async (milliseconds) => {
  const process = start(['serve', '--config', configFile])
  const beginning = performance.now()
  await vi.waitUntil(() => performance.now() - beginning >= milliseconds, { interval: 5 })
  const end = await stopped(process)
  expect([0, 143, 'SIGTERM']).toContain(end.code)
  expect(end.milliseconds).toBeLessThan(10_500)
})

test('a reader who has seen enough ends a command quietly', async () => {
  const command = `"$0" src/main.js events --help | true; echo "\${PIPESTATUS[0]}"`
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command, process.execPath])
  expect(stderr).toBe('')
  expect(stdout).toBe('0\n')
})

test('where nothing could verify a delivery, readyz and the log say so', async () => {
  const silent = join(folder, 'silent.yaml')
  writeFileSync(
    silent,
    `store: file:${folder}/silent\nserver: { host: 127.0.0.1, port: 0 }\nchannels: [{ name: desk, type: console }]\n`,
  )
  const process = start(['serve', '--config', silent])
  const ready = await vi.waitUntil(() => process.log().find(({ message }) => message === 'ready'), {
    timeout: 20_000,
  })
  expect(await (await fetch(`http://127.0.0.1:${ready.port}/readyz`)).json()).toMatchObject({
    status: 'degraded',
    troubles: [{ key: 'secret' }],
  })
  expect(process.stderr()).toContain('no channel is named under operators')
})

test('SIGTERM to what the unit of systemd starts ends the service, and no process is left', async () => {
  const unit = readFileSync('docs/deploy/bluepencil.service', 'utf8')
  const [node, main, ...args] = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? []
  expect([node, main]).toEqual([
    '/opt/bluepencil/node_modules/.bin/node',
    '/opt/bluepencil/node_modules/bluepencil/dist/main.js',
  ])
  const here = args.map((one) => one.replace('/etc/bluepencil/bluepencil.yaml', configFile))
  const started = spawn('node_modules/.bin/node', ['src/main.js', ...here], { stdio: 'pipe' })
  let log = ''
  started.stderr.on('data', (chunk) => {
    log += chunk
  })
  await vi.waitUntil(() => log.includes('"ready"'), { timeout: 20_000 })
  expect(commandsOfAll()).toContainEqual(expect.stringContaining(configFile))
  const ended = once(started, 'exit')
  started.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(commandsOfAll()).not.toContainEqual(expect.stringContaining(configFile))
})

test.each([
  ['npx', ['bluepencil', 'serve', '--config', configFile]],
  ['npm', ['start', '--', '--seed', '770417701']],
])(
  'SIGTERM to %s, which passes no signal on, ends what it started, and no process is left',
  async (command, args) => {
    const mark = args.at(-1) ?? ''
    const started = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => (said += chunk))
    await vi.waitUntil(() => said.includes('"ready"') || said.includes('delivery'), { timeout: 25_000 })
    const ours = () => commandsOfAll().filter((one) => /bluepencil|main\.js/.test(one) && one.includes(mark))
    expect(ours()).not.toEqual([])
    started.kill('SIGTERM')
    await vi.waitUntil(() => ours().length === 0, { timeout: 12_000 })
  },
)

/** Of every process of this machine (Linux). */
function commandsOfAll(): string[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      return [readFileSync(file, 'utf8').replaceAll('\0', ' ')]
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}
