import { expect, it } from 'vitest'
import type { Outcome } from '../../src/event/outcome.ts'
import { digestOf, headOf, linksOf } from '../../src/record/evidence/batch.ts'
import { checkChain, createChainer } from '../../src/record/evidence/chain.ts'
import { hashesOf, linkOf, receivedOf } from '../../src/record/evidence/link.ts'
import { type ChainBatch, noHead } from '../../src/store/chain.ts'
import type { Store } from '../../src/store/store.ts'
import { chainAll } from '../support/chain-all.ts'
import { alert } from '../support/fakes/events.ts'

interface Ground {
  store(): Store
  reopen(): Promise<Store>
  /** What would be there if the process ended now, without a word. */
  afterCrash(): Promise<Store>
  now(): number
}

const done: Record<string, Outcome> = { desk: { state: 'not_sent', rule: 'models', why: 'another model' } }

/** The link of what `accept` below stores. */
function linkOfId(id: string): string {
  return linkOf(hashesOf(receivedOf(alert({ id }), null)))
}

async function accept(store: Store, ...ids: string[]): Promise<void> {
  await store.accept(ids.map((id) => ({ entry: alert({ id }), outcomes: done })))
}

async function batchesOf(store: Store): Promise<ChainBatch[]> {
  return store.chain.from(1, 1_000)
}

/** Every batch follows the one before it, and its head is of what it says. */
function expectWhole(batches: readonly ChainBatch[]): void {
  let previous = noHead
  for (const [index, batch] of batches.entries()) {
    expect(batch).toMatchObject({ number: index + 1, previous, head: headOf(batch) })
    const links = linksOf(batch)
    const expected = batch.links === null ? {} : { count: links.length, digest: digestOf(links) }
    expect(batch).toMatchObject(expected)
    previous = batch.head
  }
}

/** What every store promises of the chain. */
export function describeChain({ store, reopen, afterCrash, now }: Ground): void {
  const chain = (on: Store) => chainAll({ store: on, now })

  it('has each alert once, in order, with anything accepted in between; repeats and notices are none', async () => {
    await accept(store(), 'a', 'b')
    await chain(store())
    await accept(store(), 'b', 'c')
    const notice = { kind: 'notice', phase: 'over', channel: null, title: '', text: '' } as const
    const told = { ...notice, id: 'ntc_1', receivedAt: '2026-11-21T13:05:00.000Z' }
    await store().accept([{ entry: told, outcomes: {} }])
    await chain(store())
    await chain(await reopen())
    await accept(store(), 'd')
    await chain(store())
    const batches = await batchesOf(store())
    expect(batches.map(linksOf)).toEqual([['a', 'b'], ['c'], ['d']].map((ids) => ids.map(linkOfId)))
    expectWhole(batches)
    expect(await store().chain.newest()).toEqual(batches[2])
    expect(new Set(batches.map(({ salt }) => salt)).size).toBe(1)
    const { seq = 0 } = (await store().find('c')) ?? {}
    expect(await store().chain.holding(seq)).toEqual(batches[1])
    expect(await store().chain.holding(seq + 100)).toBeUndefined()
  })

  it('holds at most 500 alerts in a batch', async () => {
    await accept(store(), ...Array.from({ length: 1_100 }, (_, index) => `e${index}`))
    await chain(store())
    const batches = await batchesOf(store())
    expect(batches.map(({ count }) => count)).toEqual([500, 500, 100])
    expectWhole(batches)
  })

  it('goes on after a crash, with what was chained before it', async () => {
    await accept(store(), 'a')
    await chain(store())
    await accept(store(), 'b')
    const [before] = await batchesOf(store())
    const survivor = await afterCrash()
    await chain(survivor)
    const batches = await batchesOf(survivor)
    expect(batches[0]).toEqual(before)
    expect(batches.flatMap(linksOf)).toEqual([linkOfId('a'), linkOfId('b')])
    expectWhole(batches)
  })

  it('is one, even if two add to it at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      await accept(store(), `x${round}`, `y${round}`)
      const chainers = Array.from({ length: 3 }, () => createChainer({ store: store(), now }))
      await Promise.all(chainers.map((one) => one.addBatch()))
    }
    const batches = await batchesOf(store())
    expect(batches.map(({ count }) => count)).toEqual([2, 2, 2])
    expectWhole(batches)
    const [first] = batches
    if (first === undefined) throw new Error('there is no batch')
    expect(await store().chain.add(first)).toBe(false)
    expect(await store().chain.add({ ...first, number: 4 })).toBe(false)
  })

  it('begins a new stretch where its end was lost: numbers are missing, none comes twice', async () => {
    await accept(store(), 'a')
    await chain(store())
    const lastLink = { number: 4, head: 'f'.repeat(64) }
    await store().changeState('chain', () => lastLink)
    const [batch] = await batchesOf(store())
    if (batch === undefined) throw new Error('there is no batch')
    expect(await store().chain.add({ ...batch, number: 2, previous: lastLink.head })).toBe(false)
    await accept(store(), 'b')
    const chainer = createChainer({ store: store(), now })
    // Who makes evidence leaves it to who reports it.
    expect(await chainer.addBatch()).toBe(false)
    expect(await chainer.addBatch('another loss')).toBe(false)
    await chain(store())
    await accept(store(), 'c')
    await chain(await reopen())
    const [, stretch, next] = await batchesOf(store())
    expect(stretch).toMatchObject({ number: 5, previous: lastLink.head, head: stretch && headOf(stretch) })
    const begins = 'batches 2 to 4 were lost: the stored chain ended with batch 1'
    expect(await checkChain(store())).toEqual({
      newest: next,
      stretches: [{ number: 5, at: stretch?.at, begins }],
      faults: [],
    })
    expect(next).toMatchObject({ number: 6, previous: stretch?.head })
    expect(await store().readState('chain')).toEqual({ number: 6, head: next?.head })
  })

  it('keeps the heads of what retention drops, and goes on from there', async () => {
    await accept(store(), ...Array.from({ length: 12 }, (_, index) => `old${index}`))
    await chain(store())
    await expect.poll(() => store().retain(now() + 1)).toBeGreaterThan(0)
    const [first] = await batchesOf(store())
    const isAllGone = (await store().list({ limit: 1 })).length === 0
    expect([first?.count, first?.links === null]).toEqual([12, isAllGone])
    await accept(store(), 'new')
    await chain(await reopen())
    const batches = await batchesOf(store())
    expect(batches.map(({ count }) => count)).toEqual([12, 1])
    expect(linksOf(batches[1] ?? { links: null })).toEqual([linkOfId('new')])
    expectWhole(batches)
  })
}
