import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../../src/event/outcome.ts'
import { audit, type Mail } from './books.ts'

const ids = ['evt_a', 'evt_b', 'evt_c']

const recipients = ['one@desk.example', 'other@desk.example']

/**
 * Three mails that two processes sent to one recipient, and how many attempts of each are stored without an
 * answer. The other recipient got the same by default.
 */
function faultsOf(
  sent: [id: string, life: number][],
  unanswered: Record<string, number> = {},
  toOther: [id: string, life: number][] = ids.map((id) => [id, 2]),
): string[] {
  const mailsTo = (to: string, all: [id: string, life: number][]): Mail[] =>
    all.map(([id, life]) => ({ id, to, life, messageId: `<${id}.${to}>` }))
  const mails = recipients.flatMap((to, index) => mailsTo(to, index === 0 ? sent : toOther))
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
    recipients,
    read: new Map(),
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
      'mail one@desk.example: evt_b is out of order, after undefined',
    ],
    [
      'another is out of order',
      [
        [c, 2],
        [b, 2],
        [a, 2],
      ],
      { evt_a: 1 },
      'mail one@desk.example: evt_c is out of order',
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
      'mail one@desk.example: evt_a is there twice',
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
      'mail one@desk.example: evt_a is there twice',
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
      'mail one@desk.example: evt_a is there twice',
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

  test('what was in flight to one recipient comes again to both: a fault', () => {
    const again: [string, number][] = [
      [a, 1],
      [a, 2],
      [b, 2],
      [c, 2],
    ]
    expect(faultsOf(again, { evt_a: 1 }, again)).toEqual(['mail: evt_a was sent again to 2 recipients'])
  })

  test('what one recipient has and the other has not: a fault', () => {
    expect(
      faultsOf(
        ids.map((id) => [id, 1]),
        {},
        [
          [a, 1],
          [b, 1],
        ],
      ),
    ).toEqual(['mail other@desk.example: evt_c was acknowledged and is not there'])
  })
})
