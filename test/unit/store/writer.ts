/**
 * A process of its own for a test: accepts and settles events in the folder as fast as it can, and prints the id
 * of each event when it was acknowledged (`+id`), when a try of it had begun (`*id`) and when its outcome was
 * (`=id`). Every third is not due and never tried. Ends when it is killed.
 */
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { alert } from '../../support/fakes/events.ts'

const [folder = '', prefix = ''] = process.argv.slice(2)
const store = await openLowdbStore(folder, {
  now: () => Date.now(),
  onTrouble: (sentence) => process.stdout.write(`!${sentence}\n`),
  segmentSize: 20,
})

async function run(worker: number): Promise<never> {
  for (let n = 0; ; n++) {
    const id = `${prefix}-${worker}-${n}`
    const isDue = n % 3 !== 0
    const dueAt = new Date(Date.now() + (isDue ? 0 : 86_400_000)).toISOString()
    await store.accept([
      {
        entry: alert({ id }),
        outcomes: { desk: { state: 'waiting', dueAt, why: 'not tried yet', attempts: 0 } },
      },
    ])
    process.stdout.write(`+${id}\n`)
    const [owed] = await store.lease('desk', { now: Date.now(), limit: 1, leaseMs: 1e6 })
    if (owed === undefined) continue
    const { eventId, lease } = owed
    process.stdout.write(`*${eventId}\n`)
    await store.settle(
      eventId,
      'desk',
      { state: 'sent', at: dueAt, attempts: 1, receipt: { text: id } },
      lease,
    )
    process.stdout.write(`=${eventId}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, (_, worker) => run(worker)))
