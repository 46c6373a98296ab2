import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Outcome } from '../../../../src/event/outcome.ts'
import type { Readiness } from '../../../../src/operators/readiness.ts'
import { connectControl } from '../../../../src/people/control/connect.ts'
import { type Control, localControl } from '../../../../src/people/control/control.ts'
import { serveControl } from '../../../../src/people/control/socket.ts'
import { actsOn, sendingsOn } from '../../../../src/people/converse/acts.ts'
import type { ConfigCommands } from '../../../../src/people/converse/settings.ts'
import { tokensOn } from '../../../../src/people/converse/tokens.ts'
import type { Store } from '../../../../src/store/store.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const at = '2026-11-21T13:00:00.000Z'
const failed: Outcome = { state: 'failed', at, attempts: 3, why: 'too long' }
const sent: Outcome = { state: 'sent', at, attempts: 1, receipt: { text: 'r' } }

/** As of a service whose disk is full. */
const wrong: Readiness = {
  status: 'unavailable',
  store: { ok: false, why: 'the disk is full' },
  subscription: { state: 'not configured' },
  polling: { mode: 'off' },
  channels: [],
  troubles: [],
}

let folder: string
let store: Store
let owed: string[]
let close: () => Promise<void>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bluepencil-control-'))
  store = createMemoryBacking(createManualClock(Date.parse('2026-11-21T13:10:00Z'))).open()
  owed = []
  const local = localControl({
    store,
    channels: () => ['desk', 'mail'],
    running: true,
    async makePending(eventId, channel) {
      owed.push(`${eventId} ${channel}`)
      return true
    },
    acts: await actsOn(store, Date.now),
    sendings: sendingsOn(store, Date.now),
    sendHeld: async ({ held }) => held.length,
    tokens: tokensOn(store, Date.now),
    now: Date.now,
    resting: () => [{ channel: 'desk', until: at, why: 'it answered 503' }],
    close: async () => {},
  })
  close = await serveControl(folder, { ...local, ready: async () => wrong, config })
})
afterEach(async () => {
  await close()
  await rm(folder, { recursive: true })
})

const configAsked: unknown[] = []
const config: ConfigCommands = {
  async add(...asked) {
    configAsked.push(asked)
    return { result: 'invalid', problems: [{ path: ['name'], message: 'is missing' }] }
  },
  async clear(...asked) {
    configAsked.push(asked)
    return { result: 'changed' }
  },
  async setPassword(...asked) {
    configAsked.push(asked)
    return { result: 'refused', why: 'Nobody is called so.' }
  },
}

async function connected(): Promise<Control> {
  const control = await connectControl(folder)
  if (control === undefined) throw new Error('nobody answers')
  return control
}

describe('commands beside a running service', () => {
  test('ask through a socket that only its user can open', async () => {
    expect(statSync(join(folder, 'control.sock')).mode & 0o777).toBe(0o600)
  })

  test('see events, newest first, page by page, and only the failed ones where asked', async () => {
    await store.accept([
      { entry: alert({ id: 'evt_1' }), outcomes: { desk: failed } },
      { entry: alert({ id: 'evt_2' }), outcomes: { desk: sent } },
      { entry: alert({ id: 'evt_3' }), outcomes: { desk: sent } },
    ])
    const control = await connected()
    const ids = async (query: Parameters<Control['events']>[0]) =>
      (await control.events(query)).map(({ entry }) => entry.id)
    expect(await ids({ limit: 2 })).toEqual(['evt_3', 'evt_2'])
    expect(await ids({ limit: 2, before: 2 })).toEqual(['evt_1'])
    expect(await ids({ limit: 2, outcome: 'failed' })).toEqual(['evt_1'])
    expect(await ids({ limit: 2, kind: 'notice' })).toEqual([])
    const [newest] = await store.list({ limit: 1 })
    const since = newest?.entry.receivedAt
    expect(await ids({ limit: 9, kind: 'alert', from: since })).toEqual(['evt_3', 'evt_2', 'evt_1'])
    expect(await ids({ limit: 9, from: '2100-01-01T00:00:00.001Z' })).toEqual([])
    expect(await control.events({ limit: 1, withoutOutcomes: true })).toEqual([{ ...newest, outcomes: {} }])
    // A filter that the socket does not know is refused: without it the list would be longer.
    await expect(control.events({ limit: 1, model: 'claude' })).rejects.toThrow('model')
    expect(await control.event('evt_2')).toMatchObject({ outcomes: { desk: sent } })
    expect(await control.event('evt_nope')).toBeUndefined()
  })

  test('send an event again, to the channels on which it failed or to one channel', async () => {
    await store.accept([
      { entry: alert({ id: 'evt_1' }), outcomes: { desk: failed, mail: sent, gone: failed } },
      { entry: alert({ id: 'evt_2' }), outcomes: { desk: sent } },
    ])
    const control = await connected()
    expect(await control.replay('evt_1', undefined)).toEqual({
      result: 'queued',
      channels: ['desk'],
      running: true,
    })
    expect(await control.replay('evt_2', 'mail')).toEqual({
      result: 'queued',
      channels: ['mail'],
      running: true,
    })
    expect(owed).toEqual(['evt_1 desk', 'evt_2 mail'])
    expect((await store.list({ limit: 10 })).filter(({ entry }) => entry.kind === 'act')).toEqual([])
    const by = { name: 'ana', via: 'command' } as const
    await control.replay('evt_1', undefined, { by, key: 'once' })
    const [{ entry } = {}] = await store.list({ limit: 1 })
    expect(entry).toMatchObject({ does: 'send-again', by, entry: 'evt_1', channels: ['desk'] })
    expect(await control.replay('evt_2', undefined)).toEqual({ result: 'nothing-failed', channels: ['desk'] })
    expect(await control.replay('evt_2', 'fax')).toEqual({
      result: 'unknown-channel',
      channels: ['desk', 'mail'],
    })
    expect(await control.replay('evt_9', undefined)).toEqual({ result: 'unknown-event' })
  })

  test('an id with a slash or worse is just an id', async () => {
    expect(await (await connected()).event('../../etc/passwd?x#y')).toBeUndefined()
  })

  test('see what is wrong now', async () => {
    expect(await (await connectControl(folder))?.ready()).toEqual(wrong)
  })

  test('see what rests and why', async () => {
    expect(await (await connected()).status()).toMatchObject({
      running: true,
      resting: [{ channel: 'desk', until: at, why: 'it answered 503' }],
    })
  })
})

test('nobody answers if no service is running, even if a crash left the socket', async () => {
  expect(await connectControl(join(folder, 'elsewhere'))).toBeUndefined()
  await close()
  const { execFileSync } = await import('node:child_process')
  const path = join(folder, 'control.sock')
  const leave = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  expect(() => execFileSync(process.execPath, ['-e', leave])).toThrow('SIGKILL')
  expect(statSync(path).isSocket()).toBe(true)
  expect(await connectControl(folder)).toBeUndefined()
  close = await serveControl(folder, {
    ready: async () => wrong,
    config,
    ...localControl({
      store,
      channels: () => [],
      running: true,
      makePending: async () => true,
      acts: await actsOn(store, Date.now),
      sendings: sendingsOn(store, Date.now),
      sendHeld: async ({ held }) => held.length,
      tokens: tokensOn(store, Date.now),
      now: Date.now,
      resting: () => [],
      close: async () => {},
    }),
  })
  expect(await connectControl(folder)).toBeDefined()
})

test('commands about the configuration come through as they were asked, and so do the answers', async () => {
  const running = await connectControl(folder)
  const doer = { by: { name: 'ana', via: 'command' as const }, key: 'k' }
  expect(await running?.config.add(doer, { channels: [{ name: 'a' }] })).toEqual({
    result: 'invalid',
    problems: [{ path: ['name'], message: 'is missing' }],
  })
  expect(await running?.config.clear(doer)).toEqual({ result: 'changed' })
  expect(await running?.config.setPassword(doer, 'ben', 'a-hash')).toMatchObject({ result: 'refused' })
  expect(configAsked).toEqual([[doer, { channels: [{ name: 'a' }] }], [doer], [doer, 'ben', 'a-hash']])
})
