import { expect, test } from 'vitest'
import { alert } from '../../../support/fakes/events.ts'
import { secret } from '../../../support/fakes/signed.ts'
import { configured } from '../../../support/served.ts'
import { checked } from './checked.ts'

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
    'ok none are expected: neither webhook.publicUrl nor webhook.secrets is set',
  )
})
