import { expect, test } from 'vitest'
import { channelKinds } from '../../../../src/channels/registry.ts'
import { answersOf, channelSetups } from '../../../../src/config/setup/answers.ts'
import { composeTyped } from '../../../../src/config/setup/config-from-answers.ts'
import { questionOf } from '../../../../src/config/setup/questions.ts'
import { languages } from '../../../../src/message/words/phrases.ts'

test('people choose among all kinds of channel but the terminal, and each way has its question', () => {
  const kinds = new Set(channelSetups.map(({ kind }) => kind))
  expect([...kinds]).toEqual(Object.keys(channelKinds).filter((kind) => kind !== 'console'))
  expect(questionOf('channel').choices).toEqual(channelSetups.map(({ id, name }) => ({ value: id, name })))
  for (const { id, key, answer } of channelSetups) {
    const question = questionOf(answer)
    expect([id, question.key, question.applies?.({ channel: id })]).toEqual([id, `channels[0].${key}`, true])
  }
})

test('people choose among all languages, English first', () => {
  expect(questionOf('language').choices?.map(({ value }) => value)).toEqual(languages)
})

test.each([
  { name: 'desk', type: 'slack', webhookUrl: 'https://hooks.slack.com/services/T0/B0/x' },
  { name: 'desk', type: 'slack', to: '#ai-desk', timeZone: 'Europe/Berlin', language: 'de' },
  { name: 'desk', type: 'discord', to: '1180000000000000001' },
  { name: 'desk', type: 'email', to: ['ana@desk.example', 'ben@desk.example'] },
  {
    name: 'desk',
    type: 'webhook',
    to: 'http://n8n:5678/alerts',
    secret: `whsec_${Buffer.alloc(24, 'random bytes').toString('base64')}`,
    allowPrivate: true,
  },
])('a channel has the answers that make it: $type', (channel) => {
  expect(composeTyped(answersOf(channel) ?? {}).channels).toEqual([channel])
})

test('what cannot be set up has no answers', () => {
  expect(answersOf({ name: 'desk', type: 'console' })).toBeUndefined()
  expect(answersOf({ name: 'desk', type: 'slack' })).toBeUndefined()
})
