import { expect, onTestFinished, test, vi } from 'vitest'
import { labels, people as persons } from '../../support/fakes/slack-people.ts'
import { openChatDesk } from './desk.ts'

const { ana, ben } = persons
const buttons = ['Acknowledge', 'Silence…', 'History', 'Methodology']

test('a click on Acknowledge is stored, answered, and seen on the messages of three places', async () => {
  const { people, slack, discord, ...desk } = await openChatDesk()
  await desk.connected()
  await desk.alert('evt_1')
  const message = await desk.message('ai-desk')
  expect(labels(message)).toEqual(buttons)

  await people.send(people.click(message, 'C1', 'Acknowledge'))
  const by = { id: ana.id, name: 'ana', via: 'slack' }
  expect(await desk.acts()).toMatchObject([{ does: 'acknowledge', about: 'evt_1', by }])
  await vi.waitFor(() => expect(people.texts()).toEqual([expect.stringMatching(/^Acknowledged\. /)]))
  await vi.waitFor(async () => {
    for (const channel of ['ai-desk', 'investigations']) {
      const edited = await desk.message(channel)
      expect(JSON.stringify(edited.blocks)).toContain('Acknowledged by ana on ')
      expect(labels(edited)).toEqual(buttons)
    }
    expect(JSON.stringify(discord.posted(discord.channelId))).toContain('Acknowledged by ana on ')
  })
  expect(slack.requests.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(2)
  expect(people.faults).toEqual([])
})

test('what Slack repeats is done once, also after the connection broke before it was acknowledged', async () => {
  const { people, ...desk } = await openChatDesk()
  await desk.connected()
  await desk.alert('evt_1')
  const stored = Promise.withResolvers<void>()
  desk.before.accept = () => stored.promise
  const envelope = people.command('silence claude political 1h a test of the index')
  const lost = people.send(envelope)
  people.disconnect()
  await vi.waitUntil(() => people.linked() === 2)
  const again = people.send(envelope)
  stored.resolve()
  expect(await again).toMatchObject({ payload: { text: expect.stringContaining('are held until') } })
  expect((await people.send(envelope)).payload).toEqual((await again).payload)

  const anew = { ...envelope, envelope_id: 'another-one' }
  expect((await people.send(anew)).payload).toEqual((await again).payload)
  expect(await desk.acts()).toMatchObject([{ does: 'silence', why: 'a test of the index' }])
  void lost
  expect(people.faults).toEqual([])
})

test('Slack ends the connection, with or without a warning: the next one is open and gets the clicks', async () => {
  const { people, ...desk } = await openChatDesk()
  await desk.connected()
  for (const [index, reason] of (['refresh_requested', 'warning', undefined] as const).entries()) {
    people.disconnect(reason)
    await vi.waitUntil(() => people.linked() === index + 2)
    const { payload } = await people.send(people.command('help'))
    expect(payload?.text).toContain('/bluepencil silence MODEL [CATEGORY] DURATION')
  }
  expect(desk.office.alerts()).toEqual([])
})

test('the process ends before Slack got its answer: the next one gets the click again, and it is done once', async () => {
  const { people, app, ...desk } = await openChatDesk()
  await desk.connected()
  await desk.alert('evt_1')
  const silence = people.command('silence claude political 1h a test of the index')
  const click = people.click(await desk.message('ai-desk'), 'C1', 'Acknowledge')
  await people.send(silence)
  await people.send(click)
  await app.stop()
  await vi.waitUntil(() => people.connections() === 0)
  const next = await desk.office.start(desk.config)
  onTestFinished(() => next.stop())
  await desk.connected()

  const { payload } = await people.send({ ...silence, envelope_id: 'again-1' })
  expect(payload?.text).toContain('are held until ')
  await people.send({ ...click, envelope_id: 'again-2' })
  await vi.waitFor(() => expect(people.texts()).toContain('You have already acknowledged it.'))
  expect(await desk.acts()).toHaveLength(2)
  const { payload: inForce } = await people.send(people.command('silences'))
  expect(inForce?.text).toContain('ana, a test of the index')
})

test('a silence by the form: of what, how long and why; then alerts are held', async () => {
  const { people, ...desk } = await openChatDesk()
  await desk.connected()
  await desk.alert('evt_1')
  const click = people.click(await desk.message('ai-desk'), 'C1', 'Silence…', ben)
  await people.send(click)
  await vi.waitUntil(() => people.form(click) !== undefined)
  await people.send({ ...click, envelope_id: 'told-again' })
  const form = people.form(click) ?? {}
  expect(JSON.stringify(form)).toContain('Alerts about Claude on political prompts, in all channels.')

  const submission = people.submit(form, '1w', 'Election night', ben)
  const { payload } = await people.send(submission)
  expect(payload).toMatchObject({ response_action: 'update' })
  expect(JSON.stringify(payload)).toContain('Alerts about Claude on political prompts are held until ')
  await people.send({ ...submission, envelope_id: 'a-repeat' })
  expect(await desk.acts()).toMatchObject([
    { does: 'silence', about: 'evt_1', why: 'Election night', by: { name: 'ben' } },
  ])
  const { payload: list } = await people.send(people.command('silences'))
  expect(list?.text).toMatch(/Claude on political prompts until .*: ben, Election night/)

  await desk.deliver('evt_2')
  expect((await desk.store.find('evt_2'))?.outcomes).toMatchObject({ desk: { state: 'held' } })
  expect(people.told).toEqual([])
  expect(people.faults).toEqual([])
})

test('a person without permission gets an answer that says so, and nothing is done', async () => {
  const chat = { acknowledge: [ben.id], silence: [ben.id] }
  const { people, ...desk } = await openChatDesk({ more: { chat } })
  await desk.connected()
  await desk.alert('evt_1')
  const message = await desk.message('ai-desk')
  await people.send(people.click(message, 'C1', 'Acknowledge', ana))
  const asksForForm = people.click(message, 'C1', 'Silence…', ana)
  await people.send(asksForForm)
  const { payload } = await people.send(people.command('silence claude 1h', ana))
  await vi.waitFor(() => expect(people.told).toHaveLength(2))
  const refusals = [...people.texts(), payload?.text]
  expect(refusals).toEqual([
    'You may not acknowledge alerts here; nothing was done. Your Bluepencil administrator can add your id under chat.acknowledge.',
    ...Array(2).fill(expect.stringContaining('You may not silence alerts here; nothing was done.')),
  ])
  expect(people.form(asksForForm)).toBeUndefined()
  expect(await desk.acts()).toEqual([])

  await people.send(people.click(message, 'C1', 'Acknowledge', ben))
  expect(await desk.acts()).toMatchObject([{ by: { id: ben.id } }])
})

test('a store that is slow: Slack is answered in time, and the person when it is stored', async () => {
  const { people, ...desk } = await openChatDesk()
  await desk.connected()
  await desk.alert('evt_1')
  const stored = Promise.withResolvers<void>()
  desk.before.accept = () => stored.promise
  const { afterMs } = await people.send(people.click(await desk.message('ai-desk'), 'C1', 'Acknowledge'))
  expect(afterMs).toBeLessThan(3_000)
  await vi.waitFor(() => expect(people.texts()).toEqual(['This takes longer; the answer follows.']))
  expect(await desk.acts()).toEqual([])
  stored.resolve()
  await vi.waitFor(() => expect(people.texts()[1]).toMatch(/^Acknowledged\. /))
  expect(await desk.acts()).toHaveLength(1)
  expect(people.faults).toEqual([])
})

test('a store that fails: nothing was done, which is said, and the next click does it', async () => {
  const { people, ...desk } = await openChatDesk()
  await desk.connected()
  await desk.alert('evt_1')
  desk.failAccept()
  const click = people.click(await desk.message('ai-desk'), 'C1', 'Acknowledge')
  await people.send(click)
  await vi.waitFor(() => expect(people.texts()[0]).toMatch(/^It could not be stored, so nothing was done/))
  expect(await desk.acts()).toEqual([])
  await people.send({ ...click, envelope_id: 'again' })
  expect(await desk.acts()).toHaveLength(1)
})

test('a token that Slack does not accept is reported to the operators, and the end of it, too', async () => {
  const { people, office } = await openChatDesk({
    refusal: { ok: false, error: 'missing_scope', needed: 'connections:write' },
  })
  await vi.waitFor(() => expect(office.alerts()).toEqual(['Buttons and commands in Slack do not work']))
  expect(office.shown('ops')[0]).toContain('lacks the scope connections:write')
  people.refuse(undefined)
  await vi.waitFor(() =>
    expect(office.shown('ops').at(-1)).toContain('Buttons and commands in Slack work again'),
  )
})

test('commands about alerts, channels and what works, and what cannot be read', async () => {
  const consulted: unknown[] = []
  const { people, ...desk } = await openChatDesk({
    more: { monitor: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key' }, polling: { mode: 'off' } },
    environment: {
      async consult(question) {
        consulted.push(question)
        return { text: 'What the service publishes:', figures: 'a chart' }
      },
    },
  })
  await desk.connected()
  await desk.alert('evt_1')
  const say = async (words: string) => (await people.send(people.command(words))).payload
  expect((await say('latest'))?.text).toMatch(
    /Claude’s refusal rate on political prompts rose 12 points.*\(evt_1\)/,
  )
  expect((await say('status'))?.text).toContain('Status: ready')
  expect((await say('channels'))?.text).toContain('• desk (slack)')
  expect(JSON.stringify(await say('history claude political 90d'))).toContain('a chart')
  await say('compare claude gemini')
  expect((await say('history grok'))?.text).toMatch(
    /^Write \/bluepencil history MODEL \[CATEGORY\] \[PERIOD\]/,
  )
  expect((await say('silence claude for ever'))?.text).toMatch(/^Write \/bluepencil silence MODEL/)
  expect((await say('silence claude 90d'))?.text).toContain('within 30 days; nothing was done')
  expect((await say('constructor'))?.text).toMatch(/^There is no such command/)
  await people.send(people.click(await desk.message('ai-desk'), 'C1', 'History'))
  await vi.waitUntil(() => consulted.length === 3)
  expect(consulted).toEqual([
    { what: 'history', model: 'claude', category: 'political', period: '90d' },
    { what: 'compare', models: ['claude', 'gemini'] },
    { what: 'history', model: 'claude', category: 'political', period: '90d' },
  ])
  expect(await desk.acts()).toEqual([])
})

test('/bluepencil why answers as explain does, in five lines: first what was not sent', async () => {
  const { people, store, ...desk } = await openChatDesk({
    channels: ['a', 'b', 'c', 'd', 'e'].map((name) => ({
      name,
      type: 'slack',
      to: '#ai-desk',
      ...(name === 'd' && { models: ['qwen'] }),
    })),
  })
  await desk.connected()
  await desk.deliver('Evt_1')
  await vi.waitUntil(async () => (await store.find('Evt_1'))?.outcomes.e?.state === 'sent')
  const say = async (words: string) => String((await people.send(people.command(words))).payload?.text)
  const lines = (await say('why Evt_1')).split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toContain('Claude')
  expect(lines[1]).toMatch(/^• Evt_1: reported by webhook, detected /)
  expect(lines[2]).toMatch(/^• (ops|d): not sent, (minDelta|models): /)
  expect(lines[4]).toBe('• and 4 more channels: bluepencil explain Evt_1')
  expect(await say('why evt_gone')).toMatch(/^No alert with this id is stored/)
  expect(await say('why')).toMatch(/^\/bluepencil why EVENT_ID: /)
})

test('/bluepencil test posts a test where it is written, once, and says where no channel goes', async () => {
  const { people, slack, ...desk } = await openChatDesk()
  await desk.connected()
  const place = { id: await slack.idOf('ai-desk'), name: 'ai-desk' }
  const test = people.command('test', ana, place)
  expect((await people.send(test)).payload?.text).toBe('Sent as desk.')
  await people.send({ ...test, envelope_id: 'again' })
  const renamed = people.command('test', ana, { ...place, name: 'another-name' })
  expect((await people.send(renamed)).payload?.text).toBe('Sent as desk.')
  const posted = await slack.read('ai-desk')
  expect(posted.map(({ blocks }) => JSON.stringify(blocks))).toEqual(
    Array(2).fill(expect.stringMatching(/TEST, not a real alert.*Sent by ana with “\/bluepencil test” on/)),
  )
  const elsewhere = await people.send(people.command('test'))
  expect(elsewhere.payload?.text).toContain('nothing was sent')
})

test('where nobody listens, alerts have no buttons; a reload begins to listen and draws them on what follows', async () => {
  const { people, slack, ...desk } = await openChatDesk({ slack: 'not' })
  await desk.alert('evt_1')
  expect(labels(await desk.message('ai-desk'))).toEqual([])
  expect(people.opened()).toBe(0)

  const { config, app } = desk
  await app.reload({
    ...config,
    slack: { ...config.slack, appToken: people.appToken } as typeof config.slack,
  })
  await desk.connected()
  await desk.alert('evt_2')
  expect(labels(await desk.message('ai-desk'))).toEqual(buttons)
  // What was sent before is not edited for its buttons alone.
  expect(slack.requests.filter(({ method }) => method === 'chat.update')).toEqual([])

  await app.reload(config)
  await vi.waitUntil(() => people.connections() === 0)
})
