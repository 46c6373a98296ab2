import { expect, test } from 'vitest'
import { startApp } from '../../../src/app/app.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { configOf, fileOf } from '../../support/app.ts'
import { openOffice, openSlowHook } from '../../support/office.ts'

const desk = { name: 'desk', type: 'console' }
const ready = { method: 'GET', url: '/readyz' }

test('a reload whose clean-up fails is in force and says so; the clean-up is done a minute later', async () => {
  const office = openOffice()
  const hook = await openSlowHook()
  const gone = { name: 'gone', type: 'slack', webhookUrl: hook.url }
  const app = await office.start(configOf([desk, gone]))
  hook.hold()
  await office.deliver(app.port, 'evt_1')
  await office.deliver(app.port, 'evt_2')
  await office.passUntil(() => hook.got.length > 0)

  office.before.backlog = () => Promise.reject(new StoreUnavailable('the disk is full'))
  await office.passing(app.reload(configOf([desk])))
  office.before.backlog = undefined
  const { body } = await office.http.ask(app.port, ready)
  expect(JSON.parse(body).channels.map(({ name }: { name: string }) => name)).toEqual(['ops', 'desk'])
  expect(office.log.join('\n')).toContain('recording the results of removed channels')
  expect((await office.store.find('evt_2'))?.outcomes.gone).toMatchObject({ state: 'waiting' })

  await office.clock.advance(60_000)
  expect((await office.store.find('evt_2'))?.outcomes.gone).toMatchObject({ rule: 'channel-removed' })
  expect(office.alerts()).toContain('gone is no longer configured')
  expect(office.alerts().join()).not.toContain('configuration cannot be used')
  await office.passing(app.stop())
})

test('a reload that is under way when the service is stopped sends nothing afterwards', async () => {
  const office = openOffice()
  const hook = await openSlowHook()
  const slow = { name: 'slow', type: 'slack', webhookUrl: hook.url }
  const app = await office.start(configOf([slow]))
  hook.hold()
  await office.deliver(app.port, 'evt_1')
  await office.deliver(app.port, 'evt_2')
  await office.passUntil(() => hook.got.length === 1)

  const reloaded = app.reload(configOf([slow, desk])).then(
    () => 'in force',
    (error: Error) => error.name,
  )
  await office.clock.advance(1_000)
  const stopped = app.stop()
  await office.clock.advance(1_000)
  hook.letGo()
  await office.passing(stopped)
  expect(await reloaded).toBe('Stopping')
  app.reloadFailed(new Error('the service is being stopped'))
  await office.clock.advance(60_000)
  expect(hook.got).toEqual(['evt_1'])
  expect(office.alerts()).toEqual([])
  expect(office.clock.sleeping()).toBe(0)
})

test('what is sent again on request during a reload is sent by the configuration that follows', async () => {
  const office = openOffice()
  const app = await office.start(configOf([desk]))
  await office.deliver(app.port, 'evt_1')
  await office.passUntil(() => office.shown('desk').length === 1)

  const held = Promise.withResolvers<void>()
  let alters = 0
  office.before.alter = () => (++alters === 1 ? held.promise : Promise.resolve())
  const replayed = office.control().replay('evt_1', 'desk')
  await office.clock.advance(0)
  expect(alters).toBe(1)
  const reloaded = app.reload(configOf([desk, { name: 'other', type: 'console' }]))
  await office.clock.advance(10_000)
  held.resolve()
  await office.passing(Promise.all([replayed, reloaded]))
  await office.clock.advance(5_000)
  expect(office.shown('desk')).toHaveLength(2)
  await office.passing(app.stop())
})

test('a delivery that comes during a reload, or just before the process is killed, is known to polling', async () => {
  const office = openOffice()
  const hook = await openSlowHook()
  const polled = { monitor: { baseUrl: 'http://127.0.0.1:9', apiKey: 'key' }, polling: { mode: 'always' } }
  const slow = { name: 'slow', type: 'slack', webhookUrl: hook.url }
  const app = await office.start(configOf([slow], polled))
  hook.hold()
  await office.deliver(app.port, 'evt_1')
  await office.passUntil(() => hook.got.length === 1)
  const reloaded = app.reload(configOf([slow, desk], polled))
  await office.clock.advance(1_000)
  await office.deliver(app.port, 'evt_2')
  hook.letGo()
  await office.passing(reloaded)
  await office.deliver(app.port, 'evt_3')
  const storedDeliveries = async () => {
    const state = (await office.store.readState('polling')) as { webhooks: { delivered: { id: string }[] } }
    return state.webhooks.delivered.map(({ id }) => id)
  }
  await office.passing(app.stop())
  expect(await storedDeliveries()).toEqual(['evt_1', 'evt_2', 'evt_3'])

  const killed = await office.start(configOf([desk], polled))
  await office.deliver(killed.port, 'evt_4')
  // It writes nothing more.
  office.before.changeState = () => Promise.reject(new StoreUnavailable('killed'))
  await office.passing(killed.stop())
  office.before.changeState = undefined
  const after = await office.start(configOf([desk], polled))
  await office.clock.advance(0)
  await office.passing(after.stop())
  expect(await storedDeliveries()).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4'])
})

test('of reloads that come one upon the other the last is in force', async () => {
  const office = openOffice()
  const app = await office.start(configOf([desk]))
  const names = ['one', 'two', 'three']
  const reloads = names.map((name) => app.reload(configOf([{ name, type: 'console' }])))
  await office.passing(Promise.all(reloads))
  await office.deliver(app.port, 'evt_1')
  await office.clock.advance(1_000)
  expect([...names, 'desk'].filter((name) => office.shown(name).length > 0)).toEqual(['three'])
  await office.passing(app.stop())
})

test('what cannot be accounted for at the start is done a minute later; the service starts', async () => {
  const office = openOffice()
  const hook = await openSlowHook()
  hook.hold()
  const gone = { name: 'gone', type: 'slack', webhookUrl: hook.url }
  const first = await office.start(configOf([desk, gone]))
  await office.deliver(first.port, 'evt_1')
  await office.passing(first.stop())
  office.before.backlog = () => Promise.reject(new StoreUnavailable('the disk is full'))
  const app = await office.start(configOf([desk]))
  office.before.backlog = undefined
  expect(await office.deliver(app.port, 'evt_2')).toBe(202)
  await office.clock.advance(60_000)
  expect((await office.store.find('evt_1'))?.outcomes.gone).toMatchObject({ rule: 'channel-removed' })
  await office.passing(app.stop())
})

test('a stop while it starts: nothing is served, nothing sent, nothing stays open', async () => {
  for (let steps = 0; ; steps++) {
    const office = openOffice()
    const stopping = new AbortController()
    let step = 0
    const stopAt = async () => void (step++ === steps && stopping.abort())
    Object.assign(office.before, { readState: stopAt, backlog: stopAt, find: stopAt })
    const started = startApp(fileOf(configOf([desk])), office.environment, stopping.signal).then(
      (app) => app.stop(),
      (error: Error) => error.name,
    )
    const ended = await office.passing(started)
    expect(office.http.listening()).toBe(0)
    expect(office.clock.sleeping()).toBe(0)
    if (!stopping.signal.aborted) break
    expect(ended).toBe('Stopping')
    expect(steps).toBeLessThan(50)
  }
})

test('a second stop waits for the first', async () => {
  const office = openOffice()
  const app = await office.start(configOf([desk]))
  await office.passing(Promise.all([app.stop(), app.stop()]))
  await office.passing(app.stop())
  expect(office.http.listening()).toBe(0)
})
