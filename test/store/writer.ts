/**
 * A process of its own for a test: accepts and settles events in the folder as fast as it can, and prints the id
 * of each event when it was acknowledged (`+id`) and when its outcome was (`=id`). Ends when it is killed.
 */
import { openLowdbStore } from '../../src/store/lowdb/open.ts'
import { alert } from '../fakes/events.ts'

const [folder = '', prefix = ''] = process.argv.slice(2)
const store = await openLowdbStore(folder, {
  now: () => Date.now(),
  onTrouble: (sentence) => process.stdout.write(`!${sentence}\n`),
  segmentSize: 20,
})

async function run(worker: number): Promise<never> {
  for (let n = 0; ; n++) {
    const id = `${prefix}-${worker}-${n}`
    const dueAt = new Date().toISOString()
    await store.accept([
      {
        entry: alert({ id }),
        outcomes: { desk: { state: 'waiting', dueAt, why: 'not tried yet', attempts: 0 } },
      },
    ])
    process.stdout.write(`+${id}\n`)
    if (n % 3 === 0) continue
    await store.settle(id, 'desk', { state: 'sent', at: dueAt, attempts: 1, receipt: id })
    process.stdout.write(`=${id}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, (_, worker) => run(worker)))
