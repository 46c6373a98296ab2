import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { command } from '../../../support/command.ts'
import { secret } from '../../../support/fakes/signed.ts'
import { freePort } from '../../../support/free-port.ts'
import { configured } from '../../../support/served.ts'
import { checked } from './checked.ts'

const channels = 'channels: [{ name: desk, type: console }]\noperators: [desk]\n'

async function ports() {
  const [port, consolePort] = [await freePort(), await freePort()]
  const console = `console: { listen: { port: ${consolePort} } }\n`
  return { port, consolePort, made: configured(`${channels}${console}`, `host: 127.0.0.1, port: ${port}`) }
}

async function occupy(port: number): Promise<void> {
  const server = createServer((socket) => void socket.end()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
}

test('ports that another program has are failures, with the key to change', async () => {
  const { port, consolePort, made } = await ports()
  await occupy(port)
  await occupy(consolePort)
  const { code, about } = await checked(made.file)
  expect(code).toBe(1)
  expect(about('serve', 'port')).toEqual({
    about: 'serve',
    level: 'fail',
    what: 'port',
    text: `another program listens on 127.0.0.1 port ${port}`,
    hint: 'set server.port, or end that program',
  })
  expect(about('console', 'port')).toMatchObject({
    level: 'fail',
    text: `another program listens on 127.0.0.1 port ${consolePort}`,
  })
})

test('that no service runs on a store in use is in doubt; before the first start it is not', async () => {
  const { port, consolePort, made } = await ports()
  const found = async () => {
    const { about } = await checked(made.file)
    return [about('serve', 'running'), about('serve', 'port'), about('console', 'port')].map(
      (row) => `${row?.level} ${row?.text}`,
    )
  }
  const free = [`ok 127.0.0.1 port ${port} is free`, `ok 127.0.0.1 port ${consolePort} is free`]
  expect(await found()).toEqual(['ok not yet; npx bluepencil serve starts it', ...free])
  await made.store()
  expect(await found()).toEqual(['warn no: nothing is received, polled or sent', ...free])
  await made.serve()
  expect(await found()).toEqual([
    'ok yes',
    `ok the running service listens on 127.0.0.1 port ${port}`,
    `ok the running service listens on 127.0.0.1 port ${consolePort}`,
  ])
})

test('it ends in one line that says how all of it stands', async () => {
  const { port, made } = await ports()
  const lastLine = async () => (await command(['check', '--config', made.file])).out.split('\n').at(-2)
  await made.store()
  expect(await lastLine()).toMatch(/^Not in order: 1 failure, \d warnings?$/)
  const polled = configured(`webhook: { secrets: [${secret}] }\n${channels}`)
  expect((await command(['check', '--config', polled.file])).out).toMatch(/\nIn order, \d warnings?\n$/)
  await occupy(port)
  expect(await lastLine()).toMatch(/^Not in order: 2 failures, \d warnings?$/)
})
