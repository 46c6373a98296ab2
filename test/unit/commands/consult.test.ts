import { expect, test } from 'vitest'
import { contentOfReply } from '../../../src/channels/discord/reply.ts'
import { replyPayload } from '../../../src/channels/slack/reply.ts'
import { consultFor } from '../../../src/commands/consult.ts'
import type { Question } from '../../../src/converse/commands.ts'
import { problemsOf } from '../../support/fakes/slack-limits.ts'
import { researcher, sandbox, service } from './monitor/asked.ts'

const questions: [string, Question, RegExp][] = [
  [
    'a history',
    { what: 'history', model: 'claude', category: 'political', period: '90d' },
    /Claude: political refusal rate, 90d, \d+ readings/,
  ],
  [
    'a comparison',
    { what: 'compare', models: ['claude', 'gemini'] },
    /Highest less lowest: \d+\.\d percentage points/,
  ],
]

test.each(questions)(
  '%s from the service is shown whole in Slack and in Discord',
  async (_, question, shows) => {
    const reply = await consultFor({ config: researcher(await sandbox()) })(question)
    expect(reply.figures).toMatch(shows)
    const slack = replyPayload(reply)
    expect(problemsOf({ ...slack })).toEqual([])
    const lastLine = reply.figures?.split('\n').at(-1) ?? '?'
    expect(JSON.stringify(slack.blocks)).toContain(lastLine)
    expect(contentOfReply(reply).content).toContain(lastLine)
  },
)

test('what could not be found out is said, with what to do', async () => {
  const down = await service((_request, response) => response.writeHead(401).end('{}'))
  const reply = await consultFor({ config: researcher(down) })({ what: 'history', model: 'claude' })
  expect(reply.text).toMatch(/^It could not be found out: .*monitor\.apiKey/)
  expect(reply.figures).toBeUndefined()
})
