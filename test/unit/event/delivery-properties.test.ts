import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDelivery } from '../../../src/event/delivery.ts'
import { runs } from '../../support/runs.ts'

/** What is promised of the event that comes of any bytes at all. */
function promises(body: Uint8Array) {
  const event = readDelivery(body, { source: 'webhook', receivedAt: '2026-11-21T15:05:09.000Z' })
  const { type, model, category, delta, detectedAt, methodology } = event
  const values = { type, model, category, delta, detected_at: detectedAt, methodology }
  const marked = event.unrecognised.map((row) => row.field)
  const unread = Object.entries(values).filter(([, value]) => value === null)
  return {
    'it has an id': /^[^\p{C}\p{Z}]{1,200}$/u.test(event.id),
    'the bytes are kept': Buffer.from(event.body.text, event.body.encoding).equals(body),
    'what is not read is marked': unread.every(([field]) => marked.some((one) => one === field)),
    'no field is marked twice': new Set(marked).size === marked.length,
    'the change is one': delta === null || Math.abs(delta) <= 100,
    'the texts are well-formed': [type, model, category].every((text) => text?.isWellFormed() ?? true),
    'it is the same after the store':
      JSON.stringify(JSON.parse(JSON.stringify(event))) === JSON.stringify(event),
  }
}

const kept = {
  'it has an id': true,
  'the bytes are kept': true,
  'what is not read is marked': true,
  'no field is marked twice': true,
  'the change is one': true,
  'the texts are well-formed': true,
  'it is the same after the store': true,
}

test('any bytes make an event', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(promises(bytes)).toEqual(kept)
    }),
    runs(),
  )
})

test('any JSON makes an event', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(promises(Buffer.from(json))).toEqual(kept)
    }),
    runs(),
  )
})

test('a payload with anything in its fields makes an event', () => {
  const nearly = fc.constantFrom('+12pp', '2026-11-21', 'https://monitor.example', 'claude', 'evt_1')
  const anything = fc.oneof(fc.string({ unit: 'binary' }), nearly, fc.jsonValue())
  const data = fc.record({ category: anything, delta: anything, detected_at: anything }, { requiredKeys: [] })
  const payload = fc.record(
    { id: anything, type: anything, model: anything, data: fc.oneof(data, anything), methodology: anything },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(payload, (value) => {
      expect(promises(Buffer.from(JSON.stringify(value)))).toEqual(kept)
    }),
    runs(),
  )
})

test('a documented payload with one byte changed makes an event', () => {
  const body = Buffer.from(
    '{"id":"evt_8c1","type":"policy_change","model":"qwen","data":{"category":"social","delta":"-3.5pp","detected_at":"2026-11-21T15:05:00Z"},"methodology":"https://monitor.example/m"}',
  )
  fc.assert(
    fc.property(fc.nat(body.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      expect(promises(body.map((old, index) => (index === at ? byte : old)))).toEqual(kept)
    }),
    runs(),
  )
})
