import { describe, expect, it } from 'vitest'
import type { CheckRow } from '../../../../src/channels/channel.ts'
import { openDiscord } from '../../../../src/channels/discord/channel.ts'
import { DiscordAccount, DiscordSettings } from '../../../../src/channels/discord/config.ts'
import type { FakeDiscordOptions } from '../../../support/fakes/discord.ts'
import { ids, permission } from '../../../support/fakes/discord-world.ts'
import { attempt, open } from './opened.ts'
import { spike } from './sample.ts'

const all =
  permission.viewChannel | permission.sendMessages | permission.embedLinks | permission.readMessageHistory
const role = '1200000000000000001'

async function findings(options: FakeDiscordOptions, kind: 'bot' | 'hook' = 'bot'): Promise<CheckRow[]> {
  const opened = await open(options)
  const rows = await opened[kind].check()
  expect(opened.discord.posted(opened.discord.channelId)).toEqual([])
  // The check must be right: the message goes through exactly where it says so.
  const sent = await opened[kind].send(spike, attempt())
  expect(sent.result === 'sent').toBe(rows.every(({ level }) => level !== 'fail'))
  return rows
}

function bad(found: CheckRow[]): CheckRow[] {
  return found.filter(({ level }) => level === 'fail')
}

function overwrite(id: string, type: 0 | 1, allow: bigint, deny: bigint) {
  return { id, type, allow: allow.toString(), deny: deny.toString() }
}

function desk(...permission_overwrites: ReturnType<typeof overwrite>[]) {
  return [{ id: ids.channel, name: 'ai-desk', type: 0, permission_overwrites }]
}

describe('checking a bot’s channel', () => {
  it('finds all in order, without a message to anybody', async () => {
    expect(await findings({})).toEqual([
      { level: 'ok', what: 'token', text: 'The token works. The bot is bluepencil.' },
      { level: 'ok', what: 'channel', text: '#ai-desk accepts messages.' },
      { level: 'ok', what: 'permission', text: 'The bot may write there, on the server The newsroom.' },
      { level: 'ok', what: 'history', text: expect.stringContaining('may read') },
    ])
  })

  it('says what to do about a wrong token', async () => {
    const { discord, bot } = await open()
    discord.script({ does: { answer: 401, body: { message: '401: Unauthorized', code: 0 } } })
    expect(await bot.check()).toEqual([
      { level: 'fail', what: 'token', text: expect.stringContaining('discord.token') },
    ])
  })

  it('gives the link that invites a bot which cannot see the channel', async () => {
    expect(bad(await findings({ member: false }))).toEqual([
      {
        level: 'fail',
        what: 'channel',
        text: expect.stringMatching(
          /client_id=1170000000000000009&scope=bot\+applications.commands&permissions=274878024704$/,
        ),
      },
    ])
  })

  it('says that there is no such channel', async () => {
    const { discord } = await open()
    const account = DiscordAccount.parse({ token: discord.token, apiUrl: discord.url })
    const settings = DiscordSettings.parse({ name: 'x', type: 'discord', to: '1180000000000000999' })
    const [channel] = await openDiscord(account, [settings])
    expect(await channel?.check()).toContainEqual({
      level: 'fail',
      what: 'channel',
      text: expect.stringMatching(/`to`/),
    })
  })

  it('says that a forum does not accept messages', async () => {
    expect(bad(await findings({ channels: [{ id: ids.channel, name: 'forum', type: 15 }] }))).toEqual([
      { level: 'fail', what: 'channel', text: expect.stringContaining('#forum does not accept messages') },
    ])
  })

  it.each([
    ['everyone lacks it', { everyone: all & ~permission.embedLinks }, 'Embed Links'],
    [
      'the channel denies it to everyone',
      { channels: desk(overwrite(ids.guild, 0, 0n, permission.sendMessages)) },
      'Send Messages',
    ],
    [
      'the channel denies it to the bot’s role',
      {
        roles: { [role]: 0n },
        memberRoles: [role],
        channels: desk(overwrite(role, 0, 0n, permission.sendMessages)),
      },
      'Send Messages',
    ],
    [
      'the channel denies it to the bot',
      { channels: desk(overwrite(ids.bot, 1, 0n, permission.sendMessages | permission.embedLinks)) },
      'Send Messages, Embed Links',
    ],
  ] satisfies [string, FakeDiscordOptions, string][])(
    'names the permission that is missing where %s',
    async (_, options, missing) => {
      expect(bad(await findings(options))).toEqual([
        { level: 'fail', what: 'permission', text: expect.stringContaining(`The bot lacks ${missing}:`) },
      ])
    },
  )

  it.each([
    ['a role', { everyone: 0n, roles: { [role]: all }, memberRoles: [role] }],
    [
      'an administrator’s role',
      {
        everyone: 0n,
        roles: { [role]: permission.administrator },
        memberRoles: [role],
        channels: desk(overwrite(ids.bot, 1, 0n, all)),
      },
    ],
    [
      'the channel, for its role',
      {
        roles: { [role]: 0n },
        memberRoles: [role],
        channels: desk(overwrite(ids.guild, 0, 0n, all), overwrite(role, 0, all, 0n)),
      },
    ],
    [
      'the channel, for itself',
      { channels: desk(overwrite(ids.guild, 0, 0n, all), overwrite(ids.bot, 1, all, 0n)) },
    ],
  ] satisfies [string, FakeDiscordOptions][])(
    'sees that the bot has its permissions from %s',
    async (_, options) => {
      expect(bad(await findings(options))).toEqual([])
    },
  )

  it('asks for a thread’s own permission in a thread, with the overwrites of its channel', async () => {
    const thread = { id: ids.channel, name: 'alerts', type: 11, parent_id: ids.otherChannel }
    const parent = { id: ids.otherChannel, name: 'desk', type: 0 }
    const closed = [overwrite(ids.guild, 0, 0n, permission.sendMessagesInThreads)]
    const noSend = [overwrite(ids.guild, 0, 0n, permission.sendMessages)]
    expect(bad(await findings({ channels: [thread, { ...parent, permission_overwrites: closed }] }))).toEqual(
      [{ level: 'fail', what: 'permission', text: expect.stringContaining('Send Messages in Threads') }],
    )
    expect(bad(await findings({ channels: [thread, { ...parent, permission_overwrites: noSend }] }))).toEqual(
      [],
    )
  })

  it('says what is lost without Read Message History, and that it works', async () => {
    const rows = await findings({ everyone: all & ~permission.readMessageHistory })
    expect(rows.at(-1)).toEqual({
      level: 'warn',
      what: 'history',
      text: expect.stringContaining('can arrive twice'),
    })
  })

  it('says that the bot is in a time-out', async () => {
    const { bot } = await open({ timedOutUntil: new Date(Date.now() + 60_000).toISOString() })
    expect(bad(await bot.check())).toEqual([
      { level: 'fail', what: 'permission', text: expect.stringContaining('time-out') },
    ])
  })

  it('says so where the bot’s membership cannot be read', async () => {
    const { discord, bot } = await open()
    discord.script({
      does: { answer: 404, body: { message: 'Unknown Member', code: 10007 } },
      on: '/members/',
    })
    expect(bad(await bot.check())).toEqual([
      { level: 'fail', what: 'permission', text: expect.stringMatching(/could not check.*invite/) },
    ])
  })
})

describe('checking a webhook', () => {
  it('finds its name and channel', async () => {
    expect(await findings({}, 'hook')).toEqual([
      { level: 'ok', what: 'webhook', text: `“Bluepencil”, for channel ${ids.channel}` },
    ])
  })

  it('says that it was deleted', async () => {
    const { discord, hook } = await open()
    discord.script({ does: { answer: 404, body: { message: 'Unknown Webhook', code: 10015 } } })
    expect(await hook.check()).toEqual([
      { level: 'fail', what: 'webhook', text: expect.stringContaining('create one') },
    ])
  })

  it('says that it is of a kind that does not accept messages', async () => {
    const follower = { id: ids.webhook, token: 'hook-secret', name: 'News', channel_id: ids.channel, type: 2 }
    const { hook } = await open({ webhooks: [follower] })
    expect(await hook.check()).toEqual([
      { level: 'fail', what: 'webhook', text: expect.stringContaining('does not accept messages') },
    ])
  })
})
