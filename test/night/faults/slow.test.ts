import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import type { Witness } from '../../support/fakes/witness.ts'
import { hour, idsIn, minute, openDesk, until } from '../../system/faults/desk.ts'

const names = ['discord', 'mail', 'slack'] as const

function isMarked(text: string): boolean {
  return text.replace(/=\r\n/g, '').includes('This may be a duplicate')
}

/** A desk with the channels whose providers cannot be asked what they have. `answers` holds an answer back. */
async function openBlindDesk(answers: () => Promise<void>) {
  const witness: Witness = async (moment) => {
    if (moment === 'done') await answers()
  }
  const [slack, discord, smtp] = await Promise.all([
    startSlack({ witness }),
    startFakeDiscord({ witness, now: () => Date.now() }),
    startFakeSmtp({ witness }),
  ])
  onTestFinished(async () => {
    await Promise.all([slack.close(), discord.close(), smtp.close()])
  })
  const desk = await openDesk({
    email: { smtp: `smtp://127.0.0.1:${smtp.port}`, from: 'bluepencil@desk.example', ca: smtp.ca },
    channels: [
      { name: 'slack', type: 'slack', webhookUrl: slack.webhookUrl },
      { name: 'discord', type: 'discord', webhookUrl: discord.webhookUrl },
      { name: 'mail', type: 'email', to: 'desk@desk.example' },
    ],
  })
  return {
    desk,
    /** What readers see, in its order, by channel. */
    async read(): Promise<Record<(typeof names)[number], string[]>> {
      return {
        discord: discord.posted(discord.channelId).map((message) => JSON.stringify(message)),
        mail: smtp.messages().map(({ raw }) => raw),
        slack: (await slack.read('ai-desk')).map((message) => JSON.stringify(message)),
      }
    },
  }
}

const never = () => new Promise<void>(() => {})

describe('webhooks and mail', () => {
  test('that take a message and never answer: four copies in a day, marked from the second on, and reported', async () => {
    const { desk, read } = await openBlindDesk(never)
    await desk.deliver('evt_1')
    await desk.passUnanswered(26 * hour, async () => Object.values(await read()).flat().length)
    const copies = await read()
    for (const name of names) {
      expect(idsIn(copies[name])).toEqual(['evt_1', 'evt_1', 'evt_1', 'evt_1'])
      expect(copies[name].map(isMarked)).toEqual([false, true, true, true])
      expect(await desk.outcome('evt_1', name)).toMatchObject({ state: 'failed', attempts: 4, unanswered: 4 })
    }
    const messageIds = copies.mail.map((raw) => /^Message-ID: .*$/im.exec(raw)?.[0])
    expect(new Set(messageIds).size).toBe(1)
    for (const name of names) {
      expect(desk.told()).toContain(`A message to ${name} may have arrived 2 times`)
      expect(desk.told()).toContain(`A notification to ${name} failed for good`)
    }
  })

  test('that take 100 seconds to answer: waited for, and there is one copy', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const { desk, read } = await openBlindDesk(() => answered)
    await desk.deliver('evt_1')
    await desk.passUnanswered(100_000, async () => Object.values(await read()).flat().length)
    answer()
    for (const name of names) {
      await until(async () => (await desk.outcome('evt_1', name))?.state === 'sent')
      expect(await desk.outcome('evt_1', name)).toMatchObject({ attempts: 1 })
      expect(idsIn((await read())[name])).toEqual(['evt_1'])
    }
    expect(desk.told()).toEqual([])
  })

  test('that were slow to answer when the service was stopped: only what was in flight may be there twice', async () => {
    let answers = never
    const { desk, read } = await openBlindDesk(() => answers())
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await desk.deliver(id)
    await until(async () => Object.values(await read()).every((texts) => texts.length === 1))
    answers = async () => {}
    await desk.restart()
    await desk.pass(20 * minute)
    const texts = await read()
    for (const name of names) {
      expect(idsIn(texts[name])).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_1'])
      expect(texts[name].map(isMarked)).toEqual([false, false, false, true])
      expect(await desk.outcome('evt_1', name)).toMatchObject({ state: 'sent', unanswered: 1 })
      for (const id of ['evt_2', 'evt_3']) {
        const outcome = await desk.outcome(id, name)
        expect(outcome).toMatchObject({ state: 'sent', attempts: 1 })
        expect(JSON.stringify(outcome)).not.toMatch(/twice|unanswered|too/)
      }
    }
  })
})

describe('a bot whose answer is lost', () => {
  async function openBots(clockMs: number) {
    const [slack, discord] = await Promise.all([
      startSlack({ clockMs }),
      startFakeDiscord({ nonceMs: 0, now: () => Date.now() + clockMs }),
    ])
    onTestFinished(async () => {
      await Promise.all([slack.close(), discord.close()])
    })
    const desk = await openDesk({
      slack: { token: slack.token, apiUrl: slack.apiUrl, intervalMs: 0 },
      discord: { token: discord.token, apiUrl: discord.url },
      channels: [
        { name: 'slack', type: 'slack', to: '#ai-desk' },
        { name: 'discord', type: 'discord', to: discord.channelId },
      ],
    })
    return {
      desk,
      slack,
      discord,
      async found() {
        const [slackOutcome, discordOutcome] = [
          await desk.outcome('evt_1', 'slack'),
          await desk.outcome('evt_1', 'discord'),
        ]
        return {
          outcomes: [slackOutcome?.state, discordOutcome?.state],
          slack: idsIn(await slack.read('ai-desk')),
          discord: idsIn(discord.posted(discord.channelId)),
        }
      },
    }
  }
  const once = { outcomes: ['sent', 'sent'], slack: ['evt_1'], discord: ['evt_1'] }

  test.each([
    ['five minutes ahead of', -5 * minute],
    ['a day ahead of', -24 * hour],
    ['a day behind', 24 * hour],
  ])('finds its message where our clock is %s the provider’s', async (_, clockMs) => {
    const { desk, slack, discord, found } = await openBots(clockMs)
    slack.fail('chat.postMessage', { answer: 'cut-after-forward' })
    discord.script({ does: 'cut', on: 'POST' })
    await desk.deliver('evt_1')
    await desk.pass(minute)
    expect(await found()).toEqual(once)
  })

  test.each([
    ['a day back', -24 * hour, false],
    ['a day forward', 24 * hour, false],
    ['a day back, and the service started again', -24 * hour, true],
    ['a day forward, and the service started again', 24 * hour, true],
  ])('finds its message where our clock was set %s since the event came', async (_, leap, restarts) => {
    const { desk, slack, discord, found } = await openBots(0)
    slack.fail('chat.postMessage', { answer: 'status', status: 429 })
    slack.fail('chat.postMessage', { answer: 'cut-after-forward' })
    discord.script({ does: { limited: 1, scope: 'user' }, on: 'POST' }, { does: 'cut', on: 'POST' })
    await desk.deliver('evt_1')
    for (const name of ['slack', 'discord']) {
      await vi.waitFor(async () => expect(await desk.outcome('evt_1', name)).toMatchObject({ attempts: 1 }))
    }
    desk.setTime(desk.now() + leap)
    if (restarts) await desk.restart()
    // The clock moves on while a request is on its way, and so the tries come late.
    for (let tries = 0; tries < 3; tries++) await desk.pass(10 * minute)
    expect(await found()).toEqual(once)
  })
})
