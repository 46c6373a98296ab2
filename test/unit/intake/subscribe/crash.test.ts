import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { json } from '../../service/client/scripted-service.ts'
import { type Desk, existing, hour, key, openDesk, secretOf, wanted } from './setup.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

/** A disk that fails from the first record on which `fails` answers true. */
function diskFailsWhen(fails: (record: string) => boolean): void {
  desk.disk.beforeWrite = (value) => {
    if (fails(JSON.stringify(value))) throw new Error('ENOSPC: no space left on device')
  }
}

const hasSecret = (record: string) => record.includes('whsec_')

test('the secret is valid from the answer on, before it is on disk', async () => {
  const keeper = desk.keeper()
  let validWhileWriting: readonly string[] = []
  desk.disk.beforeWrite = (value) => {
    if (hasSecret(JSON.stringify(value))) validWhileWriting = keeper.secrets()
  }
  await keeper.ensureNow()
  expect(validWhileWriting).toEqual([secretOf(desk, 'wh_1')])
})

/** A process that is gone between the service's answer and the disk: its write never gets there while the test runs. */
async function crashBeforeStoring(configuredSecrets: string[]): Promise<() => Promise<unknown>> {
  const gate = Promise.withResolvers<void>()
  desk.disk.beforeWrite = (value) => (hasSecret(JSON.stringify(value)) ? gate.promise : undefined)
  const lost = desk.keeper({ configuredSecrets }).ensureNow()
  await expect.poll(() => existing(desk)).toEqual(['wh_1'])
  desk.disk.beforeWrite = () => undefined
  return () => {
    gate.resolve()
    return lost
  }
}

test.each([{ configured: [] }, { configured: ['whsec_made_by_the_operator'] }])(
  'a process that ends between creation and storing leaves one that the next replaces, with configured secrets $configured',
  async ({ configured }) => {
    const release = await crashBeforeStoring(configured)
    const keeper = desk.keeper({ configuredSecrets: configured })
    expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
    expect(existing(desk)).toEqual(['wh_2'])
    expect(keeper.secrets()[0]).toBe(secretOf(desk, 'wh_2'))
    await release()
  },
)

test('where the secret cannot be stored, the new one is deleted again and the old one stays', async () => {
  await desk.keeper().ensureNow()
  diskFailsWhen((record) => record.includes('"wh_2"'))
  const keeper = desk.keeper({ wanted: { ...wanted, models: ['qwen'] } })
  const status = await keeper.ensureNow()
  expect(status).toMatchObject({ state: 'inactive', why: expect.stringContaining('could not be stored') })
  expect(existing(desk)).toEqual(['wh_1'])
  expect(desk.errors.map(({ message }) => message)).toEqual([
    'The secret of the new subscription wh_2 could not be stored.',
  ])
  expect(keeper.secrets()).toContain(secretOf(desk, 'wh_1'))
  expect(keeper.secrets()).toContain(secretOf(desk, 'wh_2'))

  desk.disk.beforeWrite = () => undefined
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_3' })
  expect(existing(desk)).toEqual(['wh_3'])
})

test('where neither storing nor deleting works, both are reported and the next look replaces what is left', async () => {
  diskFailsWhen(hasSecret)
  desk.service.script = ({ method }, response) => {
    if (method !== 'DELETE') return undefined
    json(response, 500, {})
    return 'answered'
  }
  const keeper = desk.keeper()
  expect(await keeper.ensureNow()).toMatchObject({ state: 'missing' })
  expect(desk.errors).toHaveLength(2)
  expect(existing(desk)).toEqual(['wh_1'])

  desk.disk.beforeWrite = () => undefined
  desk.service.script = () => undefined
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
  expect(existing(desk)).toEqual(['wh_2'])
})

test('nothing is created where nothing can be stored', async () => {
  diskFailsWhen(() => true)
  const status = await desk.keeper().ensureNow()
  expect(status).toMatchObject({ state: 'missing', why: expect.stringContaining('check the disk') })
  expect(desk.service.asked()).toEqual(['GET /webhooks'])
  expect(desk.errors).toMatchObject([{ cause: { message: 'ENOSPC: no space left on device' } }])
})

test('nothing is asked while what is stored cannot be read, and it is read again', async () => {
  let fails = true
  const keeper = desk.keeper({
    state: {
      read: async () => {
        if (fails) throw new Error('EIO')
      },
      change: async () => undefined,
    },
  })
  await keeper.ready()
  expect(await keeper.ensureNow()).toMatchObject({ state: 'unknown', why: expect.stringContaining('disk') })
  expect(desk.service.received).toEqual([])
  fails = false
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active' })
})

test('a stored record of another form is reported, and a new subscription takes the place of the old', async () => {
  await desk.keeper().ensureNow()
  desk.disk.value = { current: { id: 'wh_1', secret: 7 } }
  expect(await desk.keeper().ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
  expect(desk.errors).toHaveLength(1)
  expect(existing(desk)).toEqual(['wh_2'])
})

test('an old one that cannot be deleted is reported and deleted later, and its secret stays valid', async () => {
  await desk.keeper().ensureNow()
  desk.service.script = ({ method }, response) => {
    if (method !== 'DELETE') return undefined
    json(response, 503, {})
    return 'answered'
  }
  const keeper = desk.keeper({ wanted: { ...wanted, models: ['qwen'] } })
  const remark = expect.stringContaining('wh_1')
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2', remark })
  expect(desk.errors).toMatchObject([{ cause: { name: 'ServiceFailed' } }])
  for (let days = 0; days < 2; days++) {
    await desk.clock.advance(20 * hour)
    await keeper.ensureNow()
  }
  expect(keeper.secrets()).toContain(secretOf(desk, 'wh_1'))
  desk.service.script = () => undefined
  const status = await keeper.ensureNow()
  expect(status).toMatchObject({ state: 'active', id: 'wh_2', since: '2026-03-01T12:00:00.000Z' })
  expect(status).not.toHaveProperty('remark')
  expect(existing(desk)).toEqual(['wh_2'])
  await desk.clock.advance(24 * hour)
  expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_2')])
})

test('a service that never lists what it created gets three in an hour, over restarts too, and operators are notified', async () => {
  desk.service.script = ({ method, path }, response) => {
    if (method !== 'GET') return undefined
    if (path === '/v1/webhooks') json(response, 200, [])
    else json(response, 404, {})
    return 'answered'
  }
  for (let looks = 0; looks < 6; looks++) await desk.keeper().ensureNow()
  expect(existing(desk)).toEqual(['wh_1', 'wh_2', 'wh_3'])
  const keeper = desk.keeper()
  const why = expect.stringMatching(/it made 3 within the hour.*GET \/webhooks.*dashboard/)
  expect(await keeper.ensureNow()).toEqual({ state: 'missing', why })
  expect(keeper.secrets()).toHaveLength(3)
  await desk.clock.advance(hour)
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_4' })
})

test('creations that time out count, since each may have made one', async () => {
  desk.service.script = ({ method, body }) => {
    if (method !== 'POST') return undefined
    desk.service.add(JSON.parse(body))
    return 'answered'
  }
  const client = new MonitorClient({ baseUrl: desk.service.baseUrl, apiKey: key, timeoutMs: 500, tries: 1 })
  const keeper = desk.keeper({ client })
  for (let looks = 0; looks < 5; looks++) await keeper.ensureNow()
  expect(existing(desk)).toEqual(['wh_1', 'wh_2', 'wh_3'])
  expect(keeper.status().state).toBe('inactive')

  await desk.clock.advance(hour)
  desk.service.script = () => undefined
  expect(await desk.keeper().ensureNow()).toMatchObject({ state: 'active', id: 'wh_4' })
  expect(existing(desk)).toEqual(['wh_4'])
})

test('creations that the service fails or refuses do not count', async () => {
  const statuses = [503, 500, 400, 429, 502]
  desk.service.script = ({ method }, response) => {
    const status = method === 'POST' ? statuses.shift() : undefined
    if (status === undefined) return undefined
    json(response, status, {})
    return 'answered'
  }
  const keeper = desk.keeper()
  const seen = []
  for (let looks = 0; looks < 5; looks++) {
    seen.push((await keeper.ensureNow()).state)
    // After a 429 that names no time, no request leaves for a minute.
    await desk.clock.advance(60_000)
  }
  expect(seen).toEqual(['unreachable', 'unreachable', 'refused', 'unreachable', 'unreachable'])
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
})

test('one created without a secret is deleted again, and operators learn what to do', async () => {
  desk.service.writeOne = (one) => ({ ...one, secret: undefined })
  const status = await desk.keeper().ensureNow()
  expect(status).toMatchObject({ state: 'missing', why: expect.stringContaining('webhook.secrets') })
  expect(existing(desk)).toEqual([])
})

test('one created without a secret is asked for it once more', async () => {
  desk.service.writeOne = ({ secret, ...rest }, at) => (at === 'get' ? { ...rest, secret } : rest)
  const keeper = desk.keeper()
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_1')])
})

test('one created without a secret is kept where a configured one has to do', async () => {
  desk.service.writeOne = (one) => ({ ...one, secret: undefined })
  const keeper = desk.keeper({ configuredSecrets: ['whsec_made_by_the_operator'] })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  expect(existing(desk)).toEqual(['wh_1'])
})
