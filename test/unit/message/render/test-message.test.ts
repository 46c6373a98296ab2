import { expect, test } from 'vitest'
import { previewOf } from '../../../../src/channels/console/channel.ts'
import { ConsoleSettings } from '../../../../src/channels/console/config.ts'
import { formatDiscord } from '../../../../src/channels/discord/format.ts'
import { formatEmail } from '../../../../src/channels/email/format.ts'
import { formatSlack } from '../../../../src/channels/slack/format.ts'
import { renderTest } from '../../../../src/message/render/test-message.ts'

const message = renderTest(
  { id: 'test_1', by: 'ada', at: '2026-11-21T13:05:00.000Z' },
  { timeZone: 'Europe/Berlin' },
)
const envelope = {
  from: { name: '', address: 'a@b.example' },
  to: 'c@d.example',
  channel: 'desk',
  domain: 'b.example',
}
const email = formatEmail(message, envelope)
const settings = ConsoleSettings.parse({ name: 'desk', type: 'console' })

test.each([
  ['Slack', JSON.stringify(formatSlack(message))],
  ['Slack, if no blocks are shown', formatSlack(message).text],
  ['Discord', JSON.stringify(formatDiscord(message))],
  ['Discord, in a push notification', formatDiscord(message).content],
  ['a mail', email.text],
  ['a mail with pictures', email.html],
  ['the subject of a mail', email.subject],
  ['the terminal', await previewOf(message, settings, { width: 80, colour: false })],
])('%s says that it is a test, and never that the service reported it', (_, text) => {
  expect(text).toContain('TEST, not a real alert: ')
  expect(text).not.toMatch(
    /reported by|reports? a|the service|Monitoring Service|seen by bluepencil|received/i,
  )
})

test('its source is who sent it and when', () => {
  expect(message).toMatchObject({
    kicker: 'Test',
    tone: 'neutral',
    thread: 'operators/test',
    source: 'Sent by ada with “bluepencil test-alert” on 21 Nov 2026, 14:05 CET · test_1',
  })
  expect(email.text).toContain('Sent by ada')
  expect(formatDiscord(message).embeds[0].footer.text).toContain('Sent by ada')
})
