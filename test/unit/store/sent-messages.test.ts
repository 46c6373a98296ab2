import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { packed, unpacked } from '../../../src/store/lowdb/sent-messages.ts'
import { event, sent, start, waiting, words } from '../../contract/store.ts'
import { openStore, temporaryFolder } from './folder.ts'

const kept = (more: object = {}): Outcome => ({ ...sent(), ...more }) as Outcome
const german = { ...words, language: 'de' }

it('what channels were sent alike is in a sealed file once, and whole for each after it is read and sealed anew', async () => {
  const folder = await temporaryFolder()
  const { store } = await openStore(folder, { segmentSize: 1 })
  await store.accept([event('a', { desk: waiting(), mail: waiting(), berlin: waiting(), old: sent() })])
  await store.accept([event('b')])
  const outcomes = {
    desk: kept({ message: words }),
    mail: kept({ message: structuredClone(words) }),
    berlin: kept({ message: german }),
    old: sent(),
  }
  for (const [channel, outcome] of Object.entries(outcomes)) await store.settle('a', channel, outcome)
  const file = join(folder, 'segments/000001.json')
  const once = async () => {
    const text = await readFile(file, 'utf8')
    expect(text.split(words.source).length - 1).toBe(2)
    expect(text).toContain('"message":"desk"')
  }
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('')
  await once()
  expect((await store.find('a'))?.outcomes).toEqual(outcomes)

  await store.settle('a', 'old', waiting())
  await store.settle('a', 'old', sent('again'))
  await store.close()
  const { store: next } = await openStore(folder, { segmentSize: 1, now: () => start + 9 })
  expect((await next.find('a'))?.outcomes).toEqual({ ...outcomes, old: sent('again') })
  // The first of them has another message now.
  await next.settle('a', 'desk', kept({ message: german }))
  await next.close()
  const { store: last, troubles } = await openStore(folder, { segmentSize: 1 })
  expect((await last.find('a'))?.outcomes).toEqual({
    ...outcomes,
    desk: kept({ message: german }),
    old: sent('again'),
  })
  expect(troubles).toEqual([])
})

it('a name that leads nowhere is no message', () => {
  expect(unpacked({ desk: { state: 'sent', message: 'mail' }, mail: { state: 'waiting' } })).toEqual({
    desk: { state: 'sent' },
    mail: { state: 'waiting' },
  })
  for (const strange of [null, 'x', { desk: 3 }]) expect(unpacked(strange)).toEqual(strange)
})

it('a channel may be called as it likes', () => {
  const outcomes = { constructor: kept({ message: words }), toString: kept({ message: words }) }
  expect(unpacked(JSON.parse(JSON.stringify(packed(outcomes))))).toEqual(outcomes)
})
