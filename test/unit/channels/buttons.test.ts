import { expect, test } from 'vitest'
import { formatDiscord, readCustomId } from '../../../src/channels/discord/format.ts'
import { formatSlack } from '../../../src/channels/slack/format.ts'
import { shownHash } from '../../../src/deliver/sent-message.ts'
import type { Message } from '../../../src/message/message.ts'
import { loadWords } from '../../../src/message/words/words.ts'
import { refuseBody } from '../../support/fakes/discord-body.ts'
import { problemsOf } from '../../support/fakes/slack-limits.ts'
import { alert } from './slack/messages.ts'

const heard = (about: string, more: Partial<Message> = {}) => alert({ ...more, actions: { about } })
const long = `https://monitor.example/${'a'.repeat(4_000)}`

test('a message is never edited for its buttons alone', () => {
  expect(shownHash(heard('evt_1'))).toBe(shownHash(alert()))
})

test('nor for the page that it leads to: another console.publicUrl edits nothing', () => {
  const { links } = alert()
  const page = 'https://desk.example/console/alerts/evt_1'
  const withPage = alert({ page, links: [{ label: 'Open alert', url: page }, ...links] })
  expect(shownHash(withPage)).toBe(shownHash(alert()))
})

test.each(['evt_1', `evt_${'x'.repeat(150)}`, `evt_${'<&>'.repeat(900)}`, ' evt 1 ', '"}]'])(
  'an alert with the id %j has buttons that each provider accepts, and that come back with it',
  (about) => {
    const slack = formatSlack(heard(about))
    expect(problemsOf({ ...slack })).toEqual([])
    const discord = formatDiscord(heard(about))
    expect(refuseBody(discord, 'bot')).toBeUndefined()
    const [row] = discord.components ?? []
    const ids = row?.components.flatMap((button) => ('custom_id' in button ? [button.custom_id] : [])) ?? []
    expect(ids.map(readCustomId)).toEqual(
      about.length > 88 ? [] : ['acknowledge', 'silence', 'history'].map((verb) => ({ verb, about })),
    )
  },
)

test('an address that is too long for a button stands among the links, or is said to be too long', () => {
  const links = [{ label: 'Methodology', url: long }]
  const slack = formatSlack(heard('evt_1', { links }))
  expect(problemsOf({ ...slack })).toEqual([])
  expect(JSON.stringify(slack.blocks)).toContain('the address is too long for Slack')
  const discord = formatDiscord(heard('evt_1', { links }))
  expect(refuseBody(discord, 'bot')).toBeUndefined()
  expect(JSON.stringify(discord.embeds)).toContain('the address is too long for Discord')
})

test.each(['http://desk:8081/alerts/evt_1', 'http://127.0.0.1:8081/alerts/evt_1'])(
  '%s, which providers accept on no button, stands among the links',
  (url) => {
    const links = [{ label: 'Open alert', url }]
    const slack = formatSlack(heard('evt_1', { links }))
    const { embeds, components } = formatDiscord(heard('evt_1', { links }))
    const isButton = ({ type }: { type: string }) => type === 'actions'
    for (const buttons of [slack.blocks.filter(isButton), components])
      expect(JSON.stringify(buttons)).not.toContain(url)
    for (const text of [slack.blocks, embeds]) expect(JSON.stringify(text)).toContain(url)
  },
)

test('buttons are in the language of their message', async () => {
  await loadWords(['de'])
  const message = heard('evt_1', { language: 'de' })
  for (const drawn of [formatSlack(message).blocks, formatDiscord(message).components]) {
    const text = JSON.stringify(drawn)
    for (const label of ['Zur Kenntnis nehmen', 'Stummschalten…', 'Verlauf']) expect(text).toContain(label)
    for (const label of ['Acknowledge"', 'Silence', 'History']) expect(text).not.toContain(label)
  }
})
