import { afterEach, expect, test } from 'vitest'
import { configOf } from '../../support/app.ts'
import { type FakeSlack, startSlack } from '../../support/fakes/slack-proxy.ts'
import { openOffice } from '../../support/office.ts'

const minute = 60_000

const forged = {
  method: 'POST',
  url: '/webhook',
  headers: { 'x-service-signature': 'sha256=00' },
  body: '{}',
}

let slack: FakeSlack
afterEach(() => slack?.close())

/** The operators' only channel is in Slack; readers have two others. */
async function openDesk() {
  slack = await startSlack()
  const office = openOffice()
  const config = configOf(
    [
      { name: 'desk', type: 'console' },
      { name: 'night', type: 'console' },
    ],
    {
      operators: ['ops'],
      slack: { token: slack.token, apiUrl: slack.apiUrl, intervalMs: 0 },
      channels: [
        { name: 'ops', type: 'slack', to: '#ai-desk', minDelta: 100 },
        { name: 'desk', type: 'console', minDelta: 100 },
        { name: 'night', type: 'console', models: ['gemini'] },
      ],
    },
  )
  const titles = (channel: string) => office.shown(channel).map((text) => text.split('\n')[2] ?? '')
  return {
    ...office,
    config,
    titles,
    /** Slack refuses the operators' channel until it is mended. */
    refuse() {
      for (let tries = 0; tries < 2_000; tries += 1) {
        slack.fail('chat.postMessage', { answer: 'error', code: 'is_archived' })
      }
    },
    inSlack: async () => (await slack.read('ai-desk')).map(({ text }) => String(text)),
  }
}

test('where the only operators’ channel refuses, the others are alerted, and to its end', async () => {
  const desk = await openDesk()
  desk.refuse()
  const app = await desk.start(desk.config)
  app.reloadFailed(new Error('line 3: no such key'))
  await desk.passUntil(() => desk.titles('desk').length === 1 && desk.titles('night').length === 1)
  expect(desk.titles('desk')).toEqual(['Slack channel “ops” rejects our messages'])
  expect(desk.shown('night')[0]).toContain(
    'could not reach its operators, so you get this notice. Please let them know.',
  )
  expect(desk.shown('night')[0]?.replace(/\s+/g, ' ')).toContain(
    'Other problems at that time: The changed configuration cannot be used; the previous one stays in use.',
  )

  app.reloadFailed(new Error('line 4: no such key'))
  await desk.clock.advance(minute)
  slack.mend()
  await desk.passUntil(() => desk.titles('desk').length === 2 && desk.titles('night').length === 2)
  expect(desk.titles('desk')).toEqual([
    'Slack channel “ops” rejects our messages',
    'ops: messages are getting through again',
  ])
  expect(desk.titles('night')).toEqual(desk.titles('desk'))
  // What was pending on the operators' own channel goes out there.
  await desk.passUntil(async () => (await desk.inSlack()).length === 3)

  // All is well, and readers get no more of it.
  await app.reload(desk.config)
  await desk.passUntil(async () => (await desk.inSlack()).length === 4)
  expect(desk.titles('desk')).toHaveLength(2)
  await app.stop()
})

test('another process at the same store sends what it finds wrong to the others too', async () => {
  const desk = await openDesk()
  desk.refuse()
  const [app, other] = [await desk.start(desk.config), await desk.start(desk.config)]
  app.reloadFailed(new Error('line 3: no such key'))
  await desk.passUntil(() => desk.titles('desk').length === 1)
  for (let times = 0; times < 3; times += 1) await desk.http.ask(other.port, forged)
  await desk.passUntil(() => desk.titles('desk').length === 2)
  expect(desk.titles('desk')).toEqual([
    'Slack channel “ops” rejects our messages',
    'Incoming webhooks have no valid signature',
  ])
  await desk.passing(Promise.all([app.stop(), other.stop()]))
})

test('what goes wrong meanwhile is sent to the others too, over a restart', async () => {
  const desk = await openDesk()
  desk.refuse()
  const first = await desk.start(desk.config)
  first.reloadFailed(new Error('line 3: no such key'))
  await desk.passUntil(() => desk.titles('desk').length === 1)
  await desk.passing(first.stop())
  const app = await desk.start(desk.config)
  const forged = {
    method: 'POST',
    url: '/webhook',
    headers: { 'x-service-signature': 'sha256=00' },
    body: '{}',
  }
  for (let times = 0; times < 3; times += 1) await desk.http.ask(app.port, forged)
  await desk.passUntil(() => desk.titles('desk').includes('Incoming webhooks have no valid signature'))
  expect(
    desk.titles('desk').filter((title) => title === 'Slack channel “ops” rejects our messages'),
  ).toHaveLength(1)
  await desk.deliver(app.port, 'evt_1')
  await desk.passUntil(() => desk.titles('desk').includes('Incoming webhooks have a valid signature again'))
  expect(await desk.inSlack()).toEqual([])
  await desk.passing(app.stop())
})
