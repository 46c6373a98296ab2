import { expect, test } from 'vitest'
import { contentOfReply } from '../../../src/channels/discord/interaction.ts'
import { replyPayload } from '../../../src/channels/slack/reply.ts'
import { consult } from '../../../src/commands/consult.ts'
import { english } from '../../../src/message/words/words.ts'
import type { FiguresQuestion } from '../../../src/people/converse/commands.ts'
import { problemsOf } from '../../support/fakes/slack-limits.ts'
import { peopleService, sandbox, service } from './monitor/asked.ts'

const questions: [string, FiguresQuestion, RegExp][] = [
  ['a history', { what: 'history', model: 'claude', category: 'political', period: '90d' }, /^ *\d+\.\d% ┤/],
  [
    'a comparison',
    { what: 'compare', models: ['claude', 'gemini'] },
    /\d% \(\d+\.\d–\d+\.\d%\)\nHighest less lowest: \d+\.\d ± \d\.\d percentage points/,
  ],
]

test.each(questions)(
  '%s from the service is shown whole in Slack and in Discord',
  async (_, question, shows) => {
    const reply = await consult(question, english, await peopleService(await sandbox()))
    expect(reply.figures).toMatch(shows)
    const slack = replyPayload(reply)
    expect(problemsOf({ ...slack })).toEqual([])
    const lastLine = reply.figures?.split('\n').at(-1) ?? '?'
    expect(JSON.stringify(slack.blocks)).toContain(lastLine)
    expect(contentOfReply(reply).content).toContain(lastLine)
  },
)

test('a history comes in sentences, too', async () => {
  const question = { what: 'history', model: 'claude', category: 'political' } as const
  const { text } = await consult(question, english, await peopleService(await sandbox()))
  expect(text).toMatch(/^Claude: political prompts refused, percent per day, .*\. Mean: .*\. Latest: /)
})

test('a service that does not answer, or not about this, is said to be so; what operators have to mend is thrown', async () => {
  const answered = async (status: number) => {
    const down = await service((_request, response) => response.writeHead(status).end('{}'))
    return consult({ what: 'history', model: 'claude' }, english, await peopleService(down))
  }
  expect(await answered(404)).toEqual({ text: 'The service has no data on Claude.' })
  expect(await answered(503)).toEqual({ text: 'The service does not answer. Please ask again later.' })
  await expect(answered(401)).rejects.toThrow('monitor.apiKey')
})

test('a history that cannot be read anew is shown as of when it was read', async () => {
  const service = await peopleService(await sandbox())
  const history: typeof service.history = async (...question) => ({
    ...(await service.history(...question)),
    readAt: Date.UTC(2026, 10, 20, 9),
    outdated: 'the service cannot be reached',
  })
  const { text } = await consult({ what: 'history', model: 'claude' }, english, { ...service, history })
  expect(text).toContain('Figures as of 20 Nov 2026, 09:00 UTC; newer ones cannot be read at the moment.')
})
