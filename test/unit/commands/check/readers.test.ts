import { expect, test } from 'vitest'
import { EmailSettings } from '../../../../src/channels/email/config.ts'
import { readersOf } from '../../../../src/commands/check/readers.ts'
import { Suppressions } from '../../../../src/people/readers/suppressions.ts'

const [a, b] = ['a@desk.example', 'b@desk.example']
const channel = EmailSettings.parse({ name: 'policy-mail', type: 'email', to: [a, b] })
const at = '2026-01-05T09:00:00.000Z'
const left = (address: string, name = 'policy-mail') => ({ channel: name, address, at })

test('nothing is said where everybody gets mail, or has left another channel', () => {
  expect(readersOf(channel, Suppressions.parse(undefined))).toEqual([])
  expect(readersOf(channel, { unsubscribed: [left(a, 'other')], refused: [] })).toEqual([])
})

test('who has left is named; it is a warning where nobody is left', () => {
  expect(readersOf(channel, { unsubscribed: [left('A@desk.example')], refused: [] })).toEqual([
    {
      level: 'ok',
      what: 'readers',
      text: `1 reader of 2 unsubscribed: ${a} (${at})`,
    },
  ])
  expect(readersOf(channel, { unsubscribed: [left(a), left(b)], refused: [] })).toMatchObject([
    { level: 'warn', text: `nobody is left: 2 readers of 2 unsubscribed: ${a} (${at}) and ${b} (${at})` },
  ])
})

test('whom the server refuses is a warning, with what it says and how to have it tried', () => {
  const refusal = {
    address: b,
    server: 'the mail server x:25',
    said: '550 no',
    since: at,
    until: at,
    times: 1,
  }
  expect(readersOf(channel, { unsubscribed: [], refused: [refusal] })).toEqual([
    {
      level: 'warn',
      what: 'readers',
      text: `the mail server x:25 rejects ${b} since ${at}: 550 no`,
      hint: `correct it under to:, or retry before ${at}: bluepencil readers restore ${b}`,
    },
  ])
})
