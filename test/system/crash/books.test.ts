import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { audit, type Mail } from './books.ts'

const ids = ['evt_a', 'evt_b', 'evt_c']

/** Three mails that two processes sent, and how many tries of each the store says were left without an answer. */
function faultsOf(sent: [id: string, life: number][], unanswered: Record<string, number> = {}): string[] {
  const mails: Mail[] = sent.map(([id, life]) => ({ id, life, messageId: `<${id}>` }))
  const stored = ids.map((id) => {
    const open = unanswered[id]
    const outcome: Outcome = {
      state: 'sent',
      at: '',
      attempts: 1,
      receipt: { text: '' },
      ...(open !== undefined && { unanswered: open }),
    }
    return { entry: { id }, outcomes: { mail: outcome } }
  })
  return audit({
    fired: ids.map((id) => ({ id, model: 'claude', wantedBy: ['mail'] })),
    answers: new Map(ids.map((id) => [id, [202]])),
    stored,
    channels: ['mail'],
    read: new Map([['mail', mails.map(({ id }) => id)]]),
    mails,
    lives: 2,
  }).faults
}

const [a, b, c] = ['evt_a', 'evt_b', 'evt_c'] as const

describe('mails of a process that was killed', () => {
  test.each<[string, [string, number][], Record<string, number>]>([
    [
      'once and in order',
      [
        [a, 1],
        [b, 1],
        [c, 2],
      ],
      {},
    ],
    [
      'what was in flight is there again',
      [
        [a, 1],
        [a, 2],
        [b, 2],
        [c, 2],
      ],
      { evt_a: 1 },
    ],
    [
      'and again behind others',
      [
        [a, 1],
        [b, 2],
        [a, 2],
        [c, 2],
      ],
      { evt_a: 1 },
    ],
    [
      'what was in flight and was lost comes behind others',
      [
        [b, 2],
        [c, 2],
        [a, 2],
      ],
      { evt_a: 1 },
    ],
  ])('%s: no fault', (_, sent, unanswered) => expect(faultsOf(sent, unanswered)).toEqual([]))

  test.each<[string, [string, number][], Record<string, number>, string]>([
    [
      'out of order',
      [
        [b, 1],
        [a, 1],
        [c, 2],
      ],
      {},
      'mail: evt_b is out of order, after undefined',
    ],
    [
      'another is out of order',
      [
        [c, 2],
        [b, 2],
        [a, 2],
      ],
      { evt_a: 1 },
      'mail: evt_c is out of order',
    ],
    [
      'twice, and not in flight',
      [
        [a, 1],
        [a, 2],
        [b, 2],
        [c, 2],
      ],
      {},
      'mail: evt_a is there twice',
    ],
    [
      'twice from one process',
      [
        [a, 1],
        [a, 1],
        [b, 2],
        [c, 2],
      ],
      { evt_a: 1 },
      'mail: evt_a is there twice',
    ],
    [
      'three times for one kill',
      [
        [a, 1],
        [a, 2],
        [a, 3],
        [b, 3],
        [c, 3],
      ],
      { evt_a: 1 },
      'mail: evt_a is there twice',
    ],
    [
      'more in flight than processes ended',
      [
        [b, 2],
        [c, 2],
        [a, 2],
      ],
      { evt_a: 1, evt_b: 1 },
      'mail: 2 tries without an answer in 2 processes',
    ],
  ])('%s: a fault', (_, sent, unanswered, fault) =>
    expect(faultsOf(sent, unanswered).join('; ')).toContain(fault),
  )
})
