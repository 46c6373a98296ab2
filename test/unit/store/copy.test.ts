import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dayMs, hourMs } from '../../../src/platform/durations.ts'
import { copyStore, NotACopy, tallyOf } from '../../../src/store/copy.ts'
import { openSqlite } from '../../../src/store/sqlite/open.ts'
import { figure } from '../../contract/figures.ts'
import { event, sent, start, waiting } from '../../contract/store.ts'
import { temporaryFolder } from './folder.ts'

async function open() {
  const folder = join(await temporaryFolder(), 'data')
  const troubles: string[] = []
  const onTrouble = (sentence: string) => void troubles.push(sentence)
  const opened = await openSqlite(folder, { now: () => start, onTrouble })
  onTestFinished(() => opened.store.close())
  return { ...opened, troubles }
}

type Opened = Awaited<ReturnType<typeof open>>

/** 130 entries with two outcomes each, 2,500 figures that are mostly revisions, a span, two states. */
async function fill({ store }: Opened): Promise<void> {
  await store.accept(
    Array.from({ length: 130 }, (_, n) =>
      event(`evt_${n}`, { mail: sent(), desk: n % 9 ? sent() : waiting() }),
    ),
  )
  await store.changeState('readers', () => [{ channel: 'mail', address: 'a@b.example' }])
  await store.changeState('settings', () => ({ revision: 2, filters: {} }))
  const { seenAt, service, model, category } = figure()
  const figures = Array.from({ length: 2_500 }, (_, index) =>
    figure({ measuredAt: seenAt - (index % 1_000) * hourMs, rate: (index % 3) / 10, seenAt: seenAt + index }),
  )
  const span = { service, model, category, source: 'history', from: seenAt - dayMs, to: seenAt } as const
  expect(await store.figures.add({ figures, spans: [span] })).toBe(2_500)
}

test('a copy has all once, with the same numbers, also if it was broken off in the middle', async () => {
  const [from, to] = [await open(), await open()]
  await fill(from)
  const stop = (copied: number) => {
    if (copied >= 100) throw new Error('killed')
  }
  await expect(copyStore(from.store, to, stop)).rejects.toThrow('killed')
  expect(await to.store.list({ limit: 1 })).toMatchObject([{ seq: 100 }])
  const { figures } = to.store
  let added = 0
  const killed = {
    ...figures,
    add(read: Parameters<typeof figures.add>[0]) {
      added += 1
      return added > 1 ? Promise.reject(new Error('killed')) : figures.add(read)
    },
  }
  const half = { ...to, store: { ...to.store, figures: killed } }
  await expect(copyStore(from.store, half, () => {})).rejects.toThrow('killed')
  for (let times = 0; times < 2; times++) {
    await copyStore(from.store, to, () => {})
    expect(await tallyOf(to.store)).toEqual(await tallyOf(from.store))
  }
  expect(await tallyOf(to.store)).toMatchObject({ entries: 130, outcomes: 260, figures: 2_500, state: 2 })
  expect((await to.store.list({ limit: 1_000 })).map(({ seq }) => seq)).toEqual(
    (await from.store.list({ limit: 1_000 })).map(({ seq }) => seq),
  )
  expect(await to.store.list({ limit: 100, words: 'evt_12' })).toHaveLength(11)
  expect(await to.store.verify?.()).toEqual([])
  expect(await to.store.accept([event('evt_next')])).toEqual(['new'])
  expect(to.troubles).toEqual([])
})

test('a store that has something of its own is copied into by nobody', async () => {
  const [from, to] = [await open(), await open()]
  await from.store.accept([event('evt_0'), event('evt_1')])
  await to.store.accept([event('evt_own')])
  await expect(copyStore(from.store, to, () => {})).rejects.toThrow(NotACopy)
  await expect(copyStore(to.store, from, () => {})).rejects.toThrow(NotACopy)
})
