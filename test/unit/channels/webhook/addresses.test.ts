import type { LookupAddress } from 'node:dns'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { attempt, messageAbout, open, receiver } from './opened.ts'

const certificates = 'test/support/fakes/smtp-certificates'

/** A name server that leads to these. */
function names(found: string[]) {
  return {
    resolve(_name: string, _options: object, done: (error: null, found: LookupAddress[]) => void): void {
      done(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    },
  }
}

test.each([
  'https://127.0.0.1:PORT/',
  'https://[::1]:PORT/',
  'https://0x7f.1:PORT/',
  'https://2130706433:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://10.1.2.3:PORT/',
  'https://169.254.169.254/latest',
])('%s is not connected to', async (to) => {
  const there = await receiver()
  const channel = await open({ to: to.replace('PORT', new URL(there.origin).port), allowPrivate: false })
  const blocked = { result: 'blocked', why: expect.stringContaining('allowPrivate: true') }
  expect(await channel.send(messageAbout(), attempt())).toMatchObject(blocked)
  expect(await channel.check()).toMatchObject([{ level: 'fail', what: 'address' }])
  expect(there.connections()).toBe(0)
})

test.each([
  [['127.0.0.1']],
  [['10.0.0.7']],
  [['fe80::1']],
  [['192.0.2.1', '127.0.0.1']],
  [['8.8.8.8', '192.168.1.1']],
])('a name that leads to %s is not connected to', async (found) => {
  const there = await receiver()
  const { resolve } = names(found)
  const to = `https://hooks.desk.example:${new URL(there.origin).port}/`
  const channel = await open({ to, allowPrivate: false }, { resolve })
  expect(await channel.send(messageAbout(), attempt())).toMatchObject({ result: 'blocked' })
  expect(await channel.check()).toMatchObject([{ level: 'fail' }])
  expect(there.connections()).toBe(0)
})

test('http is for private networks only, even if the config allows it', async () => {
  const there = await receiver()
  const port = new URL(there.origin).port
  const inside = names(['127.0.0.1'])
  const near = await open({ to: `http://n8n:${port}/` }, { resolve: inside.resolve })
  expect(await near.send(messageAbout(), attempt())).toMatchObject({ result: 'sent' })
  expect(there.received[0]?.headers.host).toBe(`n8n:${port}`)
  expect(await near.check()).toMatchObject([{ level: 'ok' }, { level: 'warn', what: 'encryption' }])
  const outside = names(['8.8.8.8'])
  const far = await open({ to: `http://n8n:${port}/` }, { resolve: outside.resolve })
  const why =
    'The name leads to 8.8.8.8, an address on the internet, and http is for private networks only: write https:// in `to`, or a name that leads into the private network.'
  expect(await far.send(messageAbout(), attempt())).toEqual({ result: 'blocked', why })
  expect(await far.check()).toEqual([{ level: 'fail', what: 'address', text: why }])
  const nowhere = await open({ to: `http://n8n:${port}/` }, { resolve: names([]).resolve })
  expect(await nowhere.check()).toMatchObject([{ text: 'The name does not exist: correct `to`.' }])
})

test('check connects, and says nothing', async () => {
  const there = await receiver()
  const rows = await (await open({ to: `${there.origin}/hooks` })).check()
  expect(rows).toMatchObject([
    { level: 'ok', what: 'address', text: expect.stringContaining('a test alert shows') },
  ])
  expect(there.connections()).toBe(1)
  expect(there.received).toEqual([])
  await there.close()
  const gone = await (await open({ to: there.origin })).check()
  expect(gone).toMatchObject([{ level: 'fail', text: expect.stringContaining('ECONNREFUSED') }])
})

describe('over TLS', () => {
  /** A receiver behind TLS, whose certificate is of an authority of the tests. */
  async function behindTls() {
    const there = await receiver()
    const key = readFileSync(`${certificates}/server-key.pem`)
    const server = createServer({ key, cert: readFileSync(`${certificates}/server.pem`) }, (socket) =>
      socket.pipe(connect(Number(new URL(there.origin).port), '127.0.0.1')).pipe(socket),
    )
    server.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return { there, to: `https://127.0.0.1:${address.port}/hooks` }
  }

  test('a message arrives where the certificate is trusted', async () => {
    const usual = getCACertificates()
    setDefaultCACertificates([...usual, readFileSync(`${certificates}/ca.pem`, 'utf8')])
    onTestFinished(() => setDefaultCACertificates(usual))
    const { there, to } = await behindTls()
    const channel = await open({ to })
    expect(await channel.check()).toMatchObject([
      { level: 'ok', text: expect.stringContaining('certificate') },
    ])
    expect(await channel.send(messageAbout(), attempt())).toMatchObject({ result: 'sent' })
    expect(there.received).toHaveLength(1)
  })

  test('nothing is sent where it is not', async () => {
    const { there, to } = await behindTls()
    const channel = await open({ to })
    expect(await channel.check()).toMatchObject([
      { level: 'fail', text: expect.stringContaining('certificate') },
    ])
    expect(await channel.send(messageAbout(), attempt())).toMatchObject({ result: 'retry', uncertain: false })
    expect(there.received).toEqual([])
  })

  test('nothing is sent where there is none', async () => {
    const there = await receiver()
    const channel = await open({ to: there.origin.replace('http:', 'https:') })
    expect(await channel.check()).toMatchObject([{ level: 'fail' }])
    expect(await channel.send(messageAbout(), attempt())).toMatchObject({ result: 'retry' })
    expect(there.received).toEqual([])
  })
})
