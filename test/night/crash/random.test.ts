import { expect, test } from 'vitest'
import { runRandomKills } from '../../system/crash/run.ts'

test('three kills with -9 at random moments lose, double and disorder nothing', {
  timeout: 120_000,
}, async () => {
  const run = await runRandomKills({ seed: 7, deliveries: 100, width: 64, kills: 3 })
  expect(run).toMatchObject({ kills: 3, faults: [], troubles: [], notices: 0, exit: 0 })
  expect(run.rows.map(({ channel, there, lost }) => ({ channel, there, lost }))).toEqual([
    { channel: 'slack', there: 100, lost: 0 },
    { channel: 'discord', there: 100, lost: 0 },
    { channel: 'mail ombud@desk.example', there: 25, lost: 0 },
    { channel: 'mail politics@desk.example', there: 25, lost: 0 },
  ])
})
