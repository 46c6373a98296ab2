import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { MonitorClient } from '../../../src/service/client/client.ts'
import { parseDialect } from '../../../src/service/sandbox/dialect.ts'
import { startWithClock } from '../sandbox/started.ts'

const pages = ['none', 'cursor', 'number', 'link']
const shapes = ['bare', 'data', 'items', 'results']

test.each(pages.flatMap((page, at) => [0, 1].map((turn) => [page, shapes[(at + turn) % shapes.length]])))(
  'with pages=%s and list-shape=%s every member of every list is there',
  async (page, shape) => {
    const dialect = parseDialect([`pages=${page}`, `list-shape=${shape}`])
    const { sandbox, clock } = await startWithClock({ dialect })
    const client = new MonitorClient({ baseUrl: sandbox.url, apiKey: 'sandbox-pro', clock })
    const made = []
    for (let index = 0; index < 12; index++) {
      made.push(
        await client.createWebhook({
          url: `http://127.0.0.1:9/${index}`,
          events: ['policy_change'],
          models: ['claude'],
        }),
      )
    }
    const listed = (await client.listWebhooks()).map(({ id }) => id)
    expect(listed.toSorted()).toEqual(made.map(({ id }) => id).toSorted())

    const datasets = []
    for await (const { id } of client.datasets()) datasets.push(id)
    const publications = []
    for await (const { id } of client.publications()) publications.push(id)
    expect(new Set(datasets).size).toBe(datasets.length)
    expect(new Set(publications).size).toBe(publications.length)
    expect(Math.min(datasets.length, publications.length)).toBeGreaterThan(0)
  },
)

test.each(
  ['stream', 'redirect', 'json-link'].flatMap((download) =>
    ['yes', 'no'].map((ranges) => [download, ranges]),
  ),
)('with download=%s and ranges=%s the same bytes come', async (download, ranges) => {
  const dialect = parseDialect([`download=${download}`, `ranges=${ranges}`])
  const { sandbox, clock } = await startWithClock({ dialect })
  const client = new MonitorClient({ baseUrl: sandbox.url, apiKey: 'sandbox-pro', clock })
  for await (const { id, bytes } of client.datasets()) {
    const out = new PassThrough()
    const got = buffer(out)
    const done = await client.download(id, { to: out })
    out.end()
    expect((await got).length).toBe(done.bytes)
    expect(done.bytes).toBe(bytes ?? done.bytes)
    expect(done.bytes).toBeGreaterThan(0)
  }
})

test.each(['fixed', 'sliding'])(
  'with limit-window=%s hours of asking is never refused by the service',
  async (window) => {
    const dialect = parseDialect([`limit-window=${window}`])
    const { sandbox, clock } = await startWithClock({ dialect })
    const statuses = new Map<number, number>()
    const counted: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      return response
    }
    const client = new MonitorClient({
      baseUrl: sandbox.url,
      apiKey: 'sandbox-free',
      tier: 'free',
      clock,
      fetch: counted,
      tries: 1,
    })
    for (let hour = 0; hour < 8; hour++) {
      // In each hour of another day: all that the budget gives, in bursts that fall differently.
      for (let burst = 0; burst < 4; burst++) {
        for (let refused = false; !refused; ) {
          refused = await client.getWebhook('wh_1').then(
            () => false,
            (error: unknown) => error instanceof Error && error.name === 'BudgetSpent',
          )
        }
        clock.set(clock.now() + 60_000 * (7 + ((hour + burst) % 9)))
      }
      if (hour % 5 === 0) clock.set(clock.now() + 24 * 3_600_000)
    }
    expect([...statuses.keys()]).toEqual([404])
    expect(statuses.get(404)).toBeGreaterThan(250)
  },
)

test.each(['none', 'rotating', 'lasting'])(
  'with refresh-token=%s a client with OAuth goes on for days',
  async (refresh) => {
    const { sandbox, clock } = await startWithClock({ dialect: parseDialect([`refresh-token=${refresh}`]) })
    const tokenUrl = `${sandbox.origin}/oauth/token`
    const oauth = { tokenUrl, clientId: 'sandbox-client', clientSecret: 'sandbox-client-secret' }
    const client = new MonitorClient({ baseUrl: sandbox.url, oauth, clock })
    for (let day = 0; day < 3; day++) {
      await expect(client.listWebhooks()).resolves.toEqual([])
      await clock.advance(24 * 3_600_000)
    }
  },
)

test('with read-scopes=needed a client that has not asked for them is told which setting to change', async () => {
  const { sandbox, clock } = await startWithClock({ dialect: parseDialect(['read-scopes=needed']) })
  const tokenUrl = `${sandbox.origin}/oauth/token`
  const oauth = { tokenUrl, clientId: 'sandbox-client', clientSecret: 'sandbox-client-secret' }
  const narrow = new MonitorClient({ baseUrl: sandbox.url, oauth, clock })
  await expect(narrow.listWebhooks()).resolves.toEqual([])
  await expect(narrow.metrics('claude')).rejects.toMatchObject({
    name: 'MissingScope',
    message: expect.stringContaining('monitor.oauth.scopes'),
  })
  const scopes = ['webhooks.write', 'monitoring.read']
  const wide = new MonitorClient({ baseUrl: sandbox.url, oauth: { ...oauth, scopes }, clock })
  await expect(wide.metrics('claude')).resolves.toMatchObject({ model: 'claude' })
})
