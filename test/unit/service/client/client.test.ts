import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { NotFound } from '../../../../src/service/client/errors.ts'
import { json, type ScriptedService, startScriptedService } from './scripted-service.ts'

const key = 'key-1234567890'
let service: ScriptedService
let client: MonitorClient

beforeEach(async () => {
  service = await startScriptedService()
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: key })
})
afterEach(() => service.close())

test('a subscription is created with the key, and with url, events and models as JSON', async () => {
  const webhook = await client.createWebhook({
    url: 'https://desk.example/webhook',
    events: ['policy_change'],
    models: ['claude', 'gemini'],
  })
  const [received] = service.received
  expect(received).toMatchObject({ method: 'POST', path: '/v1/webhooks' })
  expect(received?.headers).toMatchObject({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  })
  expect(JSON.parse(received?.body ?? '')).toEqual({
    url: 'https://desk.example/webhook',
    events: ['policy_change'],
    models: ['claude', 'gemini'],
  })
  expect(webhook).toEqual({
    id: 'wh_1',
    url: 'https://desk.example/webhook',
    events: ['policy_change'],
    models: ['claude', 'gemini'],
    secret: service.secretOf('wh_1'),
    status: 'active',
  })
})

test('a subscription that is deleted is not found any more', async () => {
  const { id } = service.add({})
  await client.deleteWebhook(id)
  expect(service.subscriptions.size).toBe(0)
  await expect(client.getWebhook(id)).rejects.toBeInstanceOf(NotFound)
})

test.each([200, 202, 204])('a deletion counts as done with status %i and any body', async (status) => {
  service.script = (_, response) => {
    response.writeHead(status).end(status === 204 ? undefined : 'gone')
    return 'answered'
  }
  await expect(client.deleteWebhook('wh_1')).resolves.toBeUndefined()
})

test.each([
  { shape: 'bare', write: (list: object[]) => list },
  { shape: 'under data', write: (data: object[]) => ({ data, total: 2 }) },
  { shape: 'under items', write: (items: object[]) => ({ items }) },
  { shape: 'under results', write: (results: object[]) => ({ next: null, results }) },
  { shape: 'under webhooks', write: (webhooks: object[]) => ({ webhooks }) },
  { shape: 'under data and items', write: (items: object[]) => ({ data: { items } }) },
])('a list is read $shape', async ({ write }) => {
  service.add({ events: ['policy_change'] })
  service.add({ id: 'wh_other', url: 'https://other.example/' })
  service.writeList = write
  const list = await client.listWebhooks()
  expect(list.map(({ id, url }) => [id, url])).toEqual([
    ['wh_1', 'https://desk.example/webhook'],
    ['wh_other', 'https://other.example/'],
  ])
  expect(list[0]).toMatchObject({ events: ['policy_change'], secret: null })
})

test.each([{ body: { data: null } }, { body: [] }, { body: null }])(
  '$body is an empty list',
  async ({ body }) => {
    service.writeList = () => body
    await expect(client.listWebhooks()).resolves.toEqual([])
  },
)

test('an answer 204 is an empty list', async () => {
  service.script = (_, response) => {
    response.writeHead(204).end()
    return 'answered'
  }
  await expect(client.listWebhooks()).resolves.toEqual([])
})

test.each([200, 201, 202])(
  'one subscription is read under data, with status %i and unknown fields',
  async (status) => {
    service.script = (_, response) => {
      json(response, status, { data: { id: 7, owner: 'me', url: 'https://desk.example/', events: 'all' } })
      return 'answered'
    }
    await expect(client.createWebhook({ url: '', events: [], models: [] })).resolves.toEqual({
      id: '7',
      url: 'https://desk.example/',
      events: null,
      models: null,
      secret: null,
      status: null,
    })
  },
)

test('a base address with a trailing slash asks for the same path', async () => {
  await new MonitorClient({ baseUrl: `${service.baseUrl}/`, apiKey: `${key}\n` }).listWebhooks()
  expect(service.received[0]).toMatchObject({
    path: '/v1/webhooks',
    headers: { authorization: `Bearer ${key}` },
  })
})

test.each(['', '.', '..'])('the identifier "%s" never reaches the service', async (id) => {
  await expect(client.deleteWebhook(id)).rejects.toThrow('is not a valid id')
  expect(service.received).toEqual([])
})

test.each([
  { baseUrl: 'service.example/v1', apiKey: key, says: 'not an http or https address' },
  { baseUrl: 'https://user:hunter2@service.example/v1', apiKey: key, says: 'put the key in monitor.apiKey' },
  { baseUrl: 'https://service.example/v1', apiKey: ' ', says: 'monitor.apiKey is empty' },
  {
    baseUrl: 'https://service.example/v1',
    apiKey: 'hunter2\nx',
    says: 'monitor.apiKey is empty or has a character',
  },
])('a client is not made from $baseUrl and a useless key or address', ({ says, ...options }) => {
  const make = () => new MonitorClient(options)
  expect(make).toThrow(says)
  expect(make).not.toThrow('hunter2')
})
