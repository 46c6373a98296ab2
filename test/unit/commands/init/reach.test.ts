import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { askOurselves } from '../../../../src/commands/init/reach.ts'
import { freePort } from '../../../support/free-port.ts'

const host = '127.0.0.1'

async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://${host}:${address.port}/webhook`
}

test('an address that leads to the port that we listen on is ours, and the port is free afterwards', async () => {
  const port = await freePort()
  for (const _ of [1, 2]) {
    expect(await askOurselves(`http://${host}:${port}/webhook`, { host, port })).toBeUndefined()
  }
})

test('what answers with what it was sent is not taken for us', async () => {
  const url = await served((request, response) => response.end(JSON.stringify(request.headers)))
  expect(await askOurselves(url, { host, port: await freePort() })).toMatch(
    /is answered by something else \(status 200\)/,
  )
})

test('it says that nothing listens there, that DNS does not know the name, or that the port is taken', async () => {
  const port = await freePort()
  const nobody = `http://${host}:${await freePort()}/webhook`
  expect(await askOurselves(nobody, { host, port })).toBe(
    `${nobody} accepts no connection: does a proxy there pass it on to port ${port} of this machine?`,
  )
  expect(await askOurselves('http://desk.invalid/webhook', { host, port })).toMatch(
    /DNS does not know|does not answer/,
  )
  const taken = await served(() => {})
  const { port: used } = new URL(taken)
  expect(await askOurselves(taken, { host, port: Number(used) })).toMatch(
    /was not tried: port \d+ of this machine cannot be listened on \(EADDRINUSE\); does serve run already\?$/,
  )
})
