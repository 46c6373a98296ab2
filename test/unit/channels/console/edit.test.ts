import { expect, test } from 'vitest'
import { openConsole } from '../../../../src/channels/console/channel.ts'
import { ConsoleSettings } from '../../../../src/channels/console/config.ts'
import type { Message } from '../../../../src/message/message.ts'

const message: Message = {
  id: 'evt_1',
  thread: 'claude/political',
  tone: 'neutral',
  kicker: 'Policy change',
  headline: 'Claude refuses more.',
  text: [],
  facts: [],
  links: [],
  caveats: [],
  source: 'evt_1',
  happenedAt: 0,
}

test('a channel that shows Slack or Discord writes an edited message again, marked as edited', async () => {
  const written: string[] = []
  const out = { write: (text: string) => void written.push(text), width: 80, colour: false }
  for (const as of ['slack', 'discord'] as const) {
    const [channel] = openConsole([ConsoleSettings.parse({ name: 'desk', type: 'console', as })], out)
    await channel?.edit?.(message, { text: 'there' }, AbortSignal.abort())
  }
  const edited = (place: string) =>
    new RegExp(`^desk, as it reads in ${place}, edited\\n[^]*Claude refuses more\\.`)
  expect(written).toEqual([expect.stringMatching(edited('Slack')), expect.stringMatching(edited('Discord'))])
})

test.each(['email', 'plain'] as const)('what is shown as %s cannot be changed any more', (as) => {
  const out = { write() {}, width: 80, colour: false }
  const [channel] = openConsole([ConsoleSettings.parse({ name: 'desk', type: 'console', as })], out)
  expect(channel?.edit).toBeUndefined()
})
