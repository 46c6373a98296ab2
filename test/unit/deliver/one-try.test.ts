import { expect, test } from 'vitest'
import type { Channel, SendResult } from '../../../src/channels/channel.ts'
import { tryInTurn } from '../../../src/deliver/one-try.ts'
import { render } from '../../../src/message/render/render.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

const message = render(alert(), { service: 'service', timeZone: 'UTC' })
const late: SendResult = { result: 'retry', why: 'no answer', uncertain: true }

test('a try waits for the one before it on the same channel, and has all its time from then on', async () => {
  const clock = createManualClock(0)
  const channel: Pick<Channel, 'tryMs'> = { tryMs: 60_000 }
  const began: number[] = []
  const ended: number[] = []

  /** Lasts until it is cut off. */
  async function send(_: unknown, signal: AbortSignal): Promise<SendResult> {
    began.push(clock.now())
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    ended.push(clock.now())
    return late
  }
  const parts = {
    clock,
    channel,
    cutting: new AbortController().signal,
    make: () => message,
    send,
    onError() {},
  }
  const past = tryInTurn(parts)
  await clock.advance(55_000)
  const queued = tryInTurn(parts)
  await clock.advance(120_000)
  await Promise.all([past, queued])
  expect({ began, ended }).toEqual({ began: [0, 60_000], ended: [60_000, 120_000] })
})
