import { expect, test } from 'vitest'
import { alert, finding } from '../../../support/fakes/events.ts'
import { openDesk } from './desk.ts'

const version = finding({
  id: 'poll_version',
  type: 'version_change',
  category: null,
  delta: null,
  figures: null,
  version: { from: '3.3', to: '3.4' },
  model: 'chatgpt',
})
const report = alert({ model: 'chatgpt', delta: 3 })

test.each([
  ['first the version', [version, report]],
  ['first the report', [report, version]],
] as const)(
  'a new version and a report about the same model are two messages: %s',
  async (_, [first, second]) => {
    const desk = await openDesk({})
    expect(await desk.take(first, second)).toEqual(['new', 'new'])
    expect(desk.sent.map(({ headline }) => headline).toSorted()).toEqual([
      'ChatGPT’s refusal rate on political prompts rose 3 points.',
      'ChatGPT’s version changed: 3.3 → 3.4.',
    ])
    expect(desk.edited).toEqual([])
    expect(desk.sent.map(({ alsoTells }) => alsoTells)).toEqual([undefined, undefined])
  },
)
