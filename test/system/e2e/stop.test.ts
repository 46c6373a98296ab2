import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { Config } from '../../../src/config/schema.ts'
import { openApp } from '../../support/app.ts'
import { endAll, type Running, start } from './process.ts'
import { commandsOfAll, configIn, endsOfAStart, longestStopMs, stopAfter, stopped } from './stopping.ts'

afterEach(endAll)

const folder = mkdtempSync(join(tmpdir(), 'bluepencil-stop-'))
const configFile = configIn(folder)

async function serving(): Promise<{ process: Running; port: number }> {
  const process = start(['serve', '--config', configFile])
  const ready = await vi.waitUntil(() => process.log().find(({ message }) => message === 'ready'), {
    timeout: 20_000,
  })
  return { process, port: Number(ready.port) }
}

/** What a stranger may send and then wait. */
const unfinished = [
  '\r\n',
  'POST /webh',
  'POST /webhook HTTP/1.1\r\nHost: x\r\nX-Servi',
  'POST /webhook HTTP/1.1\r\nHost: x\r\nX-Service-Signature: ab\r\nContent-Length: 100\r\n\r\nhalf',
]

test('strangers who send half a request, or an empty line, do not hold up a stop', async () => {
  const { process, port } = await serving()
  const sockets = unfinished.map(() => connect(port, '127.0.0.1'))
  for (const [index, socket] of sockets.entries()) {
    // A server that stops may reset what it has not read.
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.write(unfinished[index] ?? '', resolve))
  }
  const { code, milliseconds } = await stopped(process)
  for (const socket of sockets) socket.destroy()
  expect(code).toBe(0)
  expect(milliseconds).toBeLessThan(5_000)
})

// At other moments: test/night/e2e/stop.test.ts.
test('a stop signal 300 ms after the start works', async () => {
  const { code, milliseconds } = await stopAfter(configFile, 300)
  expect(endsOfAStart).toContain(code)
  expect(milliseconds).toBeLessThan(longestStopMs)
})

test('a reader who has seen enough ends a command quietly', async () => {
  const command = `"$0" src/main.js events --help | true; echo "\${PIPESTATUS[0]}"`
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command, process.execPath])
  expect(stderr).toBe('')
  expect(stdout).toBe('0\n')
})

test('where nothing could verify a delivery, readyz and the log say so', async () => {
  const channels = [{ name: 'desk', type: 'console' }]
  const { log, start: startHere } = openApp()
  const store = `file:${folder}/silent`
  const app = await startHere(Config.parse({ store, server: { host: '127.0.0.1', port: 0 }, channels }))
  onTestFinished(() => app.stop())
  expect(await (await fetch(`http://127.0.0.1:${app.port}/readyz`)).json()).toMatchObject({
    status: 'degraded',
    troubles: [{ key: 'secret' }],
  })
  expect(log.join('\n')).toContain('no channel is named under operators')
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
