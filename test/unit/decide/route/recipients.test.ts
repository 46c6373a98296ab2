import { describe, expect, test } from 'vitest'
import { isStandIn, recipientsOf } from '../../../../src/decide/route/recipients.ts'

const channels = ['ops', 'night', 'desk', 'mail']

function recipients(given: {
  about?: string
  operators?: string[]
  unreachable?: string[]
  phase?: 'trouble' | 'over'
  had?: string[]
}) {
  const { about = null, operators = ['ops'], unreachable = [], phase = 'trouble', had } = given
  return recipientsOf({ channel: about, phase }, { channels, operators, unreachable }, had)
}

describe('what is wrong goes to', () => {
  test.each([
    ['the operators', {}, ['ops']],
    ['nobody if no operators are named', { operators: [], unreachable: ['desk'] }, []],
    ['the operators, if another channel is away', { about: 'desk', unreachable: ['desk'] }, ['ops']],
    [
      'the other operators if one of their channels is away',
      { about: 'ops', operators: ['ops', 'night'], unreachable: ['ops'] },
      ['night'],
    ],
    [
      'every channel that can be reached if the last of theirs is away, and to theirs too',
      { about: 'ops', unreachable: ['ops'] },
      ['ops', 'night', 'desk', 'mail'],
    ],
    [
      'no channel that is away itself',
      { about: 'ops', unreachable: ['ops', 'desk'] },
      ['ops', 'night', 'mail'],
    ],
    [
      'the operators that were away before if their last goes away',
      { about: 'night', operators: ['ops', 'night'], unreachable: ['ops', 'night'] },
      ['ops', 'desk', 'mail'],
    ],
    [
      'the others, for any incident while theirs are away',
      { unreachable: ['ops'] },
      ['ops', 'night', 'desk', 'mail'],
    ],
    [
      'the others and not the channel that it is about',
      { about: 'desk', unreachable: ['ops'] },
      ['ops', 'night', 'mail'],
    ],
    [
      'the channel that it is about if no other can be reached',
      { about: 'desk', unreachable: ['ops', 'night', 'mail'] },
      ['ops', 'desk'],
    ],
    ['the operators alone if nothing can be reached', { unreachable: channels }, ['ops']],
  ])('%s', (_, given, expected) => {
    expect(recipients(given)).toEqual(expected)
  })
})

describe('what is resolved goes to', () => {
  test('the operators and every channel that got its beginning, once each', () => {
    expect(recipients({ phase: 'over', about: 'ops', had: ['ops', 'desk'] })).toEqual(['ops', 'desk'])
  })

  test('nobody who did not, though the operators cannot be reached', () => {
    expect(recipients({ phase: 'over', unreachable: ['ops'], had: ['ops'] })).toEqual(['ops'])
  })
})

test('a channel stands in for the operators where it gets a notice and is none of theirs', () => {
  const notice = {
    kind: 'notice',
    id: 'ntc_1',
    phase: 'trouble',
    channel: null,
    title: '',
    text: '',
    receivedAt: '',
  } as const
  expect(isStandIn({ ...notice, to: ['ops', 'desk'] }, 'desk', ['ops'])).toBe(true)
  expect(isStandIn({ ...notice, to: ['ops', 'desk'] }, 'ops', ['ops'])).toBe(false)
  expect(isStandIn(notice, 'ops', ['ops'])).toBe(false)
  expect(isStandIn({ ...notice, to: ['desk'], status: true }, 'desk', ['ops'])).toBe(false)
})
