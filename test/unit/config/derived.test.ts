import { expect, test } from 'vitest'
import { unsubscribeAddress } from '../../../src/config/derived.ts'
import { Config } from '../../../src/config/schema.ts'

function addressOf(server: object, webhook: object = {}) {
  return unsubscribeAddress(
    Config.parse({
      monitor: { baseUrl: 'https://monitor.example/v1', apiKey: 'mk_1f9d' },
      server,
      webhook,
      channels: [{ name: 'desk', type: 'console' }],
    }),
  )
}

const alerts = 'https://alerts.desk.example'

test.each([
  [{ publicUrl: alerts }, {}, `${alerts}/unsubscribe/`],
  [{ publicUrl: alerts, basePath: '/bluepencil' }, {}, `${alerts}/bluepencil/unsubscribe/`],
  [{ publicUrl: `${alerts}/mail/`, basePath: '/bluepencil' }, {}, `${alerts}/mail/unsubscribe/`],
  [{}, { publicUrl: alerts }, `${alerts}/unsubscribe/`],
  [{ basePath: '/b/' }, { publicUrl: alerts }, `${alerts}/b/unsubscribe/`],
  [{ publicUrl: alerts }, { publicUrl: 'https://hooks.desk.example/x' }, `${alerts}/unsubscribe/`],
])('%j beside webhook %j leads to %s', (server, webhook, url) => {
  expect(addressOf(server, webhook)).toEqual({ url })
})

test.each([
  [{}, {}, 'neither server.publicUrl nor webhook.publicUrl is set'],
  [{}, { publicUrl: 'http://alerts.desk.example' }, 'webhook.publicUrl is not https'],
  [{ publicUrl: 'http://alerts.desk.example' }, { publicUrl: alerts }, 'server.publicUrl is not https'],
  [
    {},
    { publicUrl: `${alerts}/hooks` },
    'webhook.publicUrl has a path of its own, and server.publicUrl is not set',
  ],
])('%j beside webhook %j leads nowhere', (server, webhook, why) => {
  expect(addressOf(server, webhook)).toEqual({ url: undefined, why })
})
