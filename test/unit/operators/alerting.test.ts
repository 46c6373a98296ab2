import { describe, expect, onTestFinished, test } from 'vitest'
import type { Attempt, Channel, SendResult } from '../../../src/channels/channel.ts'
import { openSlack } from '../../../src/channels/slack/channel.ts'
import { SlackAccount, SlackSettings } from '../../../src/channels/slack/config.ts'
import { retryPolicy } from '../../../src/deliver/policy.ts'
import type { Notice } from '../../../src/event/event.ts'
import type { Message } from '../../../src/message/message.ts'
import { createAlarms } from '../../../src/operators/alarms.ts'
import { createOperatorAlerts } from '../../../src/operators/alerting.ts'
import { type Incidents, startIncidents } from '../../../src/operators/incidents.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { createManualClock, type ManualClock } from '../../support/fakes/manual-clock.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'

const minute = 60_000
const start = Date.parse('2026-11-21T13:00:00Z')
const silent: SendResult = { result: 'retry', why: 'no answer', uncertain: true, unanswered: true }

const quietFigures: Notice = {
  kind: 'notice',
  id: 'ntc_1',
  phase: 'trouble',
  channel: null,
  title: 'The figures of claude cannot be used',
  text: 'There is no new reading.',
  receivedAt: '2026-11-21T13:00:00.000Z',
}

/** The operators' channels and perhaps one that is called `readers`, and a store that takes nothing. */
async function storeFails(clock: ManualClock, ...channels: Channel[]) {
  const operators = channels.map(({ name }) => name).filter((name) => name !== 'readers')
  const disk = { isFull: true }
  const stored: Notice[] = []
  const full = async () => {
    throw new StoreUnavailable('the disk is full')
  }
  const config = { operators, channels }
  const running = {
    current: () => ({ config }),
    async accept(notice: Notice) {
      if (disk.isFull) await full()
      stored.push(notice)
      return 'new'
    },
    lend: (work: (from: never, cut: AbortSignal) => Promise<unknown>) =>
      work({ channels, config } as never, new AbortController().signal),
  }
  const incidents: Incidents = await startIncidents({
    clock,
    state: { read: async () => [], change: full },
    acquireLease: async () => true,
    tallies: { read: async () => [], change: full },
    alert: createOperatorAlerts({
      clock,
      running: () => running as never,
      policy: retryPolicy,
      store: { find: async () => undefined },
      openIncidents: () => incidents.current(),
      onError: () => {},
    }),
    onError: () => {},
  })
  incidents.startAlerting()
  const alarms = createAlarms(incidents, clock, () => undefined)
  alarms.storeFails()
  return { incidents, alarms, disk, stored }
}

/** A mail server or a webhook: nobody can be asked what it has. */
function blind(name: string, clock: ManualClock, answer: (attempt: Attempt) => Promise<SendResult>) {
  const got: { minutes: number; isMarked: boolean }[] = []
  const channel: Channel = {
    name,
    type: 'email',
    paceMs: 0,
    cannotVerifyDelivery: true,
    async send({ caveats }: Message, attempt) {
      const isMarked = caveats.some((caveat) => caveat.includes('may be a duplicate'))
      got.push({ minutes: (clock.now() - start) / minute, isMarked })
      return answer(attempt)
    },
    check: async () => [],
    close: async () => {},
  }
  return { channel, got }
}

test.each([
  ['past the store if it is not there', false, 1],
  ['by the queue alone if it is there', true, 0],
])('a notice whose commit was not answered goes %s', async (_, isThere, count) => {
  const clock = createManualClock(start)
  const mail = blind('mail', clock, async () => ({ result: 'sent', receipt: { text: 'r' } }))
  const opened = { channels: [mail.channel], config: { operators: ['mail'], channels: [mail.channel] } }
  const alertOperators = createOperatorAlerts({
    clock,
    running: () => ({
      current: () => opened,
      async accept() {
        throw new StoreUnavailable('the disk reports an error', { mayBeStored: true })
      },
      lend: (work) => work(opened, new AbortController().signal),
    }),
    policy: retryPolicy,
    store: { find: async () => (isThere ? { seq: 1, entry: quietFigures, outcomes: {} } : undefined) },
    openIncidents: () => [],
    onError: () => {},
  })
  await alertOperators(quietFigures, 'figures:claude')
  expect(mail.got).toHaveLength(count)
})

describe('operators are notified of a store that accepts nothing', () => {
  test('once, if their mail server needs 35 seconds to answer', async () => {
    const clock = createManualClock(start)
    const mail = blind('mail', clock, async ({ signal }) => {
      await clock.sleep(35_000, signal)
      return signal.aborted ? silent : { result: 'sent', receipt: { text: 'r' } }
    })
    await storeFails(clock, mail.channel)
    await clock.advance(60 * minute)
    expect(mail.got).toEqual([{ minutes: 0, isMarked: false }])
  })

  test('with whom the channel mentions for trouble, at the first copy alone', async () => {
    const clock = createManualClock(start)
    const rung: (string[] | undefined)[] = []
    const { channel } = blind('mail', clock, async () => silent)
    const ringing = {
      ...channel,
      mentions: [{ who: 'here', when: { notices: true } }, { who: 'channel' }],
      send(message: Message, attempt: Attempt) {
        rung.push(message.mentions)
        return channel.send(message, attempt)
      },
    }
    await storeFails(clock, ringing)
    await clock.advance(10 * minute)
    expect(rung).toEqual([['here'], undefined])
  })

  test('four times in a day, marked as repeats from the second on, if it never answers', async () => {
    const clock = createManualClock(start)
    const mail = blind('mail', clock, async () => silent)
    await storeFails(clock, mail.channel)
    await clock.advance(48 * 60 * minute)
    expect(mail.got).toEqual([
      { minutes: 0, isMarked: false },
      { minutes: 5, isMarked: true },
      { minutes: 65, isMarked: true },
      { minutes: 545, isMarked: true },
    ])
  })

  test('on one of their channels as soon as it is up again, while another never answers', async () => {
    const clock = createManualClock(start)
    const mail = blind('mail', clock, async () => silent)
    const down: SendResult = { result: 'retry', why: 'refused', uncertain: false }
    const desk = blind('desk', clock, async () =>
      clock.now() < start + 90 * minute ? down : { result: 'sent', receipt: { text: 'r' } },
    )
    await storeFails(clock, mail.channel, desk.channel)
    await clock.advance(24 * 60 * minute)
    expect(mail.got.map(({ minutes }) => minutes)).toEqual([0, 5, 65])
    expect(desk.got.map(({ minutes }) => minutes)).toEqual(Array.from({ length: 91 }, (_, index) => index))
    expect(desk.got.filter(({ isMarked }) => isMarked)).toEqual([])
  })

  test('and a notice that may be in Slack already is searched for before it is sent again', async () => {
    const clock = createManualClock(start)
    const lost: SendResult = { result: 'retry', why: 'no answer', uncertain: true, unanswered: true }
    const { cannotVerifyDelivery: _, ...slack } = blind('slack', clock, async () => lost).channel
    const { incidents, disk, stored } = await storeFails(clock, slack)
    incidents.opens('channel:desk', {
      title: 'desk does not accept messages',
      text: 'revoked',
      channel: 'desk',
    })
    await clock.advance(1_000)
    disk.isFull = false
    await clock.advance(2 * minute)
    expect(stored.map(({ title, uncertain }) => [title, uncertain])).toContainEqual([
      'desk does not accept messages',
      true,
    ])
  })

  test('of its end too, while another of their channels does not answer', async () => {
    const clock = createManualClock(start)
    const slow = blind('slow', clock, async ({ signal }) => {
      await clock.sleep(60 * minute, signal)
      return silent
    })
    const quick = blind('quick', clock, async () => ({ result: 'sent', receipt: { text: 'r' } }))
    const { incidents } = await storeFails(clock, slow.channel, quick.channel)
    await clock.advance(1_000)
    incidents.resolves('store', 'The store can be written again.')
    await clock.advance(1_000)
    expect(quick.got).toHaveLength(2)
  })

  test('not on the channel with the incident, if there is another', async () => {
    const clock = createManualClock(start)
    const ok = async (): Promise<SendResult> => ({ result: 'sent', receipt: { text: 'r' } })
    const [ops, desk] = [blind('ops', clock, ok), blind('desk', clock, ok)]
    const { incidents } = await storeFails(clock, ops.channel, desk.channel)
    await clock.advance(1_000)
    incidents.opens('channel:desk', {
      title: 'desk does not accept messages',
      text: 'revoked',
      channel: 'desk',
    })
    await clock.advance(1_000)
    expect([ops.got.length, desk.got.length]).toEqual([2, 1])
  })

  test('in the channel of readers where none of theirs can be reached, and there of its end', async () => {
    const clock = createManualClock(start)
    const refused: SendResult = { result: 'blocked', why: 'revoked' }
    const ops = blind('ops', clock, async () => refused)
    const readers = blind('readers', clock, async () => ({ result: 'sent', receipt: { text: 'r' } }))
    const { incidents, alarms, disk, stored } = await storeFails(clock, ops.channel, readers.channel)
    await clock.advance(1_000)
    expect(readers.got).toHaveLength(0)
    incidents.opens('channel:ops', { title: 'ops does not accept messages', text: 'revoked', channel: 'ops' })
    await clock.advance(2 * minute)
    expect(readers.got).toHaveLength(2)
    disk.isFull = false
    await clock.advance(2 * minute)
    alarms.storeProbed()
    await clock.advance(1_000)
    expect(stored.map(({ title, to }) => [title, to])).toEqual([
      ['The store can be written again', ['ops', 'readers']],
    ])
  })

  test('by a Slack bot that may not read its channel', async () => {
    const slack = await startSlack({ scopes: ['chat:write', 'channels:read'] })
    onTestFinished(() => slack.close())
    const account = SlackAccount.parse({ token: slack.token, apiUrl: slack.apiUrl })
    const settings = SlackSettings.parse({ name: 'ops', type: 'slack', to: '#ai-desk' })
    const [channel] = await openSlack(account, [settings])
    if (channel === undefined) throw new Error('the channel did not open')
    await storeFails(createManualClock(start), channel)
    await expect.poll(async () => slack.read('ai-desk')).toHaveLength(1)
  })
})
