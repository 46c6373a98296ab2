import { expect, onTestFinished, test, vi } from 'vitest'
import { openDiscord } from '../../../src/channels/discord/channel.ts'
import { DiscordAccount, DiscordSettings } from '../../../src/channels/discord/config.ts'
import { openSlack } from '../../../src/channels/slack/channel.ts'
import { SlackAccount, SlackSettings } from '../../../src/channels/slack/config.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { finding } from '../../support/fakes/events.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { openDesk } from '../../unit/decide/accept/desk.ts'

async function openPlaces() {
  const slack = await startSlack()
  const discord = await startFakeDiscord()
  const channels = [
    ...(await openSlack(SlackAccount.parse({ token: slack.token, apiUrl: slack.apiUrl, intervalMs: 0 }), [
      SlackSettings.parse({ name: 'slack', type: 'slack', to: '#ai-desk' }),
      SlackSettings.parse({ name: 'slack-hook', type: 'slack', webhookUrl: slack.webhookUrl }),
    ])),
    ...(await openDiscord(DiscordAccount.parse({ token: discord.token, apiUrl: discord.url }), [
      DiscordSettings.parse({ name: 'discord', type: 'discord', to: discord.otherChannelId }),
      DiscordSettings.parse({ name: 'discord-hook', type: 'discord', webhookUrl: discord.webhookUrl }),
    ])),
  ]
  onTestFinished(async () => {
    await Promise.all([...channels.map((channel) => channel.close()), slack.close(), discord.close()])
  })
  return {
    channels,
    /** What the readers of each place see, oldest first. */
    async read() {
      const inSlack = await slack.read('ai-desk')
      return {
        slack: inSlack
          .filter(({ metadata }) => metadata !== undefined)
          .map((row) => JSON.stringify(row.blocks)),
        'slack-hook': inSlack
          .filter(({ metadata }) => metadata === undefined)
          .map((row) => JSON.stringify(row.blocks)),
        discord: discord.posted(discord.otherChannelId).map((row) => JSON.stringify(row)),
        'discord-hook': discord.posted(discord.channelId).map((row) => JSON.stringify(row)),
      }
    },
  }
}

test('a withdrawal edits the first message in Slack and Discord and sends the correction; a webhook of Slack has the correction alone', async () => {
  const places = await openPlaces()
  const desk = await openDesk({ real: places.channels })
  const settled = async (id: string) => {
    await desk.quiet()
    await desk.clock.advance(1_000)
    const outcomes = (await desk.store.find(id))?.outcomes ?? {}
    return Object.values(outcomes).every(({ state }) => state === 'sent')
  }
  await desk.take(finding())
  await vi.waitUntil(() => settled('poll_1'), { timeout: 10_000 })
  await desk.take(finding({ id: 'poll_2', revises: 'poll_1', delta: 0 }))
  await vi.waitUntil(() => settled('poll_2'), { timeout: 10_000 })

  const edited = ['slack', 'discord', 'discord-hook']
  const isEdited = async () => {
    await settled('poll_1')
    const outcomes = (await desk.store.find('poll_1'))?.outcomes ?? {}
    return edited.every((name) => outcomes[name]?.state === 'sent' && outcomes[name].editedAt !== undefined)
  }
  await vi.waitUntil(isEdited, { timeout: 10_000 })
  const note = 'later readings do not show this change.'
  const read = Object.entries(await places.read()).map(([place, [first, second, ...more]]) => ({
    place,
    isEdited: first?.includes(note),
    isCorrected: second?.includes('Bluepencil withdraws an earlier alert'),
    more,
  }))
  expect(read).toEqual(
    ['slack', 'slack-hook', 'discord', 'discord-hook'].map((place) => ({
      place,
      isEdited: edited.includes(place),
      isCorrected: true,
      more: [],
    })),
  )
  await desk.stop()
})
