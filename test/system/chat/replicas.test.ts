import { expect, onTestFinished, test, vi } from 'vitest'
import { type Clock, systemClock } from '../../../src/platform/clock.ts'
import { people as persons } from '../../support/fakes/slack-people.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { openChatDesk } from './desk.ts'

const server = postgresForTests()

/**
 * The store has half a second to say what is a replay, and two until people are answered that it takes longer. Here it has
 * forty times as long, however busy the database is.
 */
const patientClock: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) =>
    systemClock.sleep([500, 2_000].includes(milliseconds) ? 40 * milliseconds : milliseconds, signal),
}

/** Two applications on one Postgres: `ask` posts to the first or the second what Slack would. */
async function openTwo() {
  const database = await server().create()
  const desk = await openChatDesk({ slack: 'signed', database, environment: { clock: patientClock } })
  let other = await desk.office.start(desk.config)
  onTestFinished(() => other.stop())
  return {
    ...desk,
    async ask(which: 'first' | 'second', request: RequestInit) {
      const { port } = which === 'first' ? desk.app : other
      const answer = await fetch(`http://127.0.0.1:${port}/slack`, request)
      return { status: answer.status, body: await answer.text() }
    },
    async restartSecond() {
      await other.stop()
      other = await desk.office.start(desk.config)
    },
    edited: async (channel: string) => JSON.stringify((await desk.message(channel)).blocks),
  }
}

const patience = { timeout: 20_000, interval: 50 }

test('a click that either replica is sent is one act, and all messages show it', {
  timeout: 60_000,
}, async () => {
  const { people, ask, ...desk } = await openTwo()
  await desk.alert('evt_1')
  const click = people.click(await desk.message('ai-desk'), 'C1', 'Acknowledge')
  const signed = people.signed(click)
  expect(await ask('second', signed)).toEqual({ status: 200, body: '' })
  // The same request is a replay to the other; Slack's second try, signed anew, is done already.
  expect(await ask('first', signed)).toMatchObject({ status: 401 })
  expect(await ask('first', people.signed(click, { at: Date.now() + 1_000 }))).toMatchObject({ status: 200 })
  await vi.waitUntil(
    async () =>
      (await desk.edited('ai-desk')).includes('Acknowledged by ana on ') &&
      (await desk.edited('investigations')).includes('Acknowledged by ana on ') &&
      JSON.stringify(desk.discord.posted(desk.discord.channelId)).includes('Acknowledged by ana on '),
    patience,
  )
  expect(await desk.acts()).toMatchObject([{ does: 'acknowledge', by: { id: persons.ana.id } }])
  expect(desk.slack.requests.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(2)
})

test('who checks an alert, and the story about it, is the same on two replicas and after a restart', {
  timeout: 120_000,
}, async () => {
  const { people, ask, ...desk } = await openTwo()
  await desk.alert('evt_1')
  const say = async (which: 'first' | 'second', written: string) =>
    (await ask(which, people.signed(people.command(written)))).body
  expect(await say('second', 'checking evt_1')).toContain('Noted: you are checking it.')
  const shows = (text: string) =>
    vi.waitUntil(
      async () =>
        (await desk.edited('ai-desk')).includes(text) &&
        (await desk.edited('investigations')).includes(text) &&
        JSON.stringify(desk.discord.posted(desk.discord.channelId)).includes(text),
      patience,
    )
  await shows('ana has been checking this since ')
  await desk.restartSecond()
  expect(await say('first', 'published evt_1 https://news.example/Claude_1?a=b&c')).toContain(
    'Noted as published',
  )
  await shows('Published by ana on ')
  const shown = await desk.message('ai-desk')
  expect(JSON.stringify(shown.blocks)).toContain('"url":"https://news.example/Claude_1?a=b&c"')
  expect(JSON.stringify(shown.blocks)).not.toContain('has been checking')
  expect(await desk.acts()).toMatchObject([{ state: 'published' }, { state: 'checking' }])
  expect(await say('second', 'published evt_1 https://news.example/Claude_1?a=b&c')).toContain(
    'Noted as published',
  )
  await desk.deliver('evt_1', {
    data: { category: 'political', delta: '+2pp', detected_at: new Date().toISOString() },
  })
  await vi.waitUntil(
    async () => JSON.stringify(await desk.slack.read('ai-desk')).includes('This corrects a report'),
    patience,
  )
  const [correction] = (await desk.slack.read('ai-desk')).slice(-1)
  const blocks = JSON.stringify(correction)
  expect(blocks).toMatch(
    /This corrects a report behind the story that ana published on [^"]*: https:..news.example.Claude_1/,
  )
})

test('a silence that one replica was asked for holds what the other accepts', {
  timeout: 60_000,
}, async () => {
  const { people, ask, ...desk } = await openTwo()
  const silence = people.command('silence claude 1h')
  expect((await ask('second', people.signed(silence))).status).toBe(200)
  await vi.waitUntil(async () => {
    const { body } = await ask('first', people.signed(people.command('silences')))
    return body.includes('Claude')
  }, patience)
  await desk.deliver('evt_1')
  expect((await desk.store.find('evt_1'))?.outcomes).toMatchObject({
    desk: { state: 'held', by: expect.stringMatching(/^act_/) },
    discord: { state: 'held', by: expect.stringMatching(/^act_/) },
  })
  expect(await desk.slack.read('ai-desk')).toEqual([])
})
