import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { StoreChange } from '../../../src/store/store.ts'
import { event } from '../../contract/store.ts'
import { never, openProcesses } from '../../system/store/processes.ts'

const { open, ask } = openProcesses()

describe('several processes on one store in Postgres', () => {
  it('keep what they hold for as long as they live, and are given it one at a time', async () => {
    const longer = 5_000
    const stores = await Promise.all([open(longer), open(longer), open(longer)])
    let holders = 0
    let most = 0
    let turns = 0
    await Promise.all(
      stores.map(async (store, index) => {
        for (let turn = 0; turn < 4; turn += 1) {
          const hold = await store.acquireLease('lane', never)
          holders += 1
          most = Math.max(most, holders)
          turns += 1
          // For longer than a term.
          await sleep(turn + index === 0 ? longer * 2 : 5)
          expect(hold?.signal.aborted).toBe(false)
          holders -= 1
          hold?.release()
        }
      }),
    )
    expect([most, turns]).toEqual([1, 12])
  })

  it('are notified even if no notification comes through, by polling', async () => {
    const [one, other] = [await open(), await open()]
    const heard: StoreChange[] = []
    one.changes((change) => heard.push(change))
    await expect
      .poll(() =>
        ask(
          "select 1 from pg_stat_activity where query = 'listen bluepencil' and datname = current_database()",
        ),
      )
      .toHaveLength(1)
    await ask(
      "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen bluepencil' and datname = current_database()",
    )
    await other.accept([event('a')])
    await expect.poll(() => heard).toEqual([{ of: 'event', id: 'a', channels: ['desk'], isAbout: false }])
  })

  it('are notified of a change to which the new primary gives the number of a lost one', async () => {
    const [one, other] = [await open(), await open()]
    const heard: string[] = []
    one.changes((change) => heard.push('id' in change ? change.id : change.of))
    for (const id of ['a', 'b', 'c']) await other.accept([event(id)])
    await expect.poll(() => heard).toEqual(['a', 'b', 'c'])
    await ask('delete from bluepencil.news where n > (select min(n) from bluepencil.news)')
    await ask("select setval('bluepencil.news_n_seq', (select n from bluepencil.news))")
    await other.accept([event('d')])
    await ask(
      "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen bluepencil' and datname = current_database()",
    )
    await expect.poll(() => heard, { timeout: 15_000 }).toContain('d')
  })
})
