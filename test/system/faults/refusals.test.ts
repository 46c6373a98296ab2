import { describe, expect, test } from 'vitest'
import { hour, minute } from './desk.ts'
import { openDeskWithProviders } from './providers.ts'

type Providers = Awaited<ReturnType<typeof openDeskWithProviders>>

function slackSays({ slack }: Providers, code: string): void {
  for (let times = 0; times < 100; times++) slack.fail('chat.postMessage', { answer: 'error', code })
}

function discordSays({ discord }: Providers, status: number, code: number): void {
  const body = { code, message: 'Refused' }
  discord.script({ does: { answer: status, body }, on: 'POST', times: 100 })
}

describe('a channel that takes nothing until a person acts', () => {
  const refusals: [string, 'slack' | 'discord' | 'mail', (providers: Providers) => void, string][] = [
    ['Slack’s token is revoked', 'slack', (all) => slackSays(all, 'token_revoked'), 'slack.token'],
    ['Slack’s channel is deleted', 'slack', (all) => slackSays(all, 'channel_not_found'), '#ai-desk'],
    ['Discord’s token is revoked', 'discord', (all) => discordSays(all, 401, 0), 'discord.token'],
    ['Discord’s channel is deleted', 'discord', (all) => discordSays(all, 404, 10003), '`to`'],
    [
      'the mail server takes the password no more',
      'mail',
      ({ smtp }) => smtp.script({ mailFrom: 535 }),
      'email.smtp',
    ],
    ['the sender may not send', 'mail', ({ smtp }) => smtp.script({ mailFrom: 550 }), 'email.from'],
  ]

  test.each(refusals)(
    '%s: told at once and once, tried again in peace, and all arrives when it is mended',
    async (_, name, refuse, remedy) => {
      const providers = await openDeskWithProviders()
      const { desk, read, slack, discord, smtp } = providers
      refuse(providers)
      await desk.deliver('evt_1')
      await desk.deliver('evt_2')
      await desk.pass(minute)
      expect(await desk.hears(1)).toEqual([`${name} does not accept messages`])
      expect(desk.toldInFull()[0]).toContain(remedy)
      await desk.pass(hour)
      expect(desk.told()).toHaveLength(1)
      const outcome = await desk.outcome('evt_1', name)
      expect(outcome).toMatchObject({ state: 'waiting', why: expect.stringContaining(remedy) })
      // One every five minutes.
      expect(desk.log().filter((line) => line.channel === name && line.result === 'blocked')).toHaveLength(13)

      slack.mend()
      discord.mend()
      smtp.script({})
      await desk.pass(6 * minute)
      const both = ['evt_1', 'evt_2']
      expect(await read()).toEqual({ slack: both, discord: both, mail: both })
      expect(await desk.hears(2)).toEqual([
        `${name} does not accept messages`,
        `Resolved: ${name} does not accept messages`,
      ])
    },
  )
})

describe('one of several readers', () => {
  const mailTo = ['a@desk.example', 'b@desk.example', 'c@desk.example']

  test('is refused for good: the others have the mail, and operators hear once whom none reaches', async () => {
    const { desk, smtp, read } = await openDeskWithProviders({ mailTo })
    smtp.script({ rcpt: { 'b@desk.example': 550 }, says: 'no such user' })
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await desk.deliver(id)
    await desk.pass(minute)
    expect((await read()).mail).toEqual(['evt_1', 'evt_1', 'evt_2', 'evt_2', 'evt_3', 'evt_3'])
    const others = [['a@desk.example'], ['c@desk.example']]
    expect(smtp.messages().map(({ to }) => to)).toEqual([...others, ...others, ...others])
    expect(await desk.hears(1)).toEqual(['b@desk.example gets no mail: the server refuses it'])
    expect(desk.toldInFull()[0]).toContain('says: 550 no such user')
    await desk.pass(2 * hour)
    expect(desk.told()).toHaveLength(1)
    expect(await desk.outcome('evt_1', 'mail')).toMatchObject({
      state: 'sent',
      receipt: { text: expect.stringContaining('to 2 of 3') },
    })
  })

  test('is put off: gets the mail later, and nobody has it twice', async () => {
    const { desk, smtp } = await openDeskWithProviders({ mailTo })
    smtp.script({ rcpt: { 'b@desk.example': 451 } })
    await desk.deliver('evt_1')
    await desk.pass(minute)
    smtp.script({})
    // Longer than any wait between two tries.
    await desk.pass(6 * minute)
    expect(smtp.messages().map(({ to }) => to)).toEqual([
      ['a@desk.example'],
      ['c@desk.example'],
      ['b@desk.example'],
    ])
    expect(desk.told()).toEqual([])
  })
})

describe('TLS that does not verify', () => {
  test('of the mail server: nothing goes in the clear, and told at once', async () => {
    const { desk, lines, smtp } = await openDeskWithProviders({ email: { requireTls: true, ca: undefined } })
    await desk.deliver('evt_1')
    await desk.pass(minute)
    expect(await desk.hears(1)).toEqual(['mail does not accept messages'])
    expect(desk.toldInFull()[0]).toMatch(/a certificate that cannot be verified .* email\.ca/)
    expect(smtp.messages()).toEqual([])
    expect(lines.mail.taken()).toBe(1)
  })

  test.each(['slack', 'discord'] as const)('of %s: told, and nobody is shown a token', async (name) => {
    const { desk, lines, discord, slack } = await openDeskWithProviders({ scheme: 'https' })
    await lines[name].set('unverified')
    await desk.deliver('evt_1')
    await desk.pass(10 * minute)
    // The other is asked for TLS too, and does not speak it.
    expect((await desk.hears(2)).toSorted()).toEqual(['discord cannot be reached', 'slack cannot be reached'])
    const report = desk.toldInFull().find((text) => text.includes(`${name} cannot`))
    expect(report).toContain('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    expect(lines[name].taken()).toBeGreaterThan(0)
    expect([...discord.requests, ...slack.requests]).toEqual([])
  })
})
