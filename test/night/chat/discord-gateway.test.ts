import { expect, onTestFinished, test, vi } from 'vitest'
import { startDiscordGateway } from '../../support/fakes/discord-gateway.ts'
import { clickOn, commandOf, labelsOf, members, submissionOf } from '../../support/fakes/discord-people.ts'
import { openChatDesk } from '../../system/chat/desk.ts'

async function openGatewayDesk(more: object = {}, { heartbeatMs = 200 } = {}) {
  const gateway = await startDiscordGateway({ heartbeatMs })
  onTestFinished(() => gateway.close())
  const desk = await openChatDesk({
    slack: 'not',
    discordAccount: { gateway: true },
    gatewayUrl: gateway.url,
    more,
  })
  await vi.waitUntil(() => gateway.seen.identified === 1)
  const { discord } = desk
  return {
    ...desk,
    gateway,
    first() {
      const [first] = discord.posted(discord.channelId)
      if (first === undefined) throw new Error('nothing was posted')
      return first
    },
    /** Somebody does it; resolves with what they are answered. */
    async say(interaction: { token: string }): Promise<Record<string, unknown>> {
      discord.interactions.set(interaction.token, undefined)
      gateway.interaction(interaction)
      await vi.waitUntil(() => discord.interactions.get(interaction.token) !== undefined)
      return { ...(discord.interactions.get(interaction.token) as object) }
    },
  }
}

test('through the gateway: a click, a form and a command, without an intent and with heartbeats', async () => {
  const { gateway, say, ...desk } = await openGatewayDesk()
  await desk.alert('evt_1')
  expect(labelsOf(desk.first())).toEqual(['Acknowledge', 'Silence…', 'History', 'Methodology'])
  expect(await say(clickOn(desk.first(), 'Acknowledge'))).toMatchObject({
    flags: 64,
    content: expect.stringMatching(/^Acknowledged/),
  })
  const modal = await say(clickOn(desk.first(), 'Silence…'))
  const answer = await say(submissionOf(modal, 'tomorrow', 'A known outage'))
  expect(answer.content).toContain('Alerts about Claude on political prompts are held until ')
  expect((await say(commandOf('silences'))).content).toContain('Cem, A known outage')
  const by = { id: members.cem.id, via: 'discord' }
  expect(await desk.acts()).toMatchObject([
    { does: 'silence', by },
    { does: 'acknowledge', by },
  ])
  expect(desk.discord.commands()).toMatchObject([{ name: 'bluepencil' }])
  await vi.waitUntil(() => gateway.seen.heartbeats > 2)
  expect(gateway.faults).toEqual([])
})

test('clicks are not lost when the connection breaks, must reconnect, or loses its session', async () => {
  const { gateway, say, ...desk } = await openGatewayDesk({}, { heartbeatMs: 5_000 })
  gateway.cut()
  const { content } = await say(commandOf('help'))
  expect(content).toContain('bluepencil')
  expect(gateway.seen).toMatchObject({ identified: 1, resumed: 1 })

  gateway.reconnect()
  await vi.waitUntil(() => gateway.seen.resumed === 2)
  expect((await say(commandOf('channels'))).content).toContain('desk')

  gateway.forget()
  gateway.cut()
  await vi.waitUntil(() => gateway.seen.identified === 2)
  expect((await say(commandOf('silence', { model: 'claude', duration: '1h' }))).content).toContain('are held')
  expect(await desk.acts()).toHaveLength(1)
  expect(gateway.faults).toEqual([])
})

test('what comes twice through the gateway is done and answered once', async () => {
  const { gateway, say, ...desk } = await openGatewayDesk()
  const silence = commandOf('silence', { model: 'claude', duration: '1h' })
  await say(silence)
  gateway.interaction(silence)
  await say(commandOf('help'))
  expect(await desk.acts()).toHaveLength(1)
  expect(desk.discord.requests.filter(({ path }) => path.includes(silence.token))).toHaveLength(1)
})

test('a person without permission gets an answer that says so, and nothing is done', async () => {
  const { say, ...desk } = await openGatewayDesk({
    chat: { acknowledge: [members.dora.id], silence: [members.dora.id] },
  })
  await desk.alert('evt_1')
  for (const interaction of [
    clickOn(desk.first(), 'Acknowledge'),
    clickOn(desk.first(), 'Silence…'),
    commandOf('silence', { model: 'claude', duration: '1h' }),
  ]) {
    expect(await say(interaction)).toMatchObject({
      flags: 64,
      content: expect.stringContaining('You may not'),
    })
  }
  expect(await desk.acts()).toEqual([])
})

test('a gateway that says nothing does not hold up the end', async () => {
  const mute = await startDiscordGateway({ isMute: true })
  onTestFinished(() => mute.close())
  const { app } = await openChatDesk({
    slack: 'not',
    discordAccount: { gateway: true },
    gatewayUrl: mute.url,
  })
  await vi.waitUntil(() => mute.connections() === 1)
  const began = Date.now()
  await app.stop()
  expect(Date.now() - began).toBeLessThan(4_000)
})

test('a token that Discord does not accept is reported to the operators', async () => {
  const { office } = await openChatDesk({
    slack: 'not',
    discordAccount: { gateway: true, token: 'of.another.bot' },
  })
  await vi.waitFor(() => expect(office.alerts()).toContain('Buttons and commands in Discord do not work'))
})
