import { describe, expect, it, onTestFinished, test } from 'vitest'
import { openDiscord } from '../../../../src/channels/discord/channel.ts'
import { DiscordAccount, DiscordSettings } from '../../../../src/channels/discord/config.ts'
import { contentOf } from '../../../../src/channels/discord/edit.ts'
import { formatDiscord } from '../../../../src/channels/discord/format.ts'
import { type FakeDiscordOptions, startFakeDiscord } from '../../../support/fakes/discord.ts'
import { refuseBody } from '../../../support/fakes/discord-body.ts'
import { permission } from '../../../support/fakes/discord-world.ts'
import { attempt, open } from './opened.ts'
import { spike } from './sample.ts'

const person = '1180000000000000001'
const role = '1200000000000000001'

describe('whom a message rings', () => {
  it.each<[string[], string, object]>([
    [['here'], '@here ', { parse: ['everyone'] }],
    [['channel'], '@everyone ', { parse: ['everyone'] }],
    [[person], `<@${person}> `, { parse: [], users: [person] }],
    [[`@${person}`], `<@${person}> `, { parse: [], users: [person] }],
    [[`&${role}`], `<@&${role}> `, { parse: [], roles: [role] }],
    [
      [person, 'here', `@&${role}`],
      `@here <@&${role}> <@${person}> `,
      { parse: ['everyone'], users: [person], roles: [role] },
    ],
  ])('%j: exactly those', (mentions, text, allowed) => {
    const payload = formatDiscord({ ...spike, mentions })
    const { content } = formatDiscord(spike)
    expect(payload).toEqual({ ...formatDiscord(spike), content: text + content, allowed_mentions: allowed })
    expect(refuseBody(payload, 'bot')).toBeUndefined()
  })

  it('never comes from the text of an alert, even if the channel may mention everyone', () => {
    const headline = '@everyone @here <@1180000000000000007> <@&1200000000000000007> \\@everyone'
    const { content, allowed_mentions } = formatDiscord({ ...spike, headline, mentions: ['here'] })
    expect(content.startsWith('@here ')).toBe(true)
    expect(content.slice('@here '.length)).not.toMatch(/@(everyone|here)/)
    expect(allowed_mentions).toEqual({ parse: ['everyone'] })
    const narrow = formatDiscord({ ...spike, headline, mentions: [person] })
    expect(narrow.allowed_mentions).toEqual({ parse: [], users: [person] })
    expect(narrow.content).not.toContain('<@1180000000000000007>')
  })

  it('keeps a long headline within what Discord accepts', () => {
    const payload = formatDiscord({ ...spike, headline: 'x'.repeat(4_000), mentions: ['here', person] })
    expect(payload.content.length).toBeLessThanOrEqual(2_000)
    expect(refuseBody(payload, 'bot')).toBeUndefined()
  })

  it('is nobody in an edit', () => {
    expect(contentOf({ ...spike, mentions: ['here', person] })).toEqual(contentOf(spike))
  })
})

test('a bot and a webhook send it, and an edit of it rings nobody', async () => {
  const { discord, bot, hook } = await open()
  const { signal } = new AbortController()
  for (const channel of [bot, hook]) {
    const sent = await channel.send({ ...spike, mentions: [`&${role}`] }, attempt())
    if (sent.result !== 'sent') throw new Error('not sent')
    const body = { allowed_mentions: { parse: [], roles: [role] } }
    expect(discord.posted(discord.channelId).at(-1)).toMatchObject({ body })
    await channel.edit?.({ ...spike, mentions: [`&${role}`] }, sent.receipt, signal)
    const edited = discord.posted(discord.channelId).at(-1)
    expect(edited).toMatchObject({ body: { allowed_mentions: { parse: [] } } })
    expect(JSON.stringify(edited?.body)).not.toContain(role)
  }
})

describe('check', () => {
  async function mentioned(who: string[], options: FakeDiscordOptions = {}) {
    const discord = await startFakeDiscord(options)
    const account = DiscordAccount.parse({ token: discord.token, apiUrl: discord.url })
    const mentions = who.map((one) => ({ who: one }))
    const settings = DiscordSettings.parse({ name: 'bot', type: 'discord', to: discord.channelId, mentions })
    const [bot] = await openDiscord(account, [settings], { timeoutMs: 10_000 })
    onTestFinished(async () => {
      await Promise.all([bot?.close(), discord.close()])
    })
    return (await bot?.check())?.filter(({ what }) => what === 'mentions')
  }
  const usual =
    permission.viewChannel | permission.sendMessages | permission.embedLinks | permission.readMessageHistory

  test.each(['here', 'channel'])('says that %s rings nobody without the permission', async (who) => {
    expect(await mentioned([who])).toEqual([
      {
        level: 'warn',
        what: 'mentions',
        text: expect.stringContaining(`Mention Everyone, so ${who} notifies nobody`),
      },
    ])
    expect(await mentioned([who], { everyone: usual | (1n << 17n) })).toEqual([])
  })

  test('a person may always be mentioned; a role must be there, and be one', async () => {
    expect(await mentioned([person])).toEqual([])
    expect(await mentioned([`&${role}`])).toEqual([
      { level: 'fail', what: 'mentions', text: `There is no role &${role} on the server.` },
    ])
    const roles = { [role]: 0n }
    expect(await mentioned([role], { roles })).toMatchObject([
      { level: 'fail', text: expect.stringContaining(`"&${role}"`) },
    ])
    expect(await mentioned([`&${role}`], { roles })).toMatchObject([{ level: 'warn' }])
    expect(await mentioned([`&${role}`], { roles, mentionable: [role] })).toEqual([])
  })
})

test.each(['everyone', '@here', '#ai-desk', '123', 'U0123456', `<@${person}>`, ''])(
  '%j is nobody to mention',
  (who) => {
    const channel = { name: 'bot', type: 'discord', to: person, mentions: [{ who }] }
    expect(DiscordSettings.safeParse(channel).error?.issues).toMatchObject([{ path: ['mentions', 0, 'who'] }])
  },
)
