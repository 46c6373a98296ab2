import { expect, test } from 'vitest'
import { runRandomKills } from './run.ts'

test('a kill with -9 at a random moment loses, doubles and disorders nothing', {
  timeout: 120_000,
}, async () => {
  const run = await runRandomKills({ seed: 22, deliveries: 40, width: 16, kills: 1 })
  expect(run).toMatchObject({ kills: 1, faults: [], troubles: [], notices: 0, exit: 0 })
  expect(run.rows.map(({ channel, there, lost }) => ({ channel, there, lost }))).toEqual([
    { channel: 'slack', there: 40, lost: 0 },
    { channel: 'discord', there: 40, lost: 0 },
    { channel: 'mail ombud@desk.example', there: 10, lost: 0 },
    { channel: 'mail politics@desk.example', there: 10, lost: 0 },
  ])
})
