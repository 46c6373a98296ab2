import { expect, test } from 'vitest'
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
  const counts = async () =>
    Object.fromEntries((await read()).map(({ way, messages }) => [way, messages.length]))
  const each = (count: number) => Object.fromEntries(ways.map((way) => [way, count]))
  const ways = Object.keys(await counts())
  // The clock is moved, and what is sent takes the time that the machine needs.
  await expect.poll(counts).toEqual(each(10))
  await desk.pass(9 * minute + 5_000)
  await desk.seconds(20)
  await expect.poll(counts).toEqual(each(11))
  for (const { messages } of await read()) {
    expect(
      messages.filter((one) => /20 alerts/.test(typeof one === 'string' ? one : JSON.stringify(one))),
    ).toHaveLength(1)
  }
})
