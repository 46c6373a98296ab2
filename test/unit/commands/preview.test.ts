import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, onTestFinished, test } from 'vitest'
import { otherContentId } from '../../../src/event/ids.ts'
import { command } from '../../support/command.ts'
import { alert, finding } from '../../support/fakes/events.ts'
import { secret } from '../../support/fakes/signed.ts'
import { configured } from '../../support/served.ts'

const at = new Date().toISOString()
const example = 'An example: no such change was reported, and nothing was sent.\n'
const headline = 'Claude refused 30% of political prompts, up from 18%.'

const accounts = `
slack: { token: xoxb-1-2, apiUrl: "http://127.0.0.1:9/api/" }
discord: { token: abc, apiUrl: "http://127.0.0.1:9/api" }
email: { smtp: "smtp://u:p@127.0.0.1:9", from: "Desk <desk@desk.example>" }
`

/** A channel of each kind; nothing answers at any of their addresses. */
function desk(ai = '') {
  return configured(`${accounts}
channels:
  - { name: ai-desk, type: slack, to: "#ai-desk"${ai} }
  - { name: politics, type: discord, to: "1180000000000000001" }
  - { name: mail, type: email, to: [ada@desk.example], timeZone: Europe/Berlin }
  - { name: terminal, type: console }
`)
}

test.each(['ai-desk', 'politics', 'mail', 'terminal'])(
  '%s shows an example that says that it is one, with no store and nobody to answer',
  async (channel) => {
    const { file } = desk()
    const { code, out, notes } = await command(['preview', channel, '--config', file])
    expect({ code, notes }).toEqual({ code: 0, notes: example })
    expect(out).toMatch(/example: censorship spike/i)
    expect(out.replace(/\s+/g, ' ')).toContain(headline)
  },
)

test('for Slack the file is what the Block Kit Builder reads, for Discord what is posted', async () => {
  const { file, folder } = desk()
  const output = join(folder, 'shown.json')
  expect(await command(['preview', 'ai-desk', '--config', file, '--output', output])).toEqual({
    code: 0,
    out: `${output} shows it.\n`,
    notes: example,
  })
  const slack = JSON.parse(readFileSync(output, 'utf8'))
  expect(Object.keys(slack)).toEqual(['blocks'])
  expect(slack.blocks[1]).toMatchObject({ type: 'header', text: { text: headline } })

  await command(['preview', 'politics', '--config', file, '--output', output])
  expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({
    content: headline,
    embeds: [{ author: { name: 'Example: Censorship spike' } }],
    allowed_mentions: { parse: [] },
  })
})

test('a mail is a file that mail readers open, or one of its parts', async () => {
  const { file, folder } = desk()
  const shown = async (name: string) => {
    const output = join(folder, name)
    expect((await command(['preview', 'mail', '--config', file, '-o', output])).code).toBe(0)
    return readFileSync(output, 'utf8')
  }
  const mail = await PostalMime.parse(await shown('shown.eml'))
  expect(mail).toMatchObject({ subject: headline, from: { name: 'Desk', address: 'desk@desk.example' } })
  expect(mail.to).toMatchObject([{ address: 'ada@desk.example' }])
  expect(mail.text).toContain('EXAMPLE: CENSORSHIP SPIKE')
  expect(await shown('shown.HTML')).toMatch(/^<!doctype html>/i)
  expect(await shown('shown.txt')).toContain('Reported change  +12 percentage points')
})

test('an ending that the channel has no form for is a usage error that lists those there are', async () => {
  const { file } = desk()
  expect(await command(['preview', 'mail', '--config', file, '--output', 'mail.json'])).toEqual({
    code: 2,
    out: '',
    notes: 'bluepencil: mail.json: for mail, the name must end in .eml, .html or .txt\n',
  })
  expect(await command(['preview', 'mail', '--config', file, '-o', '/proc/nowhere/mail.txt'])).toMatchObject({
    code: 1,
    notes: 'bluepencil: /proc/nowhere/mail.txt cannot be written (ENOENT)\n',
  })
})

test('a channel with a language shows it', async () => {
  const { file } = configured('channels: [{ name: desk, type: console, as: email, language: de }]\n')
  const { out, notes } = await command(['preview', 'desk', '--config', file])
  expect(out).toContain('Betreff')
  expect(notes).toBe(example)
})

test('for machines it is one document with the payload', async () => {
  const { file } = desk()
  const { code, out } = await command(['preview', 'ai-desk', '--json', '--config', file])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    channel: 'ai-desk',
    type: 'slack',
    event: 'evt_example',
    isExample: true,
    text: expect.stringContaining('Slack'),
    payload: { text: expect.stringContaining(headline), blocks: expect.any(Array) },
  })
})

test('an event of the store reads as it would now, with what came later of it', async () => {
  const { file, store } = desk()
  const event = alert({ id: 'evt_1', detectedAt: at, receivedAt: at })
  const later = alert({
    ...event,
    id: otherContentId('evt_1', 2),
    delta: 2,
    revises: 'evt_1',
    before: { ...event, by: 'service' },
  })
  await store({ entry: event, outcomes: {} }, { entry: later, outcomes: {} })
  const { code, out, notes } = await command(['preview', 'terminal', 'evt_1', '--config', file], 200)
  expect({ code, notes }).toEqual({ code: 0, notes: '' })
  expect(out).toContain('CORRECTED: Claude’s refusal rate on political prompts rose 12 points.')
  expect(out).not.toMatch(/example:/i)
})

test('which filter would not let it pass is said, and it is shown all the same', async () => {
  const { file, store } = desk(', minDelta: 20')
  await store({ entry: alert({ detectedAt: at, receivedAt: at }), outcomes: {} })
  const words = await command(['preview', 'ai-desk', 'evt_1', '--config', file])
  expect(words).toMatchObject({
    code: 0,
    notes:
      'ai-desk would not get this: minDelta: the channel gets only changes of at least 20 percentage points; the change is 12\n',
  })
  expect(words.out).toContain('Claude’s refusal rate on political prompts rose 12 points.')
  const machine = await command(['preview', 'ai-desk', 'evt_1', '--json', '--config', file])
  expect(JSON.parse(machine.out)).toMatchObject({ outcome: { state: 'not_sent', rule: 'minDelta' } })
})

test('what would be held is said with its reason and its end', async () => {
  const { file, store } = desk(', digest: { every: week }')
  await store({ entry: alert({ detectedAt: at, receivedAt: at }), outcomes: {} })
  const { code, out, notes } = await command(['preview', 'ai-desk', 'evt_1', '--config', file])
  expect(code).toBe(0)
  expect(out).toContain('Claude’s refusal rate on political prompts rose 12 points.')
  expect(notes).toMatch(
    /^ai-desk would get this later, held until \S+T08:00:00\.000Z: .*digest, which goes out every week\n$/,
  )
})

test('a correction passes the filters where what it corrects was sent', async () => {
  const { file, store } = desk(', minDelta: 5')
  const event = alert({ detectedAt: at, receivedAt: at })
  const later = {
    ...event,
    id: 'evt_1~2',
    delta: 2,
    revises: 'evt_1',
    before: { ...event, by: 'service' as const },
  }
  const sent = { state: 'sent' as const, at, attempts: 1, receipt: { text: 'r' } }
  await store({ entry: event, outcomes: { 'ai-desk': sent } }, { entry: later, outcomes: {} })
  expect(await command(['preview', 'ai-desk', 'evt_1~2', '--config', file])).toMatchObject({
    code: 0,
    notes: '',
  })
})

test('beside a running service, which sends nothing', async () => {
  const got: string[] = []
  const server = createServer((request, response) => {
    got.push(request.url ?? '')
    response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const made = configured(`webhook: { secrets: [${secret}] }
channels: [{ name: desk, type: slack, webhookUrl: "http://127.0.0.1:${address.port}/services/T/B/x" }]
`)
  await made.store({ entry: finding({ id: 'poll_1', detectedAt: at, receivedAt: at }), outcomes: {} })
  await made.serve()
  const { code, out } = await command(['preview', 'desk', 'poll_1', '--config', made.file])
  expect(code).toBe(0)
  expect(out).toContain('Bluepencil')
  expect(got).toEqual([])
})

test('a name that is not there is answered with the nearest', async () => {
  const { file, folder, store } = desk()
  expect(await command(['preview', 'ai-dsk', '--config', file])).toEqual({
    code: 2,
    out: '',
    notes:
      'bluepencil: there is no channel called ai-dsk (is ai-desk meant?); there are ai-desk, politics, mail, terminal\n',
  })
  expect(await command(['preview', 'ai-desk', 'evt_1', '--config', file])).toMatchObject({
    code: 1,
    notes: expect.stringContaining(`there is no store in ${folder}/data`),
  })
  await store({ entry: alert({ id: 'evt_01J9ZK3T7M' }), outcomes: {} })
  expect(await command(['preview', 'ai-desk', 'evt_01J9ZK3T7N', '--config', file])).toEqual({
    code: 1,
    out: '',
    notes:
      'bluepencil: no event evt_01J9ZK3T7N is stored (is evt_01J9ZK3T7M meant?); bluepencil events lists the stored ones\n',
  })
})

test('what is in a file is no more than what is sent: nothing of the account', async () => {
  const { file, folder } = desk()
  for (const [channel, ending] of [
    ['ai-desk', 'json'],
    ['politics', 'json'],
    ['mail', 'eml'],
  ]) {
    const output = join(folder, `shown.${ending}`)
    writeFileSync(output, 'before')
    await command(['preview', String(channel), '--config', file, '--output', output])
    expect(readFileSync(output, 'utf8')).not.toMatch(/xoxb|abc\b|before$|127\.0\.0\.1/)
  }
})

test('with console.publicUrl a message of any channel leads to its page', async () => {
  const key = Buffer.from(Array.from({ length: 24 }, (_, at) => at * 9)).toString('base64')
  const channels = [
    { name: 'bot', type: 'slack', to: '#ai-desk' },
    { name: 'hook', type: 'slack', webhookUrl: 'https://hooks.slack.com/services/T0/B0/abc' },
    {
      name: 'discord',
      type: 'discord',
      webhookUrl: 'https://discord.com/api/webhooks/1180000000000000001/abc',
    },
    { name: 'mail', type: 'email', to: ['ada@desk.example'] },
    { name: 'program', type: 'webhook', to: 'https://desk.example/hook', secret: `whsec_${key}` },
  ]
  const { file, store } = configured(`
${accounts}
console: { publicUrl: https://desk.example/tools/pencil }
channels: ${JSON.stringify(channels)}
`)
  await store({ entry: alert({ id: 'evt_1/ä', detectedAt: at, receivedAt: at }), outcomes: {} })
  for (const channel of ['bot', 'hook', 'discord', 'mail', 'program']) {
    const { out, notes } = await command(['preview', channel, 'evt_1/ä', '--json', '--config', file])
    expect({ channel, notes }).toEqual({ channel, notes: '' })
    expect(out).toContain('https://desk.example/tools/pencil/alerts/evt_1%2F%C3%A4')
    expect(out).toContain('Open alert')
  }
})
