import { expect, test, vi } from 'vitest'
import { openAllWays } from '../../system/app/all-ways.ts'
import { minute } from '../../system/faults/desk.ts'

test('by each way, thirty alerts in a minute are ten at once, and one message within ten minutes', {
  timeout: 120_000,
}, async () => {
  const { desk, read } = await openAllWays()
  for (let number = 10; number < 40; number += 1) {
    const data = { category: 'political', delta: `+${20 - (number % 10)}pp` }
    expect(await desk.deliver(`evt_${number}`, { model: `model-${number}`, data })).toBe(202)
    await desk.pass(2_000)
  }
  for (const { way, messages } of await read()) expect([way, messages.length]).toEqual([way, 10])
  await desk.pass(9 * minute + 5_000)
  await desk.seconds(20)
  // The clock is moved; what is sent takes the time that the machine needs.
  await vi.waitUntil(async () => (await read()).every(({ messages }) => messages.length > 10), {
    timeout: 25_000,
  })
  for (const { way, messages } of await read()) {
    expect([way, messages.length]).toEqual([way, 11])
    expect(
      messages.filter((one) => /20 alerts/.test(typeof one === 'string' ? one : JSON.stringify(one))),
    ).toHaveLength(1)
  }
})
