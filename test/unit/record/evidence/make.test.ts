import { readFileSync } from 'node:fs'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { type EvidenceFile, evidenceJsonSchema } from '../../../../src/record/evidence/file.ts'
import { makeEvidence } from '../../../../src/record/evidence/make.ts'
import { chainAll } from '../../../support/chain-all.ts'
import { chained, delivered } from './scene.ts'

const parsed = (text: string) => JSON.parse(text) as EvidenceFile

test('a file has what came to the byte, what was sent, and the chain since', async () => {
  const { evidence } = await chained()
  const file = parsed(await evidence())
  const { body } = delivered()
  expect(Buffer.from(file.body, 'base64').toString()).toBe(body.text)
  expect(file).toMatchObject({ id: 'evt_2', received: '2026-11-21T13:05:02.000Z', way: 'webhook' })
  expect(file.sent.outcomes).toMatchObject([
    { channel: 'desk', outcome: { state: 'sent', message: { headline: expect.any(String) } } },
  ])
  expect(file.batch.links).toHaveLength(2)
  expect(file.chain.heads.map(({ number }) => number)).toEqual([2, 3])
})

test('an alert within another’s message has that message', async () => {
  const file = parsed(await (await chained()).evidence('evt_3'))
  expect(file.sent.outcomes).toMatchObject([
    { outcome: { state: 'merged' }, mergedInto: { id: 'evt_2', outcome: { state: 'sent' } } },
  ])
})

test('what came a moment ago is chained for it', async () => {
  const { store, evidence } = await chained()
  await store.accept([{ entry: delivered({ id: 'evt_5' }), outcomes: {} }])
  expect(parsed(await evidence('evt_5')).chain.heads.map(({ number }) => number)).toEqual([4])
})

test('what another process chains at the same moment is found in its batch', async () => {
  const { store, clock } = await chained()
  const parts = { store, now: clock.now }
  await store.accept([{ entry: delivered({ id: 'evt_5' }), outcomes: {} }])
  let reads = 0
  const chain: typeof store.chain = {
    ...store.chain,
    async holding(seq) {
      const place = await store.chain.holding(seq)
      if (reads++ === 0) await chainAll(parts)
      return place
    },
  }
  expect(await makeEvidence('evt_5', { ...parts, store: { ...store, chain } })).toHaveProperty('file')
})

test('the chain is read no further when nobody waits for the file any more', async () => {
  const { store, clock } = await chained()
  const reader = new AbortController()
  const read: number[] = []
  const from: typeof store.chain.from = async (number, limit) => {
    read.push(number)
    reader.abort()
    return store.chain.from(number, limit)
  }
  const parts = {
    store: { ...store, chain: { ...store.chain, from } },
    now: clock.now,
    signal: reader.signal,
  }
  await expect(makeEvidence('evt_2', parts)).rejects.toThrow('aborted')
  expect(read).toEqual([3])
})

test('there is none of what is not there, was made here, or was changed since', async () => {
  const { store, clock } = await chained()
  const parts = { store, now: clock.now }
  expect(await makeEvidence('evt_9', parts)).toEqual({ problem: expect.stringContaining('no event evt_9') })
  const changed = {
    ...store,
    find: async () => ({
      seq: 2,
      entry: delivered({ receivedAt: '2026-11-20T00:00:00.000Z' }),
      outcomes: {},
    }),
  }
  const made = await makeEvidence('evt_2', { ...parts, store: changed })
  expect(made).toEqual({ problem: expect.stringContaining('was changed after it was accepted') })
})

test('docs/evidence.schema.json is the schema of the files that are made', async () => {
  const published: unknown = JSON.parse(readFileSync('docs/evidence.schema.json', 'utf8'))
  expect(published).toEqual(evidenceJsonSchema())
  const ajv = addFormats.default(new Ajv.default())
  ajv.addFormat('base64', /^[A-Za-z0-9+/]*={0,2}$/)
  const fits = ajv.compile(published as object)
  expect([fits(parsed(await (await chained()).evidence())), fits.errors]).toEqual([true, null])
})
