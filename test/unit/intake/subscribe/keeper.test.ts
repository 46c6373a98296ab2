import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Desk, existing, hour, openDesk, publicUrl, secretOf, wanted } from './setup.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

test('where the service has none, one is created, and its secret is on disk and valid', async () => {
  const keeper = desk.keeper()
  expect(keeper.status().state).toBe('unknown')
  const status = await keeper.ensureNow()
  expect(status).toEqual({ state: 'active', id: 'wh_1', since: '2026-03-01T12:00:00.000Z' })
  expect(JSON.parse(desk.service.received[1]?.body ?? '')).toEqual({ url: publicUrl, ...wanted })
  expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_1')])
  expect(desk.disk.value).toMatchObject({
    current: { id: 'wh_1', secret: secretOf(desk, 'wh_1') },
    creating: false,
  })
  expect(desk.errors).toEqual([])
})

test('one that is in order is left alone, and each look is one request', async () => {
  await desk.keeper().ensureNow()
  const again = desk.keeper()
  desk.service.received.length = 0
  desk.disk.writes = 0
  expect(await again.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  await again.ensureNow()
  expect(desk.service.asked()).toEqual(['GET /webhooks', 'GET /webhooks'])
  expect(desk.disk.writes).toBe(0)
  expect(desk.statuses).toHaveLength(2)
})

test('a stored secret is valid before the service is asked', async () => {
  await desk.keeper().ensureNow()
  const again = desk.keeper({ configuredSecrets: ['whsec_made_by_the_operator'] })
  await again.ready()
  expect(again.secrets()).toEqual([secretOf(desk, 'wh_1'), 'whsec_made_by_the_operator'])
})

test.each([
  { change: { events: ['policy_change'] } },
  { change: { models: ['claude', 'gemini', 'qwen'] } },
  { change: { status: 'disabled' } },
])('one with $change is replaced: the new one is stored before the old one goes', async ({ change }) => {
  await desk.keeper().ensureNow()
  Object.assign(desk.service.subscriptions.get('wh_1') ?? {}, change)
  desk.service.received.length = 0
  const diskAtDelete: unknown[] = []
  desk.service.script = ({ method }) => {
    if (method === 'DELETE') diskAtDelete.push(desk.disk.value)
    return undefined
  }
  const keeper = desk.keeper()
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
  expect(desk.service.asked()).toEqual(['GET /webhooks', 'POST /webhooks', 'DELETE /webhooks/wh_1'])
  expect(diskAtDelete).toMatchObject([{ current: { secret: secretOf(desk, 'wh_2') } }])
  expect(existing(desk)).toEqual(['wh_2'])
  expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_2'), secretOf(desk, 'wh_1')])
})

test('the order, case and repetition of events and models do not matter', async () => {
  await desk.keeper().ensureNow()
  const models = ['Gemini', 'claude', 'gemini']
  Object.assign(desk.service.subscriptions.get('wh_1') ?? {}, { events: wanted.events.toReversed(), models })
  expect(await desk.keeper().ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
})

test('an old secret stays valid for a day after its subscription is gone, over a restart, and no longer', async () => {
  await desk.keeper().ensureNow()
  desk.service.subscriptions.clear()
  await desk.keeper().ensureNow()
  const keeper = desk.keeper()
  await keeper.ready()
  await desk.clock.advance(24 * hour - 1)
  expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_2'), secretOf(desk, 'wh_1')])
  await desk.clock.advance(1)
  expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_2')])
})

test('one that is gone is created again', async () => {
  const keeper = desk.keeper()
  await keeper.ensureNow()
  desk.service.subscriptions.clear()
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
})

test('one that the list does not show, but that is there, is kept', async () => {
  const keeper = desk.keeper()
  await keeper.ensureNow()
  desk.service.writeList = () => ({ data: [] })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  expect(existing(desk)).toEqual(['wh_1'])
})

test('one whose secret nobody knows is replaced', async () => {
  desk.service.add({ ...wanted })
  const keeper = desk.keeper()
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
  expect(existing(desk)).toEqual(['wh_2'])
})

test('one whose secret the service shows again is taken over, and remembered', async () => {
  desk.service.add({ ...wanted })
  desk.service.writeOne = ({ secret, ...rest }, at) => (at === 'list' ? rest : { ...rest, secret })
  expect(await desk.keeper().ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  const again = desk.keeper()
  await again.ready()
  expect(again.secrets()).toEqual([secretOf(desk, 'wh_1')])
})

test.each(['whsec_****************', 'whsec_xxxxxxxxxxxxxxxxxxxx', 'whsec_1q…kl', '[hidden]'])(
  'a secret that is shown as %s is not believed',
  async (secret) => {
    desk.service.add({ ...wanted })
    desk.service.writeOne = (one, at) => (at === 'create' ? one : { ...one, secret })
    const keeper = desk.keeper()
    expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
    expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_2')])
    await keeper.ensureNow()
    expect(existing(desk)).toEqual(['wh_2'])
  },
)

test('a secret that was changed at the service is taken over, and the old one stays valid', async () => {
  const keeper = desk.keeper()
  await keeper.ensureNow()
  desk.service.writeOne = (one) => ({ ...one, secret: 'whsec_changed-in-the-dashboard' })
  await keeper.ensureNow()
  expect(keeper.secrets()).toEqual(['whsec_changed-in-the-dashboard', secretOf(desk, 'wh_1')])
})

test('the operator’s own subscription is accepted with a configured secret', async () => {
  desk.service.add({ ...wanted })
  const keeper = desk.keeper({ configuredSecrets: ['whsec_made_by_the_operator'] })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  expect(existing(desk)).toEqual(['wh_1'])
  expect(keeper.secrets()).toEqual(['whsec_made_by_the_operator'])
})

test('the operator’s own subscription is replaced where it is for other models', async () => {
  desk.service.add({ ...wanted, models: ['qwen'] })
  const keeper = desk.keeper({ configuredSecrets: ['whsec_made_by_the_operator'] })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
  expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_2'), 'whsec_made_by_the_operator'])
})

test('of several, the one whose secret is held is kept and the others go', async () => {
  await desk.keeper().ensureNow()
  desk.service.add({ ...wanted })
  desk.service.add({ ...wanted })
  expect(await desk.keeper().ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  expect(existing(desk)).toEqual(['wh_1'])
})

test('of several that would do, the current one is kept, and one that is gone before it is deleted is no error', async () => {
  desk.service.writeOne = (one) => one
  await desk.keeper().ensureNow()
  const [current] = desk.service.subscriptions.values()
  desk.service.subscriptions.clear()
  desk.service.add({ ...wanted })
  desk.service.add({ ...wanted })
  desk.service.subscriptions.set('wh_1', current ?? desk.service.add({}))
  desk.service.script = ({ method }) => {
    if (method === 'DELETE') desk.service.subscriptions.delete('wh_2')
    return undefined
  }
  const status = await desk.keeper().ensureNow()
  expect(status).toEqual({ state: 'active', id: 'wh_1', since: '2026-03-01T12:00:00.000Z' })
  expect(existing(desk)).toEqual(['wh_1'])
  expect(desk.errors).toEqual([])
})

test('if several could have the configured secret, a new one with a known secret replaces them', async () => {
  desk.service.add({ ...wanted })
  desk.service.add({ ...wanted })
  const keeper = desk.keeper({ configuredSecrets: ['whsec_made_by_the_operator'] })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_3' })
  expect(existing(desk)).toEqual(['wh_3'])
})

test('subscriptions with other URLs are never touched', async () => {
  const others = [
    'https://desk.example/webhook2',
    'http://desk.example/webhook',
    'https://desk.example/webhook?of=them',
    'https://other.example/webhook',
    'https://desk.example:8443/webhook',
    'not a url',
  ]
  for (const url of others) desk.service.add({ url, status: 'disabled' })
  await desk.keeper().ensureNow()
  expect([...desk.service.subscriptions.values()].map(({ url }) => url)).toEqual([...others, publicUrl])
})

test.each([
  'https://DESK.example/webhook',
  'https://desk.example:443/webhook/',
  'https://desk.example/webhook#x',
])('%s is our URL', async (url) => {
  desk.service.add({ url, ...wanted })
  await desk.keeper().ensureNow()
  expect(existing(desk)).toEqual(['wh_2'])
})

test('with a new URL there is a new subscription, and the old secret stays valid while the old one exists', async () => {
  await desk.keeper().ensureNow()
  const keeper = desk.keeper({ publicUrl: 'https://new.example/webhook' })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
  expect(existing(desk)).toEqual(['wh_1', 'wh_2'])
  await desk.clock.advance(20 * hour)
  await keeper.ensureNow()
  await desk.clock.advance(20 * hour)
  expect(keeper.secrets()).toEqual([secretOf(desk, 'wh_2'), secretOf(desk, 'wh_1')])
})

test('an operator who changes his mind often within an hour is followed each time', async () => {
  for (const model of ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']) {
    const keeper = desk.keeper({ wanted: { ...wanted, models: [model] } })
    expect(await keeper.ensureNow()).toMatchObject({ state: 'active' })
  }
  expect([...desk.service.subscriptions.values()]).toMatchObject([{ id: 'wh_5', models: ['qwen'] }])
})

test('two looks at once are one', async () => {
  const keeper = desk.keeper()
  const [one, two] = await Promise.all([keeper.ensureNow(), keeper.ensureNow()])
  expect(one).toEqual(two)
  expect(desk.service.asked()).toEqual(['GET /webhooks', 'POST /webhooks'])
})

test('a list that shows neither events nor models nor status is no reason for a new one', async () => {
  desk.service.writeOne = (one, at) => (at === 'create' ? one : { id: one.id, url: one.url })
  await desk.keeper().ensureNow()
  expect(await desk.keeper().ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  const other = desk.keeper({ wanted: { ...wanted, models: ['qwen'] } })
  expect(await other.ensureNow()).toMatchObject({ state: 'active', id: 'wh_2' })
})

test('a service that offers less than requested is reported, and not asked again', async () => {
  desk.service.writeOne = ({ secret, ...rest }, at) => {
    const shown = { ...rest, models: ['claude'] }
    return at === 'create' ? { ...shown, secret } : shown
  }
  const keeper = desk.keeper()
  const remark = expect.stringContaining('wh_1 for the models claude instead of claude, gemini')
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1', remark })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1', remark })
  expect(existing(desk)).toEqual(['wh_1'])
})

test('a service that activates later is waited for', async () => {
  const writeOne = desk.service.writeOne
  desk.service.writeOne = (one, at) => ({ ...writeOne(one, at), status: 'pending' })
  const keeper = desk.keeper()
  const why = expect.stringContaining('"pending"')
  expect(await keeper.ensureNow()).toMatchObject({ state: 'inactive', why })
  expect(await keeper.ensureNow()).toMatchObject({ state: 'inactive', why })
  desk.service.writeOne = writeOne
  expect(await keeper.ensureNow()).toMatchObject({ state: 'active', id: 'wh_1' })
  expect(existing(desk)).toEqual(['wh_1'])
})
