import { expect, test } from 'vitest'
import {
  refusalOf,
  Suppressions,
  unsubscribedFrom,
  withoutAddress,
  withRefused,
  withUnsubscribed,
} from '../../../../src/people/readers/suppressions.ts'
import { dayMs } from '../../../../src/platform/durations.ts'

const none = Suppressions.parse(undefined)
const now = Date.parse('2026-01-05T09:00:00Z')
const refusal = { address: 'b@desk.example', server: 'the mail server a:25', said: '550 no' }

test('who unsubscribed is out of that channel alone, however the address is written, and the first time counts', () => {
  const unsubscribed = { channel: 'desk', address: 'A@desk.example', at: '2026-01-05T09:00:00.000Z' }
  const book = withUnsubscribed(none, unsubscribed)
  expect(unsubscribedFrom(book, 'desk', 'a@desk.example')).toEqual(unsubscribed)
  expect(unsubscribedFrom(book, 'politics', 'a@desk.example')).toBeUndefined()
  expect(withUnsubscribed(book, { ...unsubscribed, address: 'a@desk.example', at: 'later' })).toBe(book)
})

test('a refused address rests for a day, two, four and then eight, since the first time', () => {
  let book = none
  let at = now
  const rests: number[] = []
  for (let time = 0; time < 6; time += 1) {
    book = withRefused(book, refusal, at)
    const kept = refusalOf(book, refusal.server, refusal.address)
    expect(kept?.since).toBe(new Date(now).toISOString())
    const until = Date.parse(kept?.until ?? '')
    rests.push((until - at) / dayMs)
    at = until
  }
  expect(rests).toEqual([1, 2, 4, 8, 8, 8])
  expect(book.refused).toHaveLength(1)
})

test('taken back, an address gets mail again: of all channels where it was refused, of one that it had left', () => {
  const left = (channel: string) => ({ channel, address: refusal.address, at: '' })
  const book = withRefused(
    withUnsubscribed(withUnsubscribed(none, left('desk')), left('politics')),
    refusal,
    now,
  )
  expect(withoutAddress(book, 'B@desk.example', 'desk')).toEqual({
    unsubscribed: [left('politics')],
    refused: [],
  })
  expect(withoutAddress(book, refusal.address)).toEqual({ ...book, refused: [] })
})

test('what cannot be read is a book of nobody', () => {
  expect(Suppressions.parse({ unsubscribed: 'x' })).toEqual(none)
})
