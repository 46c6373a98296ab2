import { describe, expect, it, onTestFinished } from 'vitest'
import { openDiscord } from '../../../../src/channels/discord/channel.ts'
import { DiscordAccount, DiscordSettings } from '../../../../src/channels/discord/config.ts'
import { formatDiscord } from '../../../../src/channels/discord/format.ts'
import type { Misbehaviour } from '../../../support/fakes/discord.ts'
import { attempt, open } from './opened.ts'
import { nasty, spike } from './sample.ts'

const { signal } = new AbortController()
const edited = { ...spike, text: [...spike.text, 'Also found in the published figures: 30% of 500.'] }

const jsonError = (status: number, code: number, message: string) => ({
  answer: status,
  body: { message, code },
})

const outcomes: [what: string, does: Misbehaviour['does'], expected: object][] = [
  [
    'one that was deleted',
    jsonError(404, 10008, 'Unknown Message'),
    { result: 'permanent', why: 'The message was deleted, or another bot posted it (code 10008).' },
  ],
  ['a limit', { limited: 2, scope: 'user' }, { result: 'retry', uncertain: false }],
  ['a bad gateway', { html: 502 }, { result: 'retry' }],
  ['a page of a proxy with 200', { html: 200 }, { result: 'retry' }],
  ['a cut connection', 'cut', { result: 'retry' }],
  ['a wrong field', { answer: 400, body: { code: 50035, message: 'Invalid' } }, { result: 'permanent' }],
]

describe.each(['bot', 'hook'] as const)('a message sent by the %s', (kind) => {
  async function post() {
    const opened = await open()
    const channel = opened[kind]
    const sent = await channel.send(spike, attempt())
    if (sent.result !== 'sent' || channel.edit === undefined) throw new Error('it was not sent')
    const { discord } = opened
    return { discord, receipt: sent.receipt, edit: channel.edit, linkTo: channel.linkTo }
  }

  it('says more in its place, and no other is sent', async () => {
    const { discord, receipt, edit } = await post()
    expect(await edit(edited, receipt, signal)).toEqual({ result: 'sent', receipt })
    const { content, embeds } = formatDiscord(edited)
    const posted = discord.posted(discord.channelId)
    expect(posted).toMatchObject([
      { id: receipt.id, content, embeds, body: { allowed_mentions: { parse: [] } } },
    ])
    expect(discord.requests.at(-1)?.method).toBe('PATCH')
  })

  it('is found by a receipt of before places were kept', async () => {
    const { receipt, edit } = await post()
    const old = { id: receipt.id ?? '', text: `${receipt.text}; it may be there twice` }
    expect(await edit(edited, old, signal)).toEqual({ result: 'sent', receipt: old })
  })

  it('has an address in its server, which Discord names', async () => {
    const { discord, receipt, linkTo } = await post()
    expect(await linkTo?.(receipt, signal)).toBe(
      `https://discord.com/channels/1160000000000000001/${discord.channelId}/${receipt.id}`,
    )
    expect(await linkTo?.({ text: '' }, signal)).toBeUndefined()
  })

  it('mentions nobody, even if its new text would', async () => {
    const { discord, receipt, edit } = await post()
    for (const text of nasty) {
      expect(await edit({ ...spike, text: [text] }, receipt, signal)).toMatchObject({ result: 'sent' })
      expect(discord.posted(discord.channelId)[0]?.body).toMatchObject({ allowed_mentions: { parse: [] } })
    }
  })

  it.each(outcomes)('meets %s', async (_, does, expected) => {
    const { discord, receipt, edit } = await post()
    discord.script({ does })
    expect(await edit(edited, receipt, signal)).toMatchObject(expected)
    expect(discord.posted(discord.channelId)).toHaveLength(1)
  })

  it('is let alone where Discord did not name it', async () => {
    const { edit } = await post()
    expect(await edit(edited, { text: '' }, signal)).toMatchObject({ result: 'permanent' })
  })
})

it('is edited where it stands, when the channel goes elsewhere by now', async () => {
  const { discord, bot } = await open()
  const sent = await bot.send(spike, attempt())
  if (sent.result !== 'sent') throw new Error('it was not sent')
  const account = DiscordAccount.parse({ token: discord.token, apiUrl: discord.url })
  const [moved] = await openDiscord(account, [
    DiscordSettings.parse({ name: 'bot', type: 'discord', to: '1180000000000000777' }),
  ])
  onTestFinished(() => moved?.close())
  expect(await moved?.edit?.(edited, sent.receipt, signal)).toMatchObject({ result: 'sent' })
  const { embeds } = formatDiscord(edited)
  expect(discord.posted(discord.channelId)).toMatchObject([{ embeds }])
})
