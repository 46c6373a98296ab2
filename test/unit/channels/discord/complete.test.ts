import { describe, expect, it } from 'vitest'
import { formatDiscord } from '../../../../src/channels/discord/format.ts'
import type { Misbehaviour } from '../../../support/fakes/discord.ts'
import { attempt, open } from './opened.ts'
import { nasty, spike } from './sample.ts'

const { signal } = new AbortController()
const completed = { ...spike, text: [...spike.text, 'Also seen by polling: 30 % of 500.'] }

const jsonError = (status: number, code: number, message: string) => ({
  answer: status,
  body: { message, code },
})

const outcomes: [what: string, does: Misbehaviour['does'], expected: object][] = [
  [
    'one that was deleted',
    jsonError(404, 10008, 'Unknown Message'),
    { result: 'permanent', why: 'The message is not there any more, or not ours (code 10008).' },
  ],
  ['a limit', { limited: 2, scope: 'user' }, { result: 'retry', uncertain: false }],
  ['a bad gateway', { html: 502 }, { result: 'retry' }],
  ['a cut connection', 'cut', { result: 'retry' }],
  ['a wrong field', { answer: 400, body: { code: 50035, message: 'Invalid' } }, { result: 'permanent' }],
]

describe.each(['bot', 'hook'] as const)('a message sent by the %s', (kind) => {
  async function post() {
    const opened = await open()
    const channel = opened[kind]
    const sent = await channel.send(spike, attempt())
    if (sent.result !== 'sent' || channel.complete === undefined) throw new Error('it was not sent')
    const { discord } = opened
    return { discord, receipt: sent.receipt, complete: channel.complete }
  }

  it('says more in its place, and no other is sent', async () => {
    const { discord, receipt, complete } = await post()
    expect(await complete(completed, receipt, signal)).toEqual({ result: 'sent', receipt })
    const { content, embeds } = formatDiscord(completed)
    const posted = discord.posted(discord.channelId)
    expect(posted).toMatchObject([
      { id: receipt, content, embeds, body: { allowed_mentions: { parse: [] } } },
    ])
    expect(discord.requests.at(-1)?.method).toBe('PATCH')
  })

  it('is found by a receipt with a remark behind it', async () => {
    const { receipt, complete } = await post()
    const remarked = `${receipt}; it may be there twice`
    expect(await complete(completed, remarked, signal)).toEqual({ result: 'sent', receipt: remarked })
  })

  it('mentions nobody, whatever it says by then', async () => {
    const { discord, receipt, complete } = await post()
    for (const text of nasty) {
      expect(await complete({ ...spike, text: [text] }, receipt, signal)).toMatchObject({ result: 'sent' })
      expect(discord.posted(discord.channelId)[0]?.body).toMatchObject({ allowed_mentions: { parse: [] } })
    }
  })

  it.each(outcomes)('meets %s', async (_, does, expected) => {
    const { discord, receipt, complete } = await post()
    discord.script({ does })
    expect(await complete(completed, receipt, signal)).toMatchObject(expected)
    expect(discord.posted(discord.channelId)).toHaveLength(1)
  })

  it('is let alone where Discord did not name it', async () => {
    const { complete } = await post()
    expect(await complete(completed, '', signal)).toMatchObject({ result: 'permanent' })
  })
})
