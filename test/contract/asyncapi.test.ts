import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { asyncApi, eventSchema } from '../../src/service/sandbox/contract/asyncapi.ts'
import { ServiceDialect } from '../../src/service/sandbox/dialect.ts'
import { startReceiver } from '../system/sandbox/receiver.ts'
import { startWithClock } from '../system/sandbox/started.ts'
import { lint } from './lint.ts'

test('the events pass the linter, which finds what is wrong', async () => {
  expect(await lint(asyncApi(ServiceDialect.parse({})), 'default')).toEqual([])
  expect(await lint({ ...asyncApi(ServiceDialect.parse({})), channels: [] }, 'broken')).not.toEqual([])
})

test('the schema of the event takes its own example and what the sandbox delivers, and nothing less', async () => {
  const schema = eventSchema(ServiceDialect.parse({}))
  const validate = new Ajv2020().compile(schema)
  expect(schema).toMatchObject({ examples: [{ type: 'policy_change' }] })
  const receiver = await startReceiver()
  const { sandbox, subscribe } = await startWithClock()
  await subscribe(receiver.url)
  sandbox.fire({})
  await receiver.until(1)
  const event: unknown = JSON.parse(String(receiver.received[0]?.body))
  expect(validate(event)).toBe(true)
  expect(validate({ ...Object(event), data: {} })).toBe(false)
})
