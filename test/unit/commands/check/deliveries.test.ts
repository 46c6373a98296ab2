import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verdictOn } from '../../../../src/commands/check/deliveries.ts'
import { alert } from '../../../support/fakes/events.ts'
import { secret } from '../../../support/fakes/signed.ts'
import { configured } from '../../../support/served.ts'
import { checked, sandboxed } from './checked.ts'

function desk() {
  return configured(`webhook: { secrets: [${secret}] }\nchannels: [{ name: desk, type: console }]\n`)
}

async function deliveries(file: string) {
  const { level, text } = (await checked(file)).about('deliveries', 'deliveries') ?? {}
  return `${level} ${text}`
}

test('a store that never had a delivery is named, and since when it is in use', async () => {
  const { file, store } = desk()
  const entry = alert({ id: 'poll_1', source: 'poll', found: true, receivedAt: '2026-11-02T10:00:00.000Z' })
  await store({ entry, outcomes: {} })
  expect(await deliveries(file)).toBe(
    'warn none has ever been received, though the store is in use since 2026-11-02T10:00:00.000Z',
  )
})

test('a service that just began has received none yet', async () => {
  const { file, serve } = desk()
  await serve()
  expect(await deliveries(file)).toBe('warn none has ever been received')
})

test('the last delivery is named', async () => {
  const { file, store } = desk()
  await store(
    { entry: alert({ receivedAt: '2026-11-03T10:00:00.000Z' }), outcomes: {} },
    { entry: alert({ id: 'poll_1', source: 'poll', found: true }), outcomes: {} },
  )
  expect(await deliveries(file)).toBe('ok the last was received 2026-11-03T10:00:00.000Z')
})

test('deliveries that retention has dropped are not forgotten', async () => {
  const { file, remember } = desk()
  await remember('signatures', { '0123456789ab': { hash: 'sha256', encoding: 'hex', key: 'whole' } })
  expect(await deliveries(file)).toBe('ok none is kept, but some were verified before')
  expect((await checked(file)).about('deliveries', 'signature')?.text).toBe(
    'secret 0123456789ab: deliveries verified as sha256, hex, key whole',
  )
})

test('where nothing is subscribed to, none is expected', async () => {
  const { file } = configured('channels: [{ name: desk, type: console }]\n')
  expect(await deliveries(file)).toBe(
    'ok no webhooks are expected: neither webhook.publicUrl nor webhook.secrets is set',
  )
})

/** What stands before a desk and passes on to a port what comes, or answers by itself. */
async function startProxy() {
  const proxy = {
    port: 0,
    origin: '',
    answer: undefined as ((response: ServerResponse) => void) | undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((asked, response) => {
    if (proxy.answer !== undefined) return proxy.answer(response)
    const { method = 'GET', url: path = '/', headers } = asked
    const passed = request({ host: '127.0.0.1', port: proxy.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.writeHead(502).end())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A boundary: an http server that listens on a port has an address of this form.
  proxy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

/** A desk behind a proxy, and what check says of its address. */
async function behindProxy() {
  const proxy = await startProxy()
  const made = await sandboxed({
    more: `operators: [desk]\nheartbeat: { url: "http://127.0.0.1:9/ping" }\nwebhook: { publicUrl: "${proxy.origin}" }\n`,
  })
  const address = async () => {
    const { code, about, failed } = await checked(made.file)
    // If anything else failed, the exit code would be due to that.
    expect(failed.filter((row) => !row.startsWith('deliveries, address: '))).toEqual([])
    const { level, text } = about('deliveries', 'address') ?? { level: 'none', text: '' }
    return `${code} ${level} ${text.replace(`${proxy.origin}/webhook`, 'URL')}`
  }
  async function serve() {
    const app = await made.serve()
    proxy.port = app.port
    // Until it has subscribed, check finds a subscription whose secret is not stored yet.
    await vi.waitFor(async () => {
      const { about } = await checked(made.file)
      expect(about('monitoring service', 'subscription')?.text).toMatch(/ active for /)
    }, 10_000)
    return app
  }
  return { ...made, proxy, address, serve }
}

test('an address that reaches the running Bluepencil is recognised by its answer, and the probe is no delivery', async () => {
  const { serve, address, proxy } = await behindProxy()
  onTestFinished(proxy.close)
  const app = await serve()
  expect(await address()).toBe('0 ok URL leads to Bluepencil')
  const metrics = await (await fetch(`http://127.0.0.1:${app.port}/metrics`)).text()
  expect(metrics.match(/^bluepencil_deliveries_received_total\{.*\} [1-9].*$/gm)).toBe(null)
})

test('an address that leads somewhere else, or to a proxy that does not reach the service, is a failure', async () => {
  const { serve, address, proxy } = await behindProxy()
  await serve()
  proxy.answer = (response) => response.writeHead(404).end('no such page')
  expect(await address()).toBe('1 fail URL answers 404: it leads to another program')
  proxy.answer = (response) => response.writeHead(301, { location: 'https://desk.example/' }).end()
  expect(await address()).toBe('1 fail URL answers 301: it leads to another program')
  proxy.answer = undefined
  proxy.port = 9
  expect(await address()).toBe('1 fail URL answers 502: a proxy is there that does not reach Bluepencil')
  proxy.answer = (response) =>
    response.writeHead(405).end('{"error":{"code":"METHOD_NOT_ALLOWED","message":"Use POST."}}')
  expect(await address()).toBe('0 warn URL answers 405, which Bluepencil does not do')
  await proxy.close()
  expect(await address()).toBe('0 warn URL cannot be reached from here: no connection, ECONNREFUSED')
})

test('while no service runs nothing is claimed of the address', async () => {
  const { address, proxy, store } = await behindProxy()
  await store()
  proxy.port = 9
  expect(await address()).toBe(
    '0 ok URL answers 502, as a proxy does while serve is not running; run check again beside serve',
  )
  proxy.answer = (response) => response.writeHead(200).end('welcome')
  expect(await address()).toBe(
    '0 warn URL answers 200 while serve is not running: another program may be there',
  )
  await proxy.close()
  expect(await address()).toBe(
    '0 warn URL cannot be judged while serve is not running (no connection, ECONNREFUSED)',
  )
})

test('another Bluepencil under the address, while none runs here, is named', () => {
  expect(verdictOn('https://desk.example/webhook', { by: 'bluepencil' }, false)).toEqual({
    level: 'warn',
    what: 'address',
    text: 'https://desk.example/webhook is answered by a Bluepencil, but none is running on this store',
    hint: 'does it use another store? Webhooks would go there',
  })
})
