import { expect, test } from 'vitest'
import type { SendResult } from '../../../src/channels/channel.ts'
import { messageAsSent, withEdit } from '../../../src/deliver/sent-message.ts'
import type { Sent } from '../../../src/event/outcome.ts'
import { render } from '../../../src/message/render/render.ts'
import { loadWords } from '../../../src/message/words/words.ts'
import { alert, finding } from '../../support/fakes/events.ts'
import { openDesk } from '../decide/accept/desk.ts'

const ok: SendResult = { result: 'sent', receipt: { text: 'r' } }
const silent: SendResult = { result: 'retry', why: 'it did not answer', uncertain: true, unanswered: true }
const sentAt: Sent = { state: 'sent', at: '2026-11-21T13:10:00.000Z', attempts: 1, receipt: { text: 'r' } }
const message = render(alert(), { timeZone: 'UTC', service: 'Service' })

test('what was sent is kept with the outcome, in the words of its channel', async () => {
  await loadWords(['de'])
  const desk = await openDesk({ others: { german: { language: 'de' } } })
  await desk.take(alert())
  const [english] = desk.sent
  const [german] = desk.elsewhere.german ?? []
  for (const [channel, sent] of [
    ['desk', english],
    ['german', german],
  ] as const) {
    const { tone, kicker, headline, text, facts, links, source } = sent ?? message
    expect(await desk.outcome('evt_1', channel)).toMatchObject({
      message: { tone, kicker, headline, text, facts, links, source },
    })
  }
  expect(await desk.outcome('evt_1', 'german')).toMatchObject({ message: { language: 'de' } })
})

test('each edit is kept beside it, by what reads otherwise', async () => {
  const desk = await openDesk()
  await desk.take(finding(), alert())
  const [edited] = desk.edited
  const kept = await desk.outcome('poll_1')
  expect(kept).toMatchObject({
    message: { headline: desk.sent[0]?.headline },
    edits: [{ at: kept?.state === 'sent' ? kept.editedAt : '', text: edited?.message.text }],
  })
  expect(kept).not.toHaveProperty('edits.0.tone')
})

test('what was kept of an edit reads, with what was first sent, as the edit did', () => {
  const now = { ...message, caveats: ['Since corrected.'], links: [], headline: 'Otherwise.' }
  const at = '2026-11-22T09:00:00.000Z'
  const edits = withEdit({ ...sentAt, message: messageAsSent(message) }, now, at)
  expect(edits).toEqual({
    edits: [{ at, headline: 'Otherwise.', caveats: ['Since corrected.'], links: [] }],
  })
})

test('of what was stored before messages were kept, an edit is kept whole; of many, the newest ten', () => {
  let sent = sentAt
  for (let n = 0; n < 30; n++) sent = { ...sent, ...withEdit(sent, message, `${n}`) }
  expect(sent.edits).toHaveLength(10)
  expect(sent.edits?.at(-1)).toMatchObject({ at: '29', headline: message.headline, tone: message.tone })
})

test('where nobody knows which try arrived, that is kept too; where each is a copy, the last one has', async () => {
  for (const cannotVerifyDelivery of [false, true]) {
    const answers = [silent]
    const desk = await openDesk({ cannotVerifyDelivery, sends: () => answers.shift() ?? ok })
    await desk.take(alert())
    await desk.clock.advance(3_600_000)
    const outcome = await desk.outcome('evt_1')
    expect(outcome).toMatchObject({ state: 'sent', message: { kicker: 'Censorship spike' } })
    expect(outcome?.state === 'sent' && outcome.message?.unsure).toBe(cannotVerifyDelivery ? undefined : true)
  }
})

test('the picture is kept by its words, inside a message and added to one', async () => {
  const picture = async () => ({
    png: new Uint8Array([1]),
    title: 'The last 90 days',
    alt: 'A line that rises.',
  })
  for (const adds of [undefined, () => ok]) {
    const desk = await openDesk({ picture, ...(adds && { adds }) })
    await desk.take(alert())
    await desk.quiet()
    const outcome = await desk.outcome('evt_1')
    expect(outcome).toMatchObject({ message: { picture: 'A line that rises.' } })
    expect(JSON.stringify(outcome)).not.toContain('png')
  }
})
