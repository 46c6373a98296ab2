import { describe, expect, it } from 'vitest'
import type { Picture } from '../../../../src/channels/channel.ts'
import { formatDiscord } from '../../../../src/channels/discord/format.ts'
import type { Misbehaviour } from '../../../support/fakes/discord.ts'
import { permission } from '../../../support/fakes/discord-world.ts'
import { attempt, open } from './opened.ts'
import { spike } from './sample.ts'

const { signal } = new AbortController()
const picture: Picture = {
  png: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]),
  title: 'The last 90 days',
  alt: `What it shows. ${'x'.repeat(2_000)}`,
}
const mayWrite = permission.viewChannel | permission.sendMessages | permission.embedLinks

const failures: [what: string, does: Misbehaviour['does'], expected: object][] = [
  [
    'a limit',
    { limited: 2, scope: 'user' },
    { result: 'retry', uncertain: false, afterMs: expect.any(Number) },
  ],
  // A second try puts the same picture in the same place.
  ['a cut connection', 'cut', { result: 'retry', uncertain: false }],
  ['a bad gateway', { html: 502 }, { result: 'retry', uncertain: false }],
  [
    'a message that was deleted',
    { answer: 404, body: { message: 'Unknown Message', code: 10008 } },
    { result: 'permanent' },
  ],
]

describe.each(['bot', 'hook'] as const)('a message sent by the %s', (kind) => {
  async function post(options: Parameters<typeof open>[0] = {}) {
    const opened = await open({ pictures: true, ...options })
    const channel = opened[kind]
    const sent = await channel.send(spike, attempt())
    if (sent.result !== 'sent' || channel.addPicture === undefined || channel.edit === undefined)
      throw new Error('it was not sent')
    const { discord } = opened
    const { edit, addPicture } = channel
    return { discord, receipt: sent.receipt, edit, addPicture }
  }

  it('gets its picture with its words in its place, and no other is sent', async () => {
    const { discord, receipt, addPicture } = await post()
    expect(await addPicture(picture, receipt, signal)).toEqual({ result: 'sent', receipt })
    const { content, embeds } = formatDiscord(spike)
    expect(discord.posted(discord.channelId)).toMatchObject([
      {
        id: receipt.id,
        content,
        embeds,
        attachments: [
          {
            filename: 'chart.png',
            content_type: 'image/png',
            description: expect.stringMatching(/^What it shows\. x+…$/),
          },
        ],
      },
    ])
    const request = discord.requests.at(-1)
    expect(request?.method).toBe('PATCH')
    expect(request?.files).toMatchObject([{ key: 'files[0]', bytes: picture.png }])
  })

  it('keeps it when the text is edited, and has one however often it is added', async () => {
    const { discord, receipt, addPicture, edit } = await post()
    await addPicture(picture, receipt, signal)
    await addPicture(picture, receipt, signal)
    expect(await edit({ ...spike, headline: 'Since corrected.' }, receipt, signal)).toMatchObject({
      result: 'sent',
    })
    expect(discord.posted(discord.channelId)).toMatchObject([
      { content: 'Since corrected.', attachments: [{ filename: 'chart.png' }] },
    ])
  })

  it.each(failures)('stands without it after %s', async (_, does, expected) => {
    const { discord, receipt, addPicture } = await post()
    discord.script({ does })
    expect(await addPicture(picture, receipt, signal)).toMatchObject(expected)
    expect(discord.posted(discord.channelId)).toHaveLength(1)
  })

  it('cannot have one where Discord did not say which it is', async () => {
    const { addPicture } = await post()
    expect(await addPicture(picture, { text: '' }, signal)).toMatchObject({ result: 'permanent' })
  })
})

describe('where pictures are off', () => {
  it.each(['bot', 'hook'] as const)('the %s adds none', async (kind) => {
    const channel = (await open())[kind]
    expect(channel).not.toHaveProperty('addPicture')
    expect(channel.pictures).toBeUndefined()
  })
})

describe('without Attach Files', () => {
  it('Discord refuses, and it is said what to do', async () => {
    const { discord, bot } = await open({ pictures: true, everyone: mayWrite })
    const sent = await bot.send(spike, attempt())
    if (sent.result !== 'sent') throw new Error('it was not sent')
    expect(await bot.addPicture?.(picture, sent.receipt, signal)).toEqual({
      result: 'blocked',
      why: 'The bot may not attach files there: allow it Attach Files in the channel’s settings (code 50013).',
    })
    expect(discord.posted(discord.channelId)).toHaveLength(1)
  })

  it('check says so where pictures are on, and only there', async () => {
    const whats = async (pictures: boolean) =>
      (await (await open({ pictures, everyone: mayWrite })).bot.check()).map(
        ({ level, what }) => `${level} ${what}`,
      )
    expect(await whats(true)).toContain('warn pictures')
    expect(await whats(false)).not.toContain('warn pictures')
  })
})
