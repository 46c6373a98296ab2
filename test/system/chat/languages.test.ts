import { expect, test, vi } from 'vitest'
import { clickOn, commandOf, createDiscordKey, submissionOf } from '../../support/fakes/discord-people.ts'
import { ids } from '../../support/fakes/discord-world.ts'
import { people as persons } from '../../support/fakes/slack-people.ts'
import { openChatDesk } from './desk.ts'

test('in Slack people are answered in the language of the channel, from the form to the list', async () => {
  const { people, slack, ...desk } = await openChatDesk({
    channels: [{ name: 'politik', type: 'slack', to: '#ai-desk', language: 'de', timeZone: 'Europe/Berlin' }],
  })
  await desk.connected()
  await desk.alert('evt_1')
  const place = { id: await slack.idOf('ai-desk'), name: 'ai-desk' }
  const message = await desk.message('ai-desk')

  await people.send(people.click(message, place.id, 'Zur Kenntnis nehmen'))
  await vi.waitFor(() => expect(people.texts()).toEqual([expect.stringMatching(/^Zur Kenntnis genommen\. /)]))

  const click = people.click(message, place.id, 'Stummschalten…')
  await people.send(click)
  await vi.waitUntil(() => people.form(click) !== undefined)
  const form = people.form(click) ?? {}
  expect(form).toMatchObject({
    title: { text: 'Meldungen stummschalten' },
    submit: { text: 'Stummschalten' },
    close: { text: 'Abbrechen' },
  })
  expect(JSON.stringify(form)).toContain('Claude, Anfragen zu politischen Themen')
  // The form has nothing but what Slack kept for it.
  const { payload } = await people.send(people.submit(form, 'tomorrow', ''))
  expect(JSON.stringify(payload)).toMatch(/Bis \d+\. .* werden Meldungen hierzu zurückgehalten: Claude, /)
  await vi.waitFor(async () =>
    expect(JSON.stringify(await desk.message('ai-desk'))).toContain('Grund: nicht genannt'),
  )

  const list = await people.send(people.command('silences', persons.ana, place))
  expect(list.payload?.text).toMatch(/^Zurzeit stummgeschaltet:.*Grund: nicht genannt$/s)
  const elsewhere = await people.send(people.command('silences', persons.ana, { id: 'C0ELSE', name: 'else' }))
  expect(elsewhere.payload?.text).toMatch(/^Active silences:.*no reason given$/s)
  expect(people.faults).toEqual([])
})

test('in Discord by the channel, also in a thread of it; elsewhere by what somebody has set', async () => {
  const key = createDiscordKey()
  const account = { publicKey: key.publicKey }
  const channels = [{ name: 'discord', type: 'discord', to: ids.channel, language: 'pt' }]
  const { discord, ...desk } = await openChatDesk({ slack: 'not', discordAccount: account, channels })
  await desk.alert('evt_1')
  const [message] = discord.posted(discord.channelId)
  if (message === undefined) throw new Error('nothing was posted')
  const say = async (interaction: object) => {
    const answer = await fetch(`${desk.origin}/discord`, key.signed(interaction))
    return JSON.stringify(await answer.json())
  }

  expect(await say(clickOn(message, 'Marcar como visto'))).toContain('Marcado como visto. ')
  const modal = JSON.parse(await say(clickOn(message, 'Silenciar…')))
  expect(modal.data).toMatchObject({ title: 'Silenciar alertas' })
  expect(await say(submissionOf(modal.data, '1h', 'x'))).toContain('Os alertas a seguir ficam retidos até ')

  const help = commandOf('help')
  const thread = { channel_id: '1190000000000000009', channel: { parent_id: discord.channelId } }
  expect(await say({ ...help, ...thread })).toContain('Você pode escrever:')
  const elsewhere = { ...commandOf('help'), channel_id: '1190000000000000009', channel: {} }
  expect(await say({ ...elsewhere, locale: 'fr' })).toContain('Ce que vous pouvez écrire')
  expect(await say({ ...elsewhere, id: '1', locale: 'pl' })).toContain('What you can write:')

  await vi.waitUntil(() => discord.commands().length > 0)
  const [commands] = discord.commands() as { description_localizations: object }[]
  expect(commands?.description_localizations).toEqual({
    de: 'Meldungen, Zahlen und Stummschaltungen',
    fr: 'Alertes, chiffres et mises en sourdine',
    'es-ES': 'Alertas, cifras y silencios',
    'es-419': 'Alertas, cifras y silencios',
    'pt-BR': 'Alertas, números e silêncios',
  })
})
