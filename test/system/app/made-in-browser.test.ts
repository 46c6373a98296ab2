import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../../src/config/compose.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { type AppOfTest, rawFile } from '../../support/app.ts'
import { secret } from '../../support/fakes/signed.ts'
import { openOffice } from '../../support/office.ts'

const planted = 'planted-secret-of-the-hook'
const server = { host: '127.0.0.1', port: 0 }
const ops = { name: 'ops', type: 'console', minDelta: 100 }
const desk = { name: 'desk', type: 'console' }
const account = {
  name: 'ana',
  password: `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  role: 'admin',
}
const hook = {
  name: 'hook',
  type: 'slack',
  webhookUrl: `https://hooks.slack.com/services/T0/B0/${planted}`,
  minDelta: 100,
}
const base = {
  server,
  webhook: { secrets: [secret] },
  copies: 0,
  operators: ['ops'],
  channels: [ops],
  console: { listen: { port: 0 } },
}

let office: ReturnType<typeof openOffice>
let running: Set<AppOfTest>

beforeEach(() => {
  office = openOffice()
  running = new Set()
})
afterEach(async () => {
  for (const app of running) await office.passing(app.stop())
})

/** One more process on the same store. */
async function replica(file: ConfigFile = rawFile(base)) {
  const secondOffice = openOffice({
    clock: office.clock,
    listen: office.http.listen,
    openStore: async () => office.backing.open(),
  })
  const app = await office.passing(secondOffice.start(file))
  running.add(app)
  await office.clock.advance(0)
  return { ...secondOffice, app, control: secondOffice.control() }
}

let keys = 0
const doer = () => ({ by: { name: 'ana', via: 'command' as const }, key: `key ${keys++}` })
const add = (control: ReturnType<typeof office.control>, file: object) =>
  office.passing(control.config.add(doer(), file))

async function acts() {
  const rows = await office.store.list({ kind: 'act', limit: 100 })
  return rows.map(({ entry }) => entry)
}

describe('a channel that is made while two processes run', () => {
  test('gets what either of them accepts, within two seconds, and is an act', async () => {
    const [first, other] = [await replica(), await replica()]
    expect(await add(first.control, { channels: [desk] })).toEqual({ result: 'changed' })
    await office.clock.advance(2_000)
    for (const [index, { app }] of [first, other].entries()) {
      expect(await office.deliver(app.port, `evt_${index}`, { model: `model-${index}` })).toBe(202)
    }
    await office.clock.advance(2_000)
    const shown = [...first.shown('desk'), ...other.shown('desk')].map((text) => /evt_\d/.exec(text)?.[0])
    expect(shown.map(String).toSorted()).toEqual(['evt_0', 'evt_1'])
    expect(await acts()).toEqual([
      expect.objectContaining({
        does: 'change-config',
        revision: 1,
        changes: [{ of: 'channel desk', to: desk }],
      }),
    ])
  })

  test('a name that the file of the other has is left out there, with an incident; the rest counts', async () => {
    const first = await replica()
    const other = await replica(rawFile({ ...base, channels: [ops, { ...desk, as: 'plain' }] }))
    expect(await add(first.control, { channels: [desk, { ...desk, name: 'third' }] })).toEqual({
      result: 'changed',
    })
    await office.clock.advance(5_000)
    const { channels, troubles } = await other.control.ready()
    expect(channels.map(({ name }) => name)).toEqual(['ops', 'desk', 'third'])
    expect(troubles).toContainEqual(
      expect.objectContaining({
        key: 'settings',
        text: 'made in the browser: desk.name: there is another channel called desk; names must differ',
      }),
    )
  })
})

test('signing secrets are in no act, when they come and when they go', async () => {
  const { control } = await replica(rawFile({ ...base, webhook: {} }))
  await add(control, { channels: [desk], webhook: { secrets: ['whsec_3f9d1c7ab2e84d5f9a6c0b1e2d3f4a5b'] } })
  await office.passing(control.config.clear(doer()))
  const all = JSON.stringify(await acts())
  expect(all).toContain('webhook.secrets')
  expect(all).not.toContain('whsec_')
})

test('what is removed is gone on all, and what waited for it is settled', async () => {
  const [first, other] = [await replica(), await replica()]
  await add(first.control, { channels: [desk] })
  await office.clock.advance(2_000)
  expect(await office.passing(other.control.config.clear(doer()))).toEqual({ result: 'changed' })
  await office.clock.advance(2_000)
  for (const { control } of [first, other]) {
    expect((await control.ready()).channels.map(({ name }) => name)).toEqual(['ops'])
  }
})

test('nothing is written that the whole refuses, and each problem has its place', async () => {
  const { control } = await replica()
  const refused = await add(control, { channels: [{ ...desk, minDelta: 'much' }] })
  expect(refused).toEqual({
    result: 'invalid',
    problems: [
      { path: ['minDelta'], message: 'must be a number alone, such as 5: no quotes, unit or per cent sign' },
    ],
  })
  expect(await add(control, { operators: ['desk'] })).toMatchObject({ result: 'refused' })
  expect(await acts()).toEqual([])
  expect(await office.store.readState('settings')).toBeUndefined()
})

test('with console.edit: false nothing is changed and nothing is written', async () => {
  const { control } = await replica(rawFile({ ...base, console: { listen: { port: 0 }, edit: false } }))
  expect(await add(control, { channels: [desk] })).toEqual({
    result: 'refused',
    why: 'The configuration file keeps this to itself (console.edit: false).',
  })
  expect(await office.store.readState('settings')).toBeUndefined()
})

test('a file that does not go with what was made changes nothing, and operators are alerted', async () => {
  const { app, control } = await replica()
  await add(control, { channels: [desk] })
  const taken = rawFile({ ...base, channels: [ops, desk] })
  const error = await app.reload(taken).catch((reason: unknown) => reason)
  expect(String(error)).toContain('made in the browser: desk.name: there is another channel called desk')
  app.reloadFailed(error as Error)
  await office.clock.advance(1_000)
  expect((await control.ready()).channels.map(({ name }) => name)).toEqual(['ops', 'desk'])
  expect((await control.ready()).troubles.map(({ key }) => key)).toContain('configuration')
})

test('settings of a newer version: what can be read counts, the rest is an incident, and nothing is changed', async () => {
  await office.store.changeState('settings', () => ({
    revision: 4,
    config: { revision: 2, channels: [desk, { name: 'pigeon', type: 'pigeon' }], lofts: [] },
  }))
  const { control, app } = await replica()
  await office.deliver(app.port, 'evt_1')
  await office.clock.advance(2_000)
  const { status, channels, troubles } = await control.ready()
  expect(status).toBe('degraded')
  expect(channels.map(({ name }) => name)).toEqual(['ops', 'desk'])
  expect(troubles.find(({ key }) => key === 'settings')?.text).toContain(
    '(lofts) was made in the browser with a newer Bluepencil',
  )
  const { result } = await add(control, { retention: '30d' })
  expect(result).toBe('refused')
  expect(await office.store.readState('settings')).toMatchObject({ revision: 4 })
})

describe('beside a channel that cannot be used', () => {
  const pigeon = { name: 'pigeon', type: 'pigeon' }

  async function withPigeon(more: object = {}) {
    await office.store.changeState('settings', () => ({
      revision: 4,
      config: { revision: 2, channels: [pigeon, desk], ...more },
    }))
    return await replica(rawFile({ ...base, console: { listen: { port: 0 }, users: [account] } }))
  }

  test('other parts are changed', async () => {
    const { control } = await withPigeon()
    expect(await add(control, { retention: '30d' })).toEqual({ result: 'changed' })
    expect(await add(control, { channels: [{ ...desk, name: 'third' }] })).toEqual({ result: 'changed' })
    await office.clock.advance(2_000)
    expect((await control.ready()).channels.map(({ name }) => name)).toEqual(['ops', 'desk', 'third'])
    expect((await control.ready()).troubles.map(({ key }) => key)).toContain('settings')
  })

  test('what the change itself breaks is refused', async () => {
    const { control } = await withPigeon()
    expect(await add(control, { operators: ['nobody'] })).toMatchObject({ result: 'refused' })
    expect(await add(control, { slack: { token: 'xapp-wrong' } })).toMatchObject({ result: 'invalid' })
    const next = { ...desk, name: 'third', escalate: { to: 'pigeon', after: '10m' } }
    expect(await add(control, { channels: [next] })).toMatchObject({ result: 'invalid' })
  })

  test('somebody who is locked out gets another password', async () => {
    await office.store.changeState('settings', () => ({
      revision: 4,
      config: { revision: 2, channels: [pigeon], users: [account] },
    }))
    const { control } = await replica()
    const hash = account.password.replace('A', 'B')
    expect(await office.passing(control.config.setPassword(doer(), 'ana', hash))).toEqual({
      result: 'changed',
    })
  })

  test('the file can be changed', async () => {
    const { app, control } = await withPigeon()
    await app.reload(rawFile({ ...base, channels: [ops, { ...desk, name: 'more' }] }))
    expect((await control.ready()).channels.map(({ name }) => name)).toEqual(['ops', 'more', 'desk'])
  })
})

test('what the file names of lost settings is left out at a start, with an incident', async () => {
  await office.store.changeState('settings', () => ({ revision: 4, config: 'nonsense' }))
  const needy = { name: 'needy', type: 'slack', to: '#desk' }
  const { control } = await replica(
    rawFile({ ...base, channels: [ops, needy], operators: ['browser-made', 'ops'] }),
  )
  await office.clock.advance(1_000)
  const { channels, troubles } = await control.ready()
  expect(channels.map(({ name }) => name)).toEqual(['ops'])
  expect(troubles.map(({ key }) => key)).toContain('settings')
})

test('a row of settings that is no document is damaged, and not empty', async () => {
  await office.store.changeState('settings', () => ['nonsense'])
  const { control } = await replica()
  await office.clock.advance(1_000)
  expect((await control.ready()).troubles.find(({ key }) => key === 'settings')?.text).toContain('is damaged')
})

test('what waits for a channel that cannot be read is kept until it can', async () => {
  const down = { name: 'down', type: 'slack', webhookUrl: 'http://127.0.0.1:9/services/x' }
  const first = await replica()
  await add(first.control, { channels: [down] })
  await office.deliver(first.app.port, 'evt_1')
  await office.passUntil(async () => (await office.store.find('evt_1'))?.outcomes.down?.state === 'waiting')
  await office.passing(first.app.stop())
  running.clear()
  const stored = await office.store.readState('settings')
  await office.store.changeState('settings', (before) => ({ ...Object(before), config: 'nonsense' }))
  const second = await replica()
  await office.clock.advance(180_000)
  expect((await second.control.ready()).troubles.map(({ key }) => key)).toContain('settings')
  expect((await office.store.find('evt_1'))?.outcomes.down?.state).toBe('waiting')
  await office.passing(second.app.stop())
  running.clear()
  await office.store.changeState('settings', () => stored)
  const third = await replica()
  expect((await third.control.ready()).troubles.map(({ key }) => key)).not.toContain('settings')
})

test('settings that cannot be written: the change is refused with why, and the service goes on', async () => {
  const first = openOffice()
  const app = await first.start(rawFile(base))
  first.before.changeState = async (key) => {
    if (key === 'settings') throw new StoreUnavailable('settings.json could not be written')
  }
  expect(await first.passing(first.control().config.add(doer(), { channels: [desk] }))).toEqual({
    result: 'refused',
    why: 'This could not be stored: settings.json could not be written. Try again later.',
  })
  expect(await first.deliver(app.port, 'evt_1')).toBe(202)
  await first.passing(app.stop())
})

test('a secret that is entered is in no log, act, readiness or notice', async () => {
  const { control, log, texts } = await replica()
  await add(control, { channels: [hook], slack: { token: `xoxb-${planted}` } })
  await office.clock.advance(5_000)
  await add(control, { email: { smtp: `smtp://desk:${planted}@mail.example:587`, from: 'nobody' } })
  expect(JSON.stringify(await office.store.readState('settings'))).toContain(planted)
  const seen = JSON.stringify([log, await acts(), await control.ready(), await control.status(), texts])
  expect(seen).toContain('change-config')
  expect(seen).not.toContain(planted)
})

test('polling begins when the service is added', async () => {
  const { control } = await replica()
  const monitor = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'a-key' }
  expect((await control.ready()).polling).toEqual({ mode: 'off' })
  await add(control, { monitor })
  await office.passUntil(async () => (await control.ready()).polling.mode !== 'off')
})
