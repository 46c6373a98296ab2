import { describe, expect, test } from 'vitest'
import type { Picture, SendResult } from '../../../src/channels/channel.ts'
import { alert } from '../../support/fakes/events.ts'
import { openDesk } from '../decide/accept/desk.ts'

const picture: Picture = { png: new Uint8Array([1, 2, 3]), title: 'The last 90 days', alt: 'What it shows.' }
const added: SendResult = { result: 'sent', receipt: { text: '' } }
const broken: SendResult = { result: 'retry', why: 'it was broken off', uncertain: false }

describe('where a picture can be added', () => {
  test('the text goes first, then the picture, to the message that was sent', async () => {
    const { promise, resolve } = Promise.withResolvers<Picture>()
    const desk = await openDesk({ picture: () => promise, adds: () => added })
    await desk.take(alert())
    expect(desk.sent).toHaveLength(1)
    expect(desk.attempts[0]).not.toHaveProperty('picture')
    expect(desk.added).toEqual([])
    resolve(picture)
    await desk.quiet()
    expect(desk.added).toEqual([{ picture, receipt: { text: 'receipt of evt_1' } }])
    expect(await desk.outcome('evt_1')).toMatchObject({
      state: 'sent',
      attempts: 1,
      picture: { begun: '2026-11-21T13:10:00.000Z' },
    })
    expect(desk.pictured).toEqual([{ type: 'pictured', channel: 'desk', eventId: 'evt_1' }])
  })

  test('a channel is asked in its look, and notices have none', async () => {
    const drawings: string[] = []
    const desk = await openDesk({
      picture: async ({ id }, look) => {
        drawings.push(`${id} ${look}`)
        return undefined
      },
      adds: () => added,
    })
    await desk.take(alert())
    expect(drawings).toEqual(['evt_1 dark'])
    expect(desk.added).toEqual([])
    expect(await desk.outcome('evt_1')).not.toHaveProperty('picture')
  })

  test('what surely was not added is tried again, a few times and no more', async () => {
    const desk = await openDesk({ picture: async () => picture, adds: () => broken })
    await desk.take(alert())
    expect(desk.added).toHaveLength(1)
    for (let times = 0; times < 6; times++) {
      await desk.clock.advance(5_000)
      await desk.quiet()
    }
    expect(desk.added).toHaveLength(4)
    expect(await desk.outcome('evt_1')).toMatchObject({
      state: 'sent',
      picture: { why: 'it was broken off' },
    })
    expect(desk.sent).toHaveLength(1)
  })

  test.each<[string, SendResult]>([
    ['may have been added', { result: 'retry', why: 'no answer', uncertain: true }],
    ['is refused', { result: 'permanent', why: 'too large' }],
    ['is not allowed', { result: 'blocked', why: 'a scope is missing' }],
  ])('what %s is not tried again, and holds up nothing', async (_, result) => {
    const desk = await openDesk({ picture: async () => picture, adds: () => result })
    await desk.take(alert())
    await desk.clock.advance(600_000)
    await desk.take(alert({ id: 'evt_2', category: 'safety' }))
    expect(desk.added.map(({ receipt }) => receipt.text)).toEqual(['receipt of evt_1', 'receipt of evt_2'])
    expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
    expect(desk.pictured[0]).toMatchObject({ why: expect.any(String) })
  })

  test('a text that is to be sent breaks it off', async () => {
    const desk = await openDesk({
      picture: async () => picture,
      adds: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(broken))
        }),
    })
    await desk.take(alert())
    expect(desk.added).toHaveLength(1)
    await desk.take(alert({ id: 'evt_2', category: 'safety' }))
    expect(desk.sent.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
  })

  test('it is noted before anything leaves, so that a process that ends in the middle leaves no second one', async () => {
    const { promise, resolve } = Promise.withResolvers<SendResult>()
    const desk = await openDesk({ picture: async () => picture, adds: () => promise })
    await desk.take(alert())
    expect(desk.added).toHaveLength(1)
    expect(await desk.outcome('evt_1')).toMatchObject({
      state: 'sent',
      picture: { begun: '2026-11-21T13:10:00.000Z', why: 'Bluepencil stopped before it was finished' },
    })
    resolve(added)
    await desk.quiet()
    expect(await desk.outcome('evt_1')).toMatchObject({ picture: { begun: '2026-11-21T13:10:00.000Z' } })
  })
})

describe('where it must be inside', () => {
  test('it is waited for, and sent with the text', async () => {
    const desk = await openDesk({ picture: async () => picture })
    await desk.take(alert())
    expect(desk.attempts[0]).toMatchObject({ picture })
    expect(await desk.outcome('evt_1')).not.toHaveProperty('picture')
  })

  test('for three seconds and no longer', async () => {
    const desk = await openDesk({ picture: () => new Promise(() => {}) })
    await desk.take(alert())
    await desk.clock.advance(2_999)
    expect(desk.sent).toEqual([])
    await desk.clock.advance(1)
    await desk.quiet()
    expect(desk.sent).toHaveLength(1)
    expect(desk.attempts[0]).not.toHaveProperty('picture')
  })

  test('without one the text goes all the same', async () => {
    const desk = await openDesk({ picture: async () => undefined })
    await desk.take(alert())
    expect(desk.attempts[0]).not.toHaveProperty('picture')
    expect(desk.sent).toHaveLength(1)
  })
})
