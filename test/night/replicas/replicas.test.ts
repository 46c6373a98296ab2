import { expect, test } from 'vitest'
import { runReplicas } from './run.ts'

test('four processes on one Postgres lose, double and disorder nothing while two are killed and Postgres crashes', {
  timeout: 400_000,
}, async () => {
  const run = await runReplicas({ seed: 5, replicas: 4, deliveries: 60, kills: 2, restarts: 1 })
  expect(run).toMatchObject({ faults: [], died: [], lives: 6, isDelivered: true })
  expect(run.rows.map(({ channel, there, lost }) => ({ channel, there, lost }))).toEqual([
    { channel: 'slack', there: 60, lost: 0 },
    { channel: 'discord', there: 60, lost: 0 },
    { channel: 'mail ombud@desk.example', there: 15, lost: 0 },
  ])
  expect(run.subscriptions).toHaveLength(1)
  // A second poller would be a fault; that there was one at all has to be seen.
  expect(run.asked).toBeGreaterThan(run.pollers)
  // What was sent on time may arrive a little closer together.
  expect(run.fastest).toBeLessThan(1.2)
})
