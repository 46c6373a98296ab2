import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { SendResult } from '../../../../src/channels/channel.ts'
import { openDiscord } from '../../../../src/channels/discord/channel.ts'
import { DiscordAccount, DiscordSettings } from '../../../../src/channels/discord/config.ts'
import { formatDiscord } from '../../../../src/channels/discord/format.ts'
import type { Misbehaviour } from '../../../support/fakes/discord.ts'
import { secrets } from '../../../support/fakes/discord-world.ts'
import { attempt, open } from '../../../unit/channels/discord/opened.ts'
import { spike } from '../../../unit/channels/discord/sample.ts'

const jsonError = (status: number, code: number, message: string) => ({
  answer: status,
  body: { message, code },
})
const titleTooLong = {
  _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 256 or fewer in length.' }],
}
const formError = {
  code: 50035,
  message: 'Invalid Form Body',
  errors: { embeds: { 0: { title: titleTooLong } } },
}

const retry = (uncertain: boolean, why: RegExp) => ({
  result: 'retry',
  uncertain,
  why: expect.stringMatching(why),
})
const unanswered = (why: RegExp) => ({ ...retry(true, why), unanswered: true })
const blocked = (why: RegExp) => ({ result: 'blocked', why: expect.stringMatching(why) })

/** What Discord does with a message, and what the channel makes of it, whether a bot or a webhook sent it. */
const outcomes: [what: string, does: Misbehaviour['does'], expected: object][] = [
  ['an error of its own', jsonError(500, 0, '500: Internal Server Error'), retry(true, /HTTP 500/)],
  ['a bad gateway', { html: 502 }, retry(true, /HTTP 502/)],
  ['a gateway that gave up waiting', { html: 504 }, unanswered(/HTTP 504/)],
  ['Cloudflare that gave up waiting', { html: 524 }, unanswered(/HTTP 524/)],
  ['being unavailable', { html: 503 }, retry(true, /HTTP 503/)],
  ['silence', 'hang', unanswered(/not answer in time/)],
  ['a body that never ends', 'hang in the body', unanswered(/not answer in time/)],
  ['a reset connection', 'reset', unanswered(/connection broke/)],
  ['a cut connection', 'cut', unanswered(/connection broke/)],
  ['a page of something else', { html: 200 }, retry(true, /not come from Discord/)],
  [
    'a redirect',
    { answer: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } },
    retry(true, /not come from Discord/),
  ],
  ['JSON that is not an object', { answer: 400, body: null }, retry(true, /failed/)],
  ['a page that forbids', { html: 403 }, retry(false, /in front of Discord.*403/)],
  ['Cloudflare in the way', jsonError(403, 40333, 'Cloudflare is blocking'), retry(false, /40333/)],
  ['overload', jsonError(503, 130000, 'API resource is currently overloaded'), retry(true, /503/)],
  [
    'an unknown refusal',
    jsonError(409, 99999, 'Something new'),
    retry(false, /409.*Something new, code 99999/),
  ],
  ['missing access', jsonError(403, 50001, 'Missing Access'), blocked(/View Channel.*50001/)],
  ['missing permissions', jsonError(403, 50013, 'Missing Permissions'), blocked(/Send Messages.*50013/)],
  ['an unknown channel', jsonError(404, 10003, 'Unknown Channel'), blocked(/`to`.*10003/)],
  ['an unknown webhook', jsonError(404, 10015, 'Unknown Webhook'), blocked(/webhookUrl.*10015/)],
  ['a wrong webhook token', jsonError(401, 50027, 'Invalid Webhook Token'), blocked(/webhookUrl.*50027/)],
  ['a forum', jsonError(400, 220001, 'Webhooks posted to forum channels…'), blocked(/thread_id/)],
  [
    'a wrong field',
    { answer: 400, body: formError },
    { result: 'permanent', why: expect.stringMatching(/embeds\[0\]\.title.*256 or fewer/) },
  ],
  [
    'its filter',
    jsonError(400, 240000, 'Message blocked by harmful links filter'),
    { result: 'permanent', why: expect.stringMatching(/harmful links/) },
  ],
]

/** Discord's id of a message, and of the channel that it stands in. */
function receiptOf({ channelId }: { channelId: string }, id: string | undefined) {
  return { place: channelId, id, text: id }
}

describe.each(['bot', 'hook'] as const)('a message sent by the %s', (kind) => {
  it('is sent, and its receipt is Discord’s id of it', async () => {
    const opened = await open()
    const result = await opened[kind].send(spike, attempt())
    const [posted] = opened.discord.posted(opened.discord.channelId)
    expect(result).toEqual({ result: 'sent', receipt: receiptOf(opened.discord, posted?.id) })
    expect(posted).toMatchObject({ content: spike.headline, body: { allowed_mentions: { parse: [] } } })
  })

  it.each(outcomes)('meets %s', async (_, does, expected) => {
    const isSilent = does === 'hang' || does === 'hang in the body'
    const opened = await open({ timeoutMs: isSilent ? 300 : 1_500 })
    opened.discord.script({ does })
    const result = await opened[kind].send(spike, attempt())
    expect(result).toEqual(expected)
    expect(opened.discord.requests).toHaveLength(1)
  })

  it.each([
    ['its route’s limit', { limited: 1.337, scope: 'user' }, 1337],
    ['the resource’s limit', { limited: 64.57, scope: 'shared' }, 64_570],
    ['the global limit', { limited: 2.5, scope: 'global' }, 2500],
    ['a limit given in the body only', { limited: 0.25, scope: 'user', header: false }, 250],
    ['Cloudflare’s limit', { html: 429, headers: { 'retry-after': '30' } }, 30_000],
  ] satisfies [string, Misbehaviour['does'], number][])('waits as long as %s says', async (_, does, wait) => {
    const opened = await open()
    opened.discord.script({ does })
    const result = await opened[kind].send(spike, attempt())
    // discord.js adds 50 ms for clocks that differ.
    const near = (given: number) => given > wait - 30 && given <= wait + 60
    expect(result).toMatchObject({ result: 'retry', uncertain: false, afterMs: expect.toSatisfy(near) })
  })

  it('leaves the wait to the policy where Cloudflare does not say', async () => {
    const opened = await open()
    opened.discord.script({ does: { html: 429 } })
    const result = await opened[kind].send(spike, attempt())
    expect(result).toEqual({ result: 'retry', uncertain: false, why: expect.any(String) })
  })

  it('is not sent while Discord’s headers say that the limit is used up', async () => {
    const opened = await open({ rate: { limit: 2, windowMs: 60_000 } })
    const results: SendResult[] = []
    for (const id of ['evt_1', 'evt_2', 'evt_3'])
      results.push(await opened[kind].send({ ...spike, id }, attempt()))
    expect(results.map(({ result }) => result)).toEqual(['sent', 'sent', 'retry'])
    expect(results[2]).toMatchObject({ uncertain: false, afterMs: expect.toSatisfy((ms) => ms > 55_000) })
    expect(opened.discord.requests).toHaveLength(2)
  })

  it('goes on after the global limit is over', async () => {
    const opened = await open()
    opened.discord.script({ does: { limited: 0.05, scope: 'global' } })
    await opened[kind].send(spike, attempt())
    await vi.waitFor(async () => {
      expect(await opened[kind].send(spike, attempt())).toMatchObject({ result: 'sent' })
    })
  })

  it('is uncertain when the process stops while Discord has it', async () => {
    const opened = await open()
    const stop = new AbortController()
    opened.discord.script({ does: 'hang' })
    const sending = opened[kind].send(spike, attempt({ signal: stop.signal }))
    await vi.waitFor(() => expect(opened.discord.requests).toHaveLength(1))
    stop.abort()
    expect(await sending).toEqual(unanswered(/stopped before/))
  })

  it('is certain not to have been sent where Discord does not listen', async () => {
    const opened = await open()
    await opened.discord.close()
    expect(await opened[kind].send(spike, attempt())).toEqual(retry(false, /ECONNREFUSED/))
  })

  it('is taken again once what blocked the channel is over', async () => {
    const opened = await open()
    opened.discord.script({ does: jsonError(401, 0, '401: Unauthorized') })
    expect(await opened[kind].send(spike, attempt())).toEqual(
      blocked(kind === 'bot' ? /discord\.token/ : /webhookUrl/),
    )
    expect(await opened[kind].send(spike, attempt())).toMatchObject({ result: 'sent' })
  })

  it('reveals no secret with any kind of failure', async () => {
    const opened = await open({ timeoutMs: 100 })
    const told: SendResult[] = []
    const echo = jsonError(404, 0, `no route POST ${opened.discord.webhookUrl}`)
    for (const does of [
      ...outcomes.map(([, does]) => does),
      echo,
      { limited: 0.001, scope: 'user' } as const,
    ]) {
      opened.discord.script({ does })
      told.push(await opened[kind].send(spike, attempt()))
      await setImmediate()
    }
    await opened.discord.close()
    told.push(await opened[kind].send(spike, attempt()))
    const text = JSON.stringify([told, await opened[kind].check()])
    expect(text).not.toContain(secrets.token)
    expect(text).not.toContain(secrets.webhookToken)
    expect(text).not.toContain(opened.discord.url)
  })
})

describe('a bot’s message', () => {
  it('is one message where the first try was cut off after Discord took it', async () => {
    const { discord, bot } = await open()
    discord.script({ does: 'cut' })
    expect(await bot.send(spike, attempt())).toMatchObject({ result: 'retry', uncertain: true })
    const again = await bot.send(spike, attempt())
    const posted = discord.posted(discord.channelId)
    expect(posted).toHaveLength(1)
    expect(again).toEqual({ result: 'sent', receipt: receiptOf(discord, posted[0]?.id) })
  })

  it('is looked for, and not sent again, once Discord has forgotten the nonce', async () => {
    const { discord, bot } = await open({ nonceMs: 0 })
    discord.script({ does: 'cut', on: 'POST' })
    await bot.send(spike, attempt())
    const result = await bot.send(spike, attempt({ uncertain: true }))
    const posted = discord.posted(discord.channelId)
    expect(posted).toHaveLength(1)
    expect(result).toEqual({ result: 'sent', receipt: receiptOf(discord, posted[0]?.id) })
  })

  it.each([22, 229])('is found among hundreds of others: number %i', async (number) => {
    const { discord, bot } = await open({ nonceMs: 0 })
    const numbered = (of: number) => ({ ...spike, id: `evt_${of}`, source: 'Reported' })
    for (let of = 0; of < 230; of++) discord.write(discord.channelId, formatDiscord(numbered(of)))
    const result = await bot.send(numbered(number), attempt({ uncertain: true }))
    const posted = discord.posted(discord.channelId)
    expect(posted).toHaveLength(230)
    expect(result).toEqual({ result: 'sent', receipt: receiptOf(discord, posted[number]?.id) })
  })

  it('is searched for behind what stood there before it, however much that is', async () => {
    const { discord, bot } = await open({ nonceMs: 0 })
    const numbered = (of: number) => ({ ...spike, id: `evt_${of}`, source: 'Reported' })
    for (let of = 0; of < 230; of++) discord.write(discord.channelId, formatDiscord(numbered(of)))
    await bot.send(numbered(300), attempt())
    discord.script({ does: 'reset', on: 'POST' })
    await bot.send(numbered(301), attempt())
    expect(await bot.send(numbered(301), attempt({ uncertain: true }))).toMatchObject({ result: 'sent' })
    expect(discord.posted(discord.channelId)).toHaveLength(232)
    // Who the bot is, and one page.
    expect(discord.requests.filter(({ method }) => method === 'GET')).toHaveLength(2)
  })

  it('is sent where the earlier one is not there', async () => {
    const { discord, bot } = await open()
    await bot.send({ ...spike, id: 'evt_other', source: 'x' }, attempt())
    expect(await bot.send(spike, attempt({ uncertain: true }))).toMatchObject({ result: 'sent' })
    expect(discord.posted(discord.channelId)).toHaveLength(2)
  })

  it('is not taken for one that somebody else wrote', async () => {
    const { discord, bot, hook } = await open()
    await hook.send(spike, attempt())
    await bot.send(spike, attempt({ uncertain: true }))
    expect(discord.posted(discord.channelId)).toHaveLength(2)
  })

  it.each([
    ['may not read', { does: jsonError(403, 50001, 'Missing Access'), on: 'GET' }],
    ['is shown no history', { does: { answer: 200, body: [] }, on: 'GET /channels' }],
  ] satisfies [string, Misbehaviour][])(
    'is sent where the bot %s, while the nonce holds, and nobody can be asked for it any more',
    async (_, plan) => {
      const { discord, bot } = await open()
      discord.script({ does: 'cut', on: 'POST' }, plan)
      await bot.send(spike, attempt())
      expect(await bot.send(spike, attempt({ uncertain: true }))).toMatchObject({ result: 'sent' })
      expect(bot.cannotVerifyDelivery).toBe(true)
      expect(discord.posted(discord.channelId)).toHaveLength(1)
    },
  )

  it('of an earlier process is sent again as a possible repeat if the bot may not read', async () => {
    const { discord, bot } = await open()
    discord.script(
      { does: jsonError(403, 50001, 'Missing Access'), on: 'GET' },
      { does: jsonError(403, 50001, 'Missing Access'), on: 'GET' },
    )
    expect(await bot.send(spike, attempt({ uncertain: true }))).toMatchObject({
      result: 'retry',
      uncertain: true,
      unanswered: true,
    })
    expect(bot.cannotVerifyDelivery).toBe(true)
    expect(discord.posted(discord.channelId)).toHaveLength(0)
    const repeat = await bot.send(spike, attempt({ uncertain: true, repeat: true }))
    expect(repeat).toMatchObject({ result: 'sent' })
  })

  it('waits where Discord cannot say now whether the earlier one is there', async () => {
    const { discord, bot } = await open()
    discord.script({ does: { html: 502 }, on: 'GET' })
    expect(await bot.send(spike, attempt({ uncertain: true }))).toMatchObject({
      result: 'retry',
      uncertain: true,
    })
    expect(discord.posted(discord.channelId)).toHaveLength(0)
  })

  it('reaches two channels, though Discord remembers nonces by author', async () => {
    const { discord } = await open()
    const account = DiscordAccount.parse({ token: discord.token, apiUrl: discord.url })
    const settings = [discord.channelId, discord.otherChannelId].map((to, index) =>
      DiscordSettings.parse({ name: `c${index}`, type: 'discord', to }),
    )
    for (const channel of await openDiscord(account, settings)) {
      expect(await channel.send(spike, attempt())).toMatchObject({ result: 'sent' })
      await channel.close()
    }
    expect(discord.posted(discord.channelId)).toHaveLength(1)
    expect(discord.posted(discord.otherChannelId)).toHaveLength(1)
  })

  it('carries the token, which a webhook’s does not', async () => {
    const { discord, bot, hook } = await open()
    await bot.send(spike, attempt())
    await hook.send(spike, attempt())
    expect(discord.requests.map(({ authorization }) => authorization)).toEqual([
      `Bot ${secrets.token}`,
      undefined,
    ])
  })
})

describe('a webhook’s message', () => {
  it('is sent again where it was cut off, since nobody can be asked for it', async () => {
    const { discord, hook } = await open()
    discord.script({ does: 'cut' })
    await hook.send(spike, attempt())
    expect(hook.cannotVerifyDelivery).toBe(true)
    expect(await hook.send(spike, attempt({ uncertain: true, repeat: true }))).toMatchObject({
      result: 'sent',
    })
    expect(discord.posted(discord.channelId)).toHaveLength(2)
  })

  it('goes to the thread that its address names', async () => {
    const thread = { id: '1180000000000000003', name: 'alerts', type: 11, parent_id: '1180000000000000001' }
    const { discord } = await open({
      channels: [{ id: '1180000000000000001', name: 'desk', type: 15 }, thread],
    })
    const webhookUrl = `${discord.webhookUrl}?thread_id=${thread.id}`
    const [hook] = await openDiscord(undefined, [
      DiscordSettings.parse({ name: 'h', type: 'discord', webhookUrl }),
    ])
    const sent = await hook?.send(spike, attempt())
    expect(sent).toMatchObject({ result: 'sent', receipt: { place: thread.id, thread: thread.id } })
    expect(discord.posted(thread.id)).toHaveLength(1)
    if (sent?.result !== 'sent') throw new Error('it was not sent')
    const edited = { ...spike, headline: 'Withdrawn: it was nothing.' }
    expect(await hook?.edit?.(edited, sent.receipt, attempt().signal)).toMatchObject({ result: 'sent' })
    expect(discord.posted(thread.id)).toMatchObject([{ content: edited.headline }])
    expect(discord.requests.at(-1)?.query.get('thread_id')).toBe(thread.id)
  })
})
