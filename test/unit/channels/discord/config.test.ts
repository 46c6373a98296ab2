import { describe, expect, it } from 'vitest'
import { DiscordAccount, DiscordSettings, readWebhookUrl } from '../../../../src/channels/discord/config.ts'

const base = { name: 'desk', type: 'discord' }
const id = '1180000000000000001'
const hook = `https://discord.com/api/webhooks/${id}/secret-token_1`

function problems(channel: object): string[] {
  return DiscordSettings.safeParse({ ...base, ...channel }).error?.issues.map((issue) => issue.message) ?? []
}

describe('a Discord channel in the configuration', () => {
  it('has a channel id or a webhook', () => {
    expect(problems({ to: id })).toEqual([])
    expect(problems({ webhookUrl: hook })).toEqual([])
  })

  it('has not both and not neither', () => {
    for (const channel of [{}, { to: id, webhookUrl: hook }]) {
      expect(problems(channel)).toEqual([
        expect.stringMatching(/exactly one of the two: `to`.*discord\.token.*`webhookUrl`/),
      ])
    }
  })

  it('says to write a number in quotes, since YAML loses its last digits', () => {
    expect(problems({ to: Number(id) })).toEqual([expect.stringContaining('in quotes')])
  })

  it('says what a channel id looks like', () => {
    expect(problems({ to: '#ai-desk' })).toEqual([expect.stringContaining('17 to 20 digits')])
  })

  it.each([
    ['http://discord.com/api/webhooks/1180000000000000001/secret', 'is not https'],
    ['https://discord.com/channels/1/2', 'is not a webhook'],
    [`${hook}/slack`, 'speaks another format'],
    [`${hook}?wait=false`, 'has a query of its own'],
    [`${hook}?thread_id=abc`, 'has a thread that is none'],
    ['https://user:pass@discord.com/api/webhooks/1180000000000000001/secret', 'has credentials'],
    ['discord', 'is no address'],
  ])('refuses %s, which %s, without repeating it', (webhookUrl) => {
    const [problem = ''] = problems({ webhookUrl })
    expect(problem).toContain('https://discord.com/api/webhooks/ID/TOKEN')
    expect(problem).not.toContain('secret')
  })

  it('takes a webhook on loopback over http, and one for a thread', () => {
    expect(readWebhookUrl(`http://127.0.0.1:8080/webhooks/${id}/t`)).toEqual({
      api: 'http://127.0.0.1:8080',
      id,
      token: 't',
    })
    expect(readWebhookUrl(`${hook}?thread_id=${id}`)).toMatchObject({
      api: 'https://discord.com/api',
      threadId: id,
    })
  })

  it('refuses a key that it does not know', () => {
    expect(problems({ to: id, chanel: 'x' })).toHaveLength(1)
  })
})

describe('the Discord account in the configuration', () => {
  it('uses the address of Discord by default', () => {
    expect(DiscordAccount.parse({}).apiUrl).toBe('https://discord.com/api')
  })

  it('refuses a token with "Bot" before it, and an unprotected address for it', () => {
    expect(DiscordAccount.safeParse({ token: 'Bot abc' }).error?.issues[0]?.message).toContain(
      'without "Bot "',
    )
    expect(
      DiscordAccount.safeParse({ apiUrl: 'http://discord.com/api' }).error?.issues[0]?.message,
    ).toContain('https')
  })
})
