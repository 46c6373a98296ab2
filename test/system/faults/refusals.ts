import { expect } from 'vitest'
import { hour, minute } from './desk.ts'
import { endOf, type Name, openDeskWithProviders, troubleOf } from './providers.ts'

type Providers = Awaited<ReturnType<typeof openDeskWithProviders>>

function slackSays({ slack }: Providers, code: string): void {
  for (let times = 0; times < 100; times++) slack.fail('chat.postMessage', { answer: 'error', code })
}

function discordSays({ discord }: Providers, status: number, code: number): void {
  const body = { code, message: 'Refused' }
  discord.script({ does: { answer: status, body }, on: 'POST', times: 100 })
}

/** What a person has to mend: how the provider refuses, and what the notice names. */
export const refusals: [string, 'slack' | 'discord' | 'mail', (providers: Providers) => void, string][] = [
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

/** One notice at once, a try every five minutes, and another notice when it is mended. Answers what readers have then. */
export async function restsUntilMended([, name, refuse, remedy]: (typeof refusals)[number]): Promise<
  Record<Name, string[]>
> {
  const providers = await openDeskWithProviders()
  const { desk, read, slack, discord, smtp } = providers
  refuse(providers)
  await desk.deliver('evt_1')
  await desk.deliver('evt_2')
  await desk.pass(minute)
  expect(await desk.hears(1)).toEqual([troubleOf(name, 'rejects our messages')])
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
  expect(await desk.hears(2)).toEqual([troubleOf(name, 'rejects our messages'), endOf(name)])
  return read()
}
