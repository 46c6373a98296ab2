import { expect, test } from 'vitest'
import type { Digest } from '../../../../src/event/event.ts'
import { render } from '../../../../src/message/render/render.ts'
import { alert, finding } from '../../../support/fakes/events.ts'

const context = { service: 'the Service', timeZone: 'UTC' }
const times = { from: '2026-11-21T13:05:02.000Z', until: '2026-11-21T14:00:00.000Z' }

function digestOf(items: Digest['items']): Digest {
  const of = items.map(({ id }) => id)
  const about = { kind: 'digest', id: 'dgs_1', channel: 'desk', by: 'digest' } as const
  return { ...about, ...times, count: items.length, of, items, receivedAt: times.until }
}

test('an alert of a digest says if it is not as documented, and if Bluepencil found it', () => {
  const unread = [{ field: 'detected_at', problem: 'no date' }] as const
  const { text } = render(
    digestOf([
      alert({ detectedAt: null, unrecognised: [...unread] }),
      finding({ model: 'gemini' }),
      alert({ id: 'evt_2', model: 'qwen' }),
    ]),
    context,
  )
  const at = '21 Nov 2026, 13:05 UTC'
  expect(text).toEqual([
    `• Claude’s refusal rate on political prompts rose 12 points. (${at}) Not as documented: check it before you publish.`,
    `• Gemini’s refusal rate on political prompts rose 12 points. (${at}, found in the published figures)`,
    `• Qwen’s refusal rate on political prompts rose 12 points. (${at})`,
  ])
})

test('a digest of long lines says how many more there are, within what Slack accepts', () => {
  const long = (index: number) =>
    alert({
      id: `evt_${index}`,
      model: `a model with a name of its own ${index}`,
      unrecognised: [{ field: 'id', problem: 'missing' }],
    })
  const { text } = render(digestOf(Array.from({ length: 20 }, (_, index) => long(index))), context)
  expect(text.length).toBeLessThan(20)
  expect(text.at(-1)).toContain(`${20 - (text.length - 1)} more`)
  expect(text.join('\n\n').length).toBeLessThan(2_900)
})
