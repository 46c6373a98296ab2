import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import {
  clickOn,
  commandOf,
  createDiscordKey,
  labelsOf,
  members,
  submissionOf,
} from '../../support/fakes/discord-people.ts'
import { openChatDesk } from './desk.ts'

const minuteMs = 60_000
const Answer = z.looseObject({
  data: z.looseObject({ content: z.string().default('') }).default({ content: '' }),
})

async function openSignedDesk(more: object = {}) {
  const key = createDiscordKey()
  const desk = await openChatDesk({ discordAccount: { publicKey: key.publicKey }, more })
  await desk.alert('evt_1')
  const send = async (request: RequestInit) => {
    const answer = await fetch(`${desk.origin}/discord`, request)
    return { status: answer.status, body: Answer.parse(await answer.json()) }
  }
  return {
    ...desk,
    key,
    send,
    say: (interaction: object) => send(key.signed(interaction)),
    first() {
      const [first] = desk.discord.posted(desk.discord.channelId)
      if (first === undefined) throw new Error('nothing was posted')
      return first
    },
  }
}

test('PING is answered, and /bluepencil is offered with what can be chosen', async () => {
  const { say, discord } = await openSignedDesk()
  expect(await say({ type: 1 })).toMatchObject({ status: 200, body: { type: 1 } })
  await vi.waitFor(() => expect(discord.commands()).toMatchObject([{ name: 'bluepencil' }]))
  expect(JSON.stringify(discord.commands())).toContain('"choices":[{"name":"chatgpt","value":"chatgpt"}')
})

test('a click on Acknowledge is stored, answered to who clicked, and seen in Slack, too', async () => {
  const { say, ...desk } = await openSignedDesk()
  expect(labelsOf(desk.first())).toEqual(['Acknowledge', 'Silence…', 'History', 'Methodology'])
  const { body } = await say(clickOn(desk.first(), 'Acknowledge'))
  expect(body).toMatchObject({
    type: 4,
    data: { flags: 64, content: expect.stringMatching(/^Acknowledged/) },
  })
  const by = { id: members.cem.id, name: 'Cem', via: 'discord' }
  expect(await desk.acts()).toMatchObject([{ does: 'acknowledge', about: 'evt_1', by }])
  await vi.waitFor(async () => {
    expect(JSON.stringify(desk.first())).toContain('Acknowledged by Cem on ')
    expect(JSON.stringify((await desk.message('ai-desk')).blocks)).toContain('Acknowledged by Cem on ')
  })
  expect(labelsOf(desk.first())).toHaveLength(4)
})

test('a silence by the form, and by the command; what is said again is done once', async () => {
  const { say, ...desk } = await openSignedDesk()
  const { body: modal } = await say(clickOn(desk.first(), 'Silence…'))
  expect(modal).toMatchObject({ type: 9, data: { title: 'Silence alerts' } })
  expect(JSON.stringify(modal)).toContain('Claude on political prompts, in all channels')
  const submission = submissionOf(modal.data, '1h', 'A known outage')
  const first = await say(submission)
  expect(first.body.data.content).toContain('Alerts about Claude on political prompts are held until ')
  expect(await desk.send(desk.key.signed(submission, { at: Date.now() + 2_000 }))).toEqual(first)
  expect(await desk.acts()).toMatchObject([{ about: 'evt_1', why: 'A known outage' }])

  const chosen = { duration: '1d', model: 'gemini', why: 'a long one', category: 'safety' }
  const { body } = await say(commandOf('silence', chosen, members.dora))
  expect(body.data.content).toContain('Alerts about Gemini on safety prompts are held until ')
  const { body: listed } = await say(commandOf('silences'))
  expect(listed.data.content).toMatch(/Gemini on safety prompts until .*: dora, a long one/)
})

test('a person without permission gets an answer that says so, and nothing is done', async () => {
  const { say, ...desk } = await openSignedDesk({
    chat: { silence: [members.dora.id], acknowledge: ['U0ANA0001'] },
  })
  for (const interaction of [
    clickOn(desk.first(), 'Acknowledge'),
    clickOn(desk.first(), 'Silence…'),
    commandOf('silence', { model: 'claude', duration: '1h' }),
  ]) {
    const { body } = await say(interaction)
    expect(body).toMatchObject({
      type: 4,
      data: { flags: 64, content: expect.stringContaining('You may not') },
    })
  }
  expect(await desk.acts()).toEqual([])
})

test('what is forged, late, from the future or replayed is refused, and nothing is done', async () => {
  const { key, send, ...desk } = await openSignedDesk()
  const click = clickOn(desk.first(), 'Acknowledge')
  const good = key.signed(click)
  const headers = (more: object) => ({ ...good, headers: { ...good.headers, ...more } })
  const refused = [
    createDiscordKey().signed(click),
    headers({ 'x-signature-ed25519': '' }),
    headers({ 'x-signature-ed25519': 'not hex' }),
    headers({ 'x-signature-timestamp': '1' }),
    { ...good, body: good.body.replace('evt_1', 'evt_2') },
    key.signed(click, { at: Date.now() - 5.1 * minuteMs }),
    key.signed(click, { at: Date.now() + 5.5 * minuteMs }),
  ]
  for (const request of refused) expect(await send(request)).toMatchObject({ status: 401 })
  expect(await desk.acts()).toEqual([])
  expect(await send(good)).toMatchObject({ status: 200 })
  expect(await send(good)).toMatchObject({ status: 401 })
  const signature = `${good.headers['x-signature-ed25519']}0`
  expect(await send(headers({ 'x-signature-ed25519': signature }))).toMatchObject({ status: 401 })
  expect(await desk.acts()).toHaveLength(1)
})

test('what was sent before a restart is a replay after it', async () => {
  const { key, send, ...desk } = await openSignedDesk()
  const status = key.signed(commandOf('status'))
  expect(await send(status)).toMatchObject({ status: 200 })
  await desk.app.stop()
  const next = await desk.office.start(desk.config)
  onTestFinished(() => next.stop())
  expect((await fetch(`http://127.0.0.1:${next.port}/discord`, status)).status).toBe(401)
})

test('what was sent before a restart is a replay after it', async () => {
  const { key, send, ...desk } = await openSignedDesk()
  const silence = key.signed(commandOf('silence', { model: 'claude', duration: '1h' }))
  expect(await send(silence)).toMatchObject({ status: 200 })
  await desk.app.stop()
  const next = await desk.office.start(desk.config)
  onTestFinished(() => next.stop())
  expect((await fetch(`http://127.0.0.1:${next.port}/discord`, silence)).status).toBe(401)
  expect(await desk.acts()).toHaveLength(1)
})

test('a store that is slow: Discord is answered in time, and the rest replaces the answer', async () => {
  const { say, discord, ...desk } = await openSignedDesk()
  const stored = Promise.withResolvers<void>()
  desk.before.accept = () => stored.promise
  const click = clickOn(desk.first(), 'Acknowledge')
  discord.interactions.set(click.token, undefined)
  const { body } = await say(click)
  expect(body.data.content).toBe('This takes longer; the answer follows.')
  stored.resolve()
  await vi.waitFor(() =>
    expect(discord.interactions.get(click.token)).toMatchObject({
      content: expect.stringMatching(/^Acknowledged/),
    }),
  )
})
