import { expect, onTestFinished, test, vi } from 'vitest'
import { type Envelope, labels, people as persons } from '../../support/fakes/slack-people.ts'
import { openChatDesk } from './desk.ts'

const minuteMs = 60_000

async function openSignedDesk(more: object = {}) {
  const desk = await openChatDesk({ slack: 'signed', more })
  await desk.alert('evt_1')
  const post = async (request: RequestInit) => {
    const answer = await fetch(`${desk.origin}/slack`, request)
    return { status: answer.status, body: await answer.text() }
  }
  const { people } = desk
  return {
    ...desk,
    post,
    sign: (envelope: Envelope, how?: Parameters<typeof people.signed>[1]) => people.signed(envelope, how),
    click: async (label: string) => people.click(await desk.message('ai-desk'), 'C1', label),
  }
}

test('clicks, forms and commands that Slack posts and signs', async () => {
  const { people, post, sign, ...desk } = await openSignedDesk()
  expect(labels(await desk.message('ai-desk'))).toEqual(['Acknowledge', 'Silence…', 'History', 'Methodology'])
  expect(await post(sign(await desk.click('Acknowledge')))).toEqual({ status: 200, body: '' })
  expect(await desk.acts()).toMatchObject([{ does: 'acknowledge', by: { id: persons.ana.id } }])
  await vi.waitFor(() => expect(people.texts()).toEqual([expect.stringMatching(/^Acknowledged\. /)]))

  const click = await desk.click('Silence…')
  await post(sign(click))
  await vi.waitUntil(() => people.form(click) !== undefined)
  const submitted = await post(sign(people.submit(people.form(click) ?? {}, 'tomorrow', 'A long night')))
  expect(JSON.parse(submitted.body)).toMatchObject({ response_action: 'update' })

  const answer = await post(sign(people.command('silences')))
  expect(JSON.parse(answer.body)).toMatchObject({
    response_type: 'ephemeral',
    text: expect.stringContaining('ana, A long night'),
  })
  expect(people.opened()).toBe(0)
})

test('the button that leads to its page is only acknowledged', async () => {
  const console = { listen: { port: 0 }, publicUrl: 'https://desk.example/console' }
  const { people, post, sign, ...desk } = await openSignedDesk({ console })
  const shown = labels(await desk.message('ai-desk'))
  expect(shown).toEqual(['Acknowledge', 'Silence…', 'History', 'Open alert', 'Methodology'])
  expect(await post(sign(await desk.click('Open alert')))).toEqual({ status: 200, body: '' })
  expect({ said: people.texts(), done: await desk.acts() }).toEqual({ said: [], done: [] })
})

test('a person without permission gets an answer that says so, and nothing is done', async () => {
  const chat = { acknowledge: [persons.ben.id], silence: [persons.ben.id] }
  const { people, post, sign, ...desk } = await openSignedDesk({ chat })
  const asksForForm = await desk.click('Silence…')
  for (const click of [await desk.click('Acknowledge'), asksForForm]) await post(sign(click))
  const answer = await post(sign(people.command('silence claude 1h')))
  await vi.waitFor(() => expect(people.texts()).toHaveLength(2))
  for (const text of [...people.texts(), answer.body]) expect(text).toMatch(/You may not .* nothing was done/)
  expect(people.form(asksForForm)).toBeUndefined()
  expect(await desk.acts()).toEqual([])
})

test('what is forged, late, from the future or replayed is refused, and nothing is done', async () => {
  const { people, post, sign, ...desk } = await openSignedDesk()
  const click = await desk.click('Acknowledge')
  const now = Date.now()
  const good = sign(click)
  const { 'x-slack-signature': _, ...unsigned } = good.headers
  const refused = [
    sign(click, { by: 'another-secret' }),
    { ...good, headers: unsigned },
    { ...good, body: good.body.replace('evt_1', 'evt_2') },
    {
      ...good,
      headers: { ...good.headers, 'x-slack-request-timestamp': String(Math.floor(now / 1000) - 1) },
    },
    { ...good, headers: { ...good.headers, 'x-slack-request-timestamp': 'never' } },
    sign(click, { at: now - 5.1 * minuteMs }),
    sign(click, { at: now + 5.5 * minuteMs }),
  ]
  for (const request of refused) expect(await post(request)).toMatchObject({ status: 401 })
  expect(await desk.acts()).toEqual([])

  const silence = sign(people.command('silence claude 1h'))
  expect(await post(silence)).toMatchObject({ status: 200 })
  expect(await post(silence)).toMatchObject({ status: 401 })
  const signature = `${silence.headers['x-slack-signature']}=x`
  const relabelled = { ...silence, headers: { ...silence.headers, 'x-slack-signature': signature } }
  expect(await post(relabelled)).toMatchObject({ status: 401 })
  expect(await desk.acts()).toHaveLength(1)
})

test('what was sent before a restart is a replay after it', async () => {
  const { people, post, sign, ...desk } = await openSignedDesk()
  const status = sign(people.command('status'))
  expect(await post(status)).toMatchObject({ status: 200 })
  await desk.app.stop()
  const next = await desk.office.start(desk.config)
  onTestFinished(() => next.stop())
  expect((await fetch(`http://127.0.0.1:${next.port}/slack`, status)).status).toBe(401)
})

test('a late click within five minutes counts, and one that Slack posts anew is the same', async () => {
  const { people, post, sign, ...desk } = await openSignedDesk()
  const silence = people.command('silence claude 1h')
  const first = await post(sign(silence, { at: Date.now() - 4.8 * minuteMs }))
  const again = await post(sign(silence))
  expect([first.status, again.status]).toEqual([200, 200])
  expect(again.body).toBe(first.body)
  expect(await desk.acts()).toHaveLength(1)
})

test('where Slack is heard through Socket Mode, or not at all, there is nothing at /slack', async () => {
  for (const slack of ['socket', 'not'] as const) {
    const { origin, people } = await openChatDesk({ slack })
    const { status } = await fetch(`${origin}/slack`, people.signed(people.command('silence claude 1h')))
    expect(status).toBe(404)
  }
})

test('what cannot be read, though signed, is refused', async () => {
  const { people, post, sign, ...desk } = await openSignedDesk()
  const bare: Envelope = { ...people.command('help'), payload: { some: 'thing' } }
  expect((await post(sign(bare))).status).toBe(400)
  const strange = people.click(await desk.message('ai-desk'), 'C1', 'History')
  strange.payload.actions = [{ type: 'button', action_id: 'of_another_app', value: 'evt_1' }]
  expect((await post(sign(strange))).status).toBe(404)
})
