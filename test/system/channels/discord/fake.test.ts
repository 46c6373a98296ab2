import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { formatDiscord } from '../../../../src/channels/discord/format.ts'
import { refuseBody } from '../../../support/fakes/discord-body.ts'
import { spike } from '../../../unit/channels/discord/sample.ts'

const good = formatDiscord(spike)
const [embed] = good.embeds
const field = { name: 'a', value: 'b', inline: true }

describe('the fake of Discord', () => {
  it.each([
    ['content', { ...good, content: 'x'.repeat(2001) }],
    ['title', { ...good, embeds: [{ ...embed, title: 'x'.repeat(257) }] }],
    ['description', { ...good, embeds: [{ ...embed, description: 'x'.repeat(4097) }] }],
    ['fields', { ...good, embeds: [{ ...embed, fields: Array(26).fill(field) }] }],
    ['name', { ...good, embeds: [{ ...embed, fields: [{ ...field, name: 'x'.repeat(257) }] }] }],
    ['value', { ...good, embeds: [{ ...embed, fields: [{ ...field, value: ' ' }] }] }],
    ['text', { ...good, embeds: [{ ...embed, footer: { text: 'x'.repeat(2049) } }] }],
    ['url', { ...good, embeds: [{ ...embed, url: 'javascript:alert(1)' }] }],
    ['timestamp', { ...good, embeds: [{ ...embed, timestamp: 'yesterday' }] }],
    ['embeds', { ...good, embeds: Array(11).fill(embed) }],
    ['embeds', { ...good, embeds: Array(2).fill({ description: 'x'.repeat(3001) }) }],
    ['nonce', { ...good, nonce: 'x'.repeat(26) }],
    ['colour', { ...good, colour: 1 }],
  ])('refuses what Discord refuses, and names it: %s', (name, body) => {
    const refused = refuseBody(body, 'bot')
    expect(refused?.body.code).toBe(50035)
    expect(JSON.stringify(refused?.body.errors)).toContain(`"${name}"`)
  })

  it('takes a webhook’s message only without a nonce, which is not documented there', () => {
    const { nonce, enforce_nonce, ...body } = good
    expect(refuseBody({ ...body, nonce, enforce_nonce }, 'webhook')?.body.code).toBe(50035)
    expect(refuseBody(body, 'webhook')).toBeUndefined()
  })

  it('runs as a process of its own', async () => {
    const child = spawn(process.execPath, ['test/support/fakes/discord.ts', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill())
    const [line] = await once(createInterface(child.stdout), 'line')
    const { url, channelId, webhookUrl } = JSON.parse(line)
    const post = (to: string, body: unknown) =>
      fetch(to, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'user-agent': 'DiscordBot (https://x, 1)' },
      })
    const execute = `${webhookUrl.replace('/api/', '/api/v10/')}?wait=true`
    const origin = url.replace('/api', '')
    await post(`${origin}/_fake/script`, { does: { html: 502 } })
    expect((await post(execute, { content: 'one' })).status).toBe(502)
    expect((await post(execute, { content: 'two' })).status).toBe(200)
    const posted = await (await fetch(`${origin}/_fake/posted/${channelId}`)).json()
    expect(posted).toMatchObject([{ content: 'two', body: { content: 'two' } }])
  })
})
