import { beforeAll, describe, expect, test } from 'vitest'
import { type EvidenceFile, textOf } from '../../../../src/record/evidence/file.ts'
import { verifyEvidence } from '../../../../src/record/evidence/verify.ts'
import { chainAll } from '../../../support/chain-all.ts'
import { chained, delivered } from './scene.ts'

let text: string
let evt3: string
beforeAll(async () => {
  const { evidence } = await chained()
  text = await evidence()
  evt3 = await evidence('evt_3')
})

const check = (changed: string) => verifyEvidence(Buffer.from(changed)).problems
const partsOf = (changed: string) => [...new Set(check(changed).map(({ part }) => part))]

/** The file with something else at that place, written as it would be. */
function changed(path: string, value: unknown, from = text): string {
  const file: unknown = JSON.parse(from)
  const names = path.split('.')
  const last = names.pop() ?? ''
  let at = file
  for (const name of names) at = Reflect.get(at as object, name)
  Reflect.set(at as object, last, value)
  return textOf(file)
}

const other = '1'.repeat(64)

function reordered(from: string, member?: 'headers'): string {
  const file = JSON.parse(from) as EvidenceFile
  const turned = (of: object) => Object.fromEntries(Object.entries(of).toReversed())
  return textOf(member === undefined ? turned(file) : { ...file, [member]: turned(file[member]) })
}

/** The last character before the padding stands for fewer than six bits. */
function withSpareBits(member: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return member.replace(
    /(.)(=+)"$/,
    (_, last: string, padding: string) => `${alphabet[alphabet.indexOf(last) + 1]}${padding}"`,
  )
}

test('a file as it was made is whole', () => {
  expect(check(text)).toEqual([])
})

describe('what was changed is named', () => {
  test.each<[string, string, unknown]>([
    ['made', 'made.at', '2026-11-23T03:00:00.001Z'],
    ['made', 'made.sum', other],
    ['id', 'id', 'evt_3'],
    ['received', 'received', '2026-11-21T13:05:03.000Z'],
    ['way', 'way', 'list'],
    ['headers', 'headers.date', 'today'],
    ['headers', 'headers.content-type', 'text/plain'],
    ['signature', 'signature.encoding', 'base64'],
    ['signature', 'signature.fingerprint', '0'.repeat(32)],
    ['signature', 'signature', null],
    ['body', 'body', 'e30='],
    ['sent', 'sent.outcomes.0.channel', 'other'],
    ['sent', 'sent.outcomes', []],
    ['sent', 'sent.sum', other],
    ['link', 'link.body', other],
    ['link', 'link.link', other],
    ['batch', 'batch.links.1', other],
    ['batch', 'batch.links.0', other],
    ['batch', 'batch.links.2', other],
    ['chain', 'chain.previous', other],
    ['chain', 'chain.heads.1.head', other],
    ['chain', 'chain.heads.0.links', other],
    ['chain', 'chain.heads.0.count', 9],
    ['chain', 'chain.heads.1.number', 9],
    ['chain', 'chain.heads.0.at', '2026-11-23T03:00:01Z'],
    ['chain', 'chain.heads', []],
  ])('%s: %s', (part, path, value) => {
    expect(partsOf(changed(path, value))).toEqual([part])
  })

  test.each<[string, string, (from: string) => string]>([
    [
      'headers',
      'a header that JSON reads and nobody lists',
      (from) => from.replace('"headers": {', '"headers": {\n    "__proto__": "x",'),
    ],
    ['headers', 'headers in another order', (from) => reordered(from, 'headers')],
    [
      'body',
      'bits of base64 that stand for no byte',
      (from) => from.replace(/"body": "[^"]*"/, withSpareBits),
    ],
    ['format', 'the members in another order', (from) => reordered(from)],
  ])('%s: %s', (part, _, change) => {
    const other = change(text)
    expect(other).not.toBe(text)
    expect(partsOf(other)).toEqual([part])
  })

  test('a header whose name and value are parted elsewhere', () => {
    const file = JSON.parse(text) as EvidenceFile
    const [name, value] = Object.entries(file.headers)[0] ?? ['', '']
    const { [name]: _, ...rest } = file.headers
    expect(
      partsOf(textOf({ ...file, headers: { ...rest, [`${name}: ${value.slice(0, 2)}`]: value.slice(2) } })),
    ).toEqual(['headers'])
  })

  test('a body and its hash, but not the link', () => {
    const forged = changed('body', 'e30=')
    expect(partsOf(changed('link.body', other, forged))).toEqual(['link', 'body'])
  })

  test('all that the link of another event does not fit', () => {
    expect(partsOf(changed('link', (JSON.parse(evt3) as EvidenceFile).link))).toEqual(['id'])
  })
})

test('what a new stretch says of itself is part of its head', async () => {
  const { store, clock, evidence } = await chained()
  await store.changeState('chain', () => ({ number: 9, head: other }))
  await store.accept([{ entry: delivered({ id: 'evt_5' }), outcomes: {} }])
  await chainAll({ store, now: clock.now })
  const stretch = await evidence('evt_5')
  const { heads } = (JSON.parse(stretch) as EvidenceFile).chain
  expect(heads).toMatchObject([{ number: 10, begins: expect.stringContaining('batches 4 to 9 were lost') }])
  expect(check(stretch)).toEqual([])
  expect(partsOf(changed('chain.heads.0.begins', 'nothing was lost', stretch))).toEqual(['chain'])
  expect(partsOf(changed('chain.heads.0.begins', undefined, stretch))).toEqual(['chain'])
  // A file of before has no head behind what was lost.
  expect((JSON.parse(await evidence()) as EvidenceFile).chain.heads.map(({ number }) => number)).toEqual([
    2, 3,
  ])
})

test('what is written otherwise and says the same is named with its line', () => {
  expect(check(text.replace('"way": "webhook"', '"way":  "webhook"'))).toEqual([
    { part: 'way', what: expect.stringMatching(/^line \d+ is not written/) },
  ])
  expect(check(`${text}\n`)).toMatchObject([{ part: 'chain' }])
  expect(check(JSON.stringify(JSON.parse(text)))).toHaveLength(1)
})

test('what is no file of evidence is refused with what it is', () => {
  expect(check('')).toEqual([{ part: 'form', what: 'the file is damaged: it is not JSON' }])
  expect(partsOf('{}')).toEqual(expect.arrayContaining(['format', 'body', 'chain']))
  expect(check(text.replace('"body"', '"bodx"'))).toContainEqual({
    part: 'form',
    what: expect.stringContaining('bodx'),
  })
})
