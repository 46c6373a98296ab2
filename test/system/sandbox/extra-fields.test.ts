import { expect, test } from 'vitest'
import { startReceiver } from './receiver.ts'
import { startWithClock } from './started.ts'

const unknown = { x_internal: expect.any(Object), x_note: expect.any(String) }

test('unknown fields stand at every level of answers, errors and deliveries', async () => {
  const receiver = await startReceiver()
  const { ask, subscribe, sandbox, send } = await startWithClock({
    dialect: { 'extra-fields': 'yes', 'list-shape': 'data', pages: 'number' },
  })
  expect((await ask('GET', '/monitoring/claude/metrics')).body).toMatchObject({
    ...unknown,
    model: 'claude',
    metrics: { ...unknown, overall_refusal_rate: expect.any(Number) },
  })
  await subscribe(receiver.url)
  expect((await ask('GET', '/webhooks')).body).toMatchObject({
    ...unknown,
    meta: unknown,
    data: [{ ...unknown, status: 'active' }],
  })
  expect((await ask('GET', '/nothing')).body).toMatchObject({ ...unknown, error: unknown })
  expect((await send('POST', `${sandbox.origin}/oauth/token`, {})).body).toMatchObject(unknown)
  sandbox.fire({})
  await receiver.until(1)
  expect(JSON.parse(String(receiver.received[0]?.body))).toMatchObject({ ...unknown, data: unknown })
})

test('what maps models or categories to values gets no new name', async () => {
  const { ask } = await startWithClock({
    dialect: { 'extra-fields': 'yes', 'sample-size': 'per-category' },
  })
  const answer = await ask('GET', '/monitoring/claude/metrics')
  expect(answer.body).toMatchObject({ ...unknown, sample_size: { overall: 500 } })
  expect(answer.body).not.toMatchObject({ sample_size: unknown })
})
