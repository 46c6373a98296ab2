import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import type { Channel, SendResult } from '../../../../src/channels/channel.ts'
import { createReaders } from '../../../../src/people/readers/readers.ts'
import { dayMs } from '../../../../src/platform/durations.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'
import { accountOf, attempt, spike } from '../../../unit/channels/email/messages.ts'
import { channelTo, start } from '../../../unit/channels/email/setup.ts'

const a = 'a@news.example'
const b = 'b@news.example'
const c = 'c@news.example'

/** Sends a message as a queue does: what is done is handed on, and every answer is kept. */
async function sendAll(channel: Channel, progress: string[] = [], message = spike): Promise<SendResult[]> {
  const results: SendResult[] = []
  for (let done = progress; ; ) {
    const result = await channel.send(message, attempt({ progress: done }))
    results.push(result)
    if (result.result !== 'more') return results
    done = result.progress
  }
}

function kept() {
  const notified: string[] = []
  const clock = createManualClock(Date.parse('2026-01-05T09:00:00Z'))
  const readers = createReaders({
    store: createMemoryBacking(clock).open(),
    now: clock.now,
    onUnsubscribed: ({ address }) => notified.push(`left ${address}`),
    onRefused: ({ address }) => notified.push(`refused ${address}`),
    onError(error) {
      throw error
    },
  })
  return { readers, notified, pass: (ms: number) => clock.set(clock.now() + ms) }
}

describe('the recipients of a message', () => {
  test('each get a mail of their own, over one connection, and see nobody else', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp), [a, b, c])
    const results = await sendAll(channel)
    expect(results.map(({ result }) => result)).toEqual(['more', 'more', 'sent'])
    expect(results.slice(0, 2)).toMatchObject([{ progress: [a] }, { progress: [a, b] }])
    expect(results.at(-1)).toMatchObject({ receipt: { text: expect.stringMatching(/ to 3 of 3$/) } })
    expect(smtp.connections()).toBe(1)
    expect(smtp.messages().map(({ to }) => to)).toEqual([[a], [b], [c]])
    for (const { raw, to } of smtp.messages()) {
      const others = [a, b, c].filter((address) => address !== to[0])
      expect(raw).toContain(`To: ${to[0]}\r\n`)
      for (const other of others) expect(raw).not.toContain(other)
      expect(raw).not.toMatch(/^Bcc:/im)
    }
  })

  test('have one thread each, and a Message-ID each that a repeat has too', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp), [a, b])
    await sendAll(channel)
    await sendAll(channel)
    await sendAll(channel, [], { ...spike, id: 'evt_other' })
    const mails = await Promise.all(smtp.messages().map(({ raw }) => PostalMime.parse(raw)))
    const ids = mails.map(({ messageId }) => messageId)
    expect(ids.slice(0, 2)).toEqual(ids.slice(2, 4))
    expect(new Set(ids).size).toBe(4)
    expect(new Set(mails.map(({ references }) => references)).size).toBe(1)
    expect(new Set(mails.map(({ inReplyTo }) => inReplyTo)).size).toBe(1)
  })

  test('recipients with a copy get no second one, even if others fail', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp), [a, b, c])
    smtp.script({ mailFrom: 451 })
    const again = { result: 'retry', uncertain: false }
    expect(await sendAll(channel, [a])).toMatchObject([{ ...again, progress: [a], arrived: true }])
    const none = [`refused:${a}`, `rejected:${b}`]
    expect(await sendAll(channel, none)).toEqual([{ ...again, why: expect.any(String), progress: none }])
    smtp.script({})
    expect((await sendAll(channel, [a])).at(-1)).toMatchObject({ result: 'sent' })
    expect(smtp.messages().map(({ to }) => to)).toEqual([[b], [c]])
    expect(await sendAll(channel, [c, b, a])).toMatchObject([{ result: 'sent' }])
    expect(smtp.messages()).toHaveLength(2)
  })

  test('who are put off hold nobody up, and are tried again', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp), [a, b, c])
    smtp.script({ rcpt: { [a]: 450 }, says: 'greylisted' })
    const results = await sendAll(channel)
    expect(smtp.messages().map(({ to }) => to)).toEqual([[b], [c]])
    const last = results.at(-1)
    expect(last).toMatchObject({ result: 'retry', uncertain: false, progress: [b, c] })
    expect(last).toHaveProperty('why', expect.stringContaining(`1 of 3 addresses yet: ${a}`))
    smtp.script({})
    expect(await sendAll(channel, [b, c])).toMatchObject([{ result: 'sent' }])
    expect(smtp.messages().map(({ to }) => to)).toEqual([[b], [c], [a]])
  })

  test('a mail without an answer is uncertain and leaves the rest as it was; it says how the others go on when it is given up', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp), [a, b, c], { silence: 1_500 })
    smtp.script({ data: 'hang', dataOf: b })
    const [first, second] = await sendAll(channel)
    expect(first).toMatchObject({ result: 'more', progress: [a] })
    expect(second).toMatchObject({
      result: 'retry',
      uncertain: true,
      unanswered: true,
      progress: [a],
      without: [a, `unanswered:${b}`],
    })
    const [last] = await sendAll(channel, [a, `unanswered:${b}`])
    expect(last).toMatchObject({
      result: 'sent',
      receipt: {
        text: expect.stringMatching(/ to 2 of 3; the server never confirmed a mail to b@news\.example$/),
      },
      remark: expect.stringMatching(/^The server did not confirm the mail to b@news\.example/),
    })
    expect(smtp.messages().map(({ to }) => to)).toEqual([[a], [c]])
  })

  test('a mail that is put off after its text (451) holds up no other', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp), [a, b, c])
    smtp.script({ data: 451, dataOf: a })
    expect((await sendAll(channel)).at(-1)).toMatchObject({ result: 'retry', progress: [b, c] })
    expect(smtp.messages().map(({ to }) => to)).toEqual([[b], [c]])
  })

  test('a server that says goodbye after the text of one mail is asked for no other', async () => {
    const smtp = await start()
    const channel = await channelTo(accountOf(smtp), [a, b])
    smtp.script({ data: 421, dataOf: a })
    expect(await sendAll(channel)).toMatchObject([{ result: 'retry', uncertain: false }])
    expect(smtp.messages()).toEqual([])
  })

  test('fifty of them have theirs one after the other', async () => {
    const smtp = await start()
    const to = Array.from({ length: 50 }, (_, index) => `reader-${index}@news.example`)
    const results = await sendAll(await channelTo(accountOf(smtp), to))
    expect(results).toHaveLength(50)
    expect(smtp.messages().map(({ to: [one] }) => one)).toEqual(to)
    expect(smtp.connections()).toBe(1)
  })
})

describe('an address that the server refuses', () => {
  test('is reported once, rests for a day, then two, and is forgotten when it accepts', async () => {
    const smtp = await start()
    const { readers, notified, pass } = kept()
    const channel = await channelTo(accountOf(smtp), [a, b], { readers })
    smtp.script({ rcpt: { [b]: 550 }, says: '5.1.1 no such user' })
    const [, first] = await sendAll(channel)
    expect(first).toEqual({
      result: 'sent',
      receipt: {
        id: expect.any(String),
        text: expect.stringMatching(
          / to 1 of 2; b@news\.example rejected by the server since .* \(550 5\.1\.1 no such user\)/,
        ),
      },
    })
    smtp.script({})
    await sendAll(channel, [], { ...spike, id: 'evt_2' })
    expect(smtp.messages().map(({ to }) => to)).toEqual([[a], [a]])

    pass(dayMs)
    smtp.script({ rcpt: { [b]: 550 }, says: '5.1.1 no such user' })
    await sendAll(channel, [], { ...spike, id: 'evt_3' })
    smtp.script({})
    pass(dayMs)
    await sendAll(channel, [], { ...spike, id: 'evt_4' })
    expect(smtp.messages().map(({ to }) => to)).toEqual([[a], [a], [a], [a]])
    pass(dayMs)
    await sendAll(channel, [], { ...spike, id: 'evt_5' })
    expect(smtp.messages().at(-1)?.to).toEqual([b])
    expect(notified).toEqual([`refused ${b}`])
    smtp.script({ rcpt: { [b]: 550 } })
    await sendAll(channel, [], { ...spike, id: 'evt_6' })
    expect(notified).toEqual([`refused ${b}`, `refused ${b}`])
  })

  test('is forgotten in any mix of upper and lower case in the config', async () => {
    const smtp = await start()
    const { readers, notified, pass } = kept()
    const refused = await channelTo(accountOf(smtp), [a, b], { readers })
    const capitals = await channelTo(accountOf(smtp), [a, 'B@News.Example'], { readers })
    smtp.script({ rcpt: { [b]: 550 } })
    await sendAll(refused)
    pass(dayMs)
    smtp.script({})
    await sendAll(capitals, [], { ...spike, id: 'evt_2' })
    smtp.script({ rcpt: { [b]: 550 } })
    await sendAll(refused, [], { ...spike, id: 'evt_3' })
    expect(notified).toEqual([`refused ${b}`, `refused ${b}`])
  })

  test('gets the next mail if the clock was months ahead when it was refused', async () => {
    const smtp = await start()
    const { readers, pass } = kept()
    const channel = await channelTo(accountOf(smtp), [a, b], { readers })
    pass(100 * dayMs)
    smtp.script({ rcpt: { [b]: 550 } })
    await sendAll(channel)
    smtp.script({})
    pass(-100 * dayMs)
    await sendAll(channel, [], { ...spike, id: 'evt_2' })
    expect(smtp.messages().map(({ to }) => to)).toEqual([[a], [a], [b]])
  })

  test('is tried at once by another server', async () => {
    const [before, after] = [await start(), await start()]
    const { readers } = kept()
    before.script({ rcpt: { [a]: 550 } })
    await sendAll(await channelTo(accountOf(before), [a], { readers }))
    expect(await sendAll(await channelTo(accountOf(after), [a], { readers }))).toMatchObject([
      { result: 'sent' },
    ])
  })

  test('by its policy is no mailbox that is gone: the next mail is tried, and this one is reported', async () => {
    const reasons = [
      '5.7.1 relaying denied',
      '5.7.26 this mail is unauthenticated',
      '5.1.8 bad sender',
      '5.2.3 too long',
    ]
    const rows = reasons.map(async (says) => {
      const smtp = await start()
      const { readers, notified } = kept()
      const channel = await channelTo(accountOf(smtp), [a, b], { readers })
      smtp.script({ rcpt: { [b]: 550 }, says })
      const last = (await sendAll(channel)).at(-1)
      smtp.script({})
      await sendAll(channel, [], { ...spike, id: 'evt_2' })
      return { says, last, to: smtp.messages().map(({ to }) => to), notified }
    })
    expect(await Promise.all(rows)).toMatchObject(
      reasons.map((says) => ({
        says,
        last: { result: 'sent', remark: expect.stringContaining(`rejects this mail for ${b}`) },
        to: [[a], [a], [b]],
        notified: [],
      })),
    )
  })

  test('where all are, the message is a dead letter that names them', async () => {
    const smtp = await start()
    const { readers } = kept()
    const channel = await channelTo(accountOf(smtp), [a, b], { readers })
    smtp.script({ rcpt: { [a]: 550, [b]: 550 }, says: 'no such user' })
    expect((await sendAll(channel)).at(-1)).toMatchObject({
      result: 'permanent',
      why: expect.stringContaining(b),
    })
    expect((await sendAll(channel)).at(-1)).toMatchObject({
      result: 'permanent',
      why: expect.stringMatching(
        /a@news\.example rejected by the server since .*b@news\.example rejected by the server since/,
      ),
    })
  })
})

describe('who unsubscribed', () => {
  const unsubscribeAt = 'https://alerts.news.example/unsubscribe/'

  test('gets nothing more of that channel, and the outcome says so', async () => {
    const smtp = await start()
    const { readers, notified } = kept()
    const channel = await channelTo(accountOf(smtp), [a, b], { readers, unsubscribeAt })
    await sendAll(channel)
    const link = /^List-Unsubscribe:\s+<(.*)>\r$/m.exec(smtp.messages()[1]?.raw ?? '')?.[1] ?? ''
    const subscription = await readers.read(link.slice(unsubscribeAt.length))
    expect(subscription).toEqual({ channel: 'ai-desk', address: b })
    if (subscription === undefined) return
    await readers.unsubscribe(subscription)
    await readers.unsubscribe(subscription)
    expect(notified).toEqual([`left ${b}`])
    expect((await sendAll(channel, [], { ...spike, id: 'evt_2' })).at(-1)).toMatchObject({
      receipt: {
        text: expect.stringMatching(/ to 1 of 2; b@news\.example unsubscribed on 2026-01-05T09:00:00\.000Z$/),
      },
    })
    expect(smtp.messages().map(({ to }) => to)).toEqual([[a], [b], [a]])
    await readers.unsubscribe({ channel: 'ai-desk', address: a })
    expect(await sendAll(channel, [], { ...spike, id: 'evt_3' })).toEqual([
      { result: 'unwanted', why: 'All 2 readers have unsubscribed' },
    ])
  })

  test('has a link in each mail that names nobody and that nobody else has', async () => {
    const smtp = await start()
    const { readers } = kept()
    await sendAll(await channelTo(accountOf(smtp), [a, b], { readers, unsubscribeAt }))
    const links = smtp.messages().map(({ raw }) => /^List-Unsubscribe:\s+<(.*)>\r$/m.exec(raw)?.[1])
    expect(new Set(links).size).toBe(2)
    for (const { raw } of smtp.messages()) {
      expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
      const token = /unsubscribe\/([\w-]+)>/.exec(raw)?.[1] ?? ''
      expect(Buffer.from(token, 'base64url').toString('latin1')).not.toMatch(/news|example/)
    }
  })

  test('is asked for before each mail: a store that cannot be read holds all of them back', async () => {
    const smtp = await start()
    const { readers } = kept()
    const broken = { ...readers, resting: () => Promise.reject(new Error('disk')) }
    const channel = await channelTo(accountOf(smtp), [a], { readers: broken })
    expect(await sendAll(channel)).toMatchObject([{ result: 'retry', uncertain: false }])
    expect(smtp.connections()).toBe(0)
  })
})
