import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Act } from '../../../src/event/act.ts'
import { readDelivery } from '../../../src/event/delivery.ts'
import type { AlertEvent } from '../../../src/event/event.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/platform/durations.ts'
import type { NewEntry } from '../../../src/store/store.ts'
import { command } from '../../support/command.ts'
import { finding } from '../../support/fakes/events.ts'
import { secret } from '../../support/fakes/signed.ts'
import { configured } from '../../support/served.ts'
import { noisy } from '../intake/detect/readings.ts'

const now = Date.now()

/** An alert that came in so long ago, as the service delivers it. */
function came(id: string, agoMs: number, delta: string, category = 'political'): AlertEvent {
  const receivedAt = new Date(now - agoMs).toISOString()
  const data = { category, delta, detected_at: new Date(now - agoMs - minuteMs).toISOString() }
  const body = {
    id,
    type: 'censorship_spike',
    model: 'claude',
    data,
    methodology: 'https://monitor.example/m',
  }
  return readDelivery(Buffer.from(JSON.stringify(body)), { source: 'webhook', receivedAt })
}

/** A store with this history, the configuration that stands over it, and another. */
async function desk(before: string, after: string, history: (AlertEvent | Act)[]) {
  const made = configured(before)
  const changed = join(made.folder, 'new.yaml')
  writeFileSync(changed, `store: file:${made.folder}/data\n${after}`)
  await made.store(...history.map((entry): NewEntry => ({ entry, outcomes: {} })))
  const minute = (id: string) =>
    history
      .find((one) => one.id === id)
      ?.receivedAt.slice(0, 16)
      .replace('T', ' ')
  return { ...made, changed, minute }
}

const before = `
channels:
  - { name: desk, type: console }
  - { name: gone, type: console }
`
const after = `
channels:
  - { name: desk, type: console, minDelta: 5 }
  - { name: politics, type: slack, webhookUrl: "https://hooks.slack.com/services/T/B/x", categories: [political] }
`
const history = [
  came('evt_old', 95 * dayMs, '+30pp'),
  came('evt_1', 60 * dayMs, '+12pp'),
  came('evt_2', 30 * dayMs, '+3pp'),
  came('evt_3', 2 * dayMs, '-8pp', 'safety'),
]

test('what each channel would have been sent is counted, with examples', async () => {
  const { changed, minute } = await desk(before, after, history)
  const { code, out, notes } = await command(['backtest', '--config', changed])
  expect({ code, notes }).toEqual({ code: 0, notes: '' })
  expect(out.split('\n').slice(1)).toEqual([
    `What would have been sent by ${changed}. Nothing is sent now.`,
    '',
    'desk: 2 messages',
    '  sent in a message of its own: 2',
    `    ${minute('evt_3')}Z  −8   Claude’s refusal rate on safety prompts fell 8 points.`,
    `    ${minute('evt_1')}Z  +12  Claude’s refusal rate on political prompts rose 12 points.`,
    '  not sent (minDelta): 1',
    `    ${minute('evt_2')}Z  +3  Claude’s refusal rate on political prompts rose 3 points.`,
    '',
    'politics: 2 messages',
    '  sent in a message of its own: 2',
    `    ${minute('evt_2')}Z  +3   Claude’s refusal rate on political prompts rose 3 points.`,
    `    ${minute('evt_1')}Z  +12  Claude’s refusal rate on political prompts rose 12 points.`,
    '  not sent (categories): 1',
    `    ${minute('evt_3')}Z  −8  Claude’s refusal rate on safety prompts fell 8 points.`,
    '',
  ])
  expect(out).toMatch(/^3 alerts came in from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\)\.\n/)
})

test('beside another configuration it says what is added and what is dropped, and by which filter', async () => {
  const { changed, file, minute } = await desk(before, after, history)
  const { code, out } = await command(['backtest', '--config', changed, '--against', file])
  expect(code).toBe(0)
  expect(out).toContain(`desk: 2 messages (3 messages by ${file})`)
  expect(out).toContain(`  added: 0
  dropped: 1
    ${minute('evt_2')}Z  +3  minDelta  Claude’s refusal rate on political prompts rose 3 points.
`)
  expect(out).toContain(`politics: 2 messages (not in ${file})`)
  expect(out).toContain(`gone: not in ${changed} (3 messages by ${file})`)
  expect(out.match(/channel-removed/g)).toHaveLength(3)
})

test('a story is one message that is edited, and if it cannot be, a message for each alert', async () => {
  const told = [
    came('evt_1', 60 * dayMs, '+12pp'),
    came('evt_2', 60 * dayMs - minuteMs, '+3pp'),
    {
      ...came('evt_3', 60 * dayMs - 2 * minuteMs, '+8pp'),
      story: { chat: 'evt_2', desk: 'evt_2' },
    },
  ]
  const stories = 'stories: { within: 2h }'
  const { changed } = await desk(
    before,
    `
discord: { token: simulated-token-0002 }
channels:
  - { name: desk, type: console, ${stories} }
  - { name: chat, type: discord, to: "1180000000000000001", ${stories} }
  - { name: each, type: discord, to: "1180000000000000002" }
`,
    told,
  )
  const { out } = await command(['backtest', '--config', changed])
  expect(out).toMatch(/^desk: 3 messages\n/m)
  expect(out).toMatch(/^chat: 1 message, 2 edits\n/m)
  expect(out).toMatch(/^each: 3 messages\n/m)
})

test('for machines it is one document that names all that is added and dropped, and each run gives the same', async () => {
  const { changed, file } = await desk(before, after, history)
  const argv = ['backtest', '--json', '--days', '40', '--config', changed, '--against', file]
  const report = JSON.parse((await command(argv)).out)
  const other = JSON.parse((await command(argv)).out)
  expect({ ...other, from: '', to: '' }).toEqual({ ...report, from: '', to: '' })
  expect(Date.parse(report.to) - Date.parse(report.from)).toBe(40 * dayMs)
  expect(report).toMatchObject({
    alerts: 2,
    channels: [
      {
        channel: 'desk',
        config: {
          messages: 1,
          edits: 0,
          groups: [
            { became: 'sent', count: 1, examples: [{ id: 'evt_3', delta: -8 }] },
            { became: 'not_sent', rule: 'minDelta', count: 1 },
          ],
        },
        against: { messages: 2 },
        added: [],
        dropped: [{ id: 'evt_2', became: 'not_sent', rule: 'minDelta' }],
      },
      { channel: 'politics', against: null, added: [{ id: 'evt_2', became: 'sent' }], dropped: [] },
      { channel: 'gone', config: null, added: [], dropped: [{ id: 'evt_3' }, { id: 'evt_2' }] },
    ],
  })
})

test('each alert is routed as when it came: what is old by now is not taken for a replay', async () => {
  const { changed } = await desk(before, `retention: 14d\n${after}`, history)
  const { out } = await command(['backtest', '--config', changed])
  expect(out).not.toContain('stale')
  expect(out).toContain('desk: 2 messages')
})

test('the same change is one message, edited where that can be, and a correction passes the filters', async () => {
  const polled = finding({
    id: 'poll_1',
    detectedAt: new Date(now - 10 * dayMs).toISOString(),
    receivedAt: new Date(now - 10 * dayMs).toISOString(),
  })
  const reported = came('evt_1', 10 * dayMs - hourMs, '+12pp')
  // As it was stored: under an id of its own, with what it corrects.
  const other = came('evt_1', 9 * dayMs, '+2pp')
  const corrected = {
    ...other,
    id: 'evt_1~2',
    revises: 'evt_1',
    before: { ...reported, by: 'service' as const },
  }
  const { changed } = await desk(
    before,
    'channels:\n  - { name: chat, type: console, as: slack, minDelta: 5 }\n  - { name: mail, type: console, minDelta: 5 }\n',
    [polled, { ...reported, sameAs: 'poll_1' }, corrected],
  )
  const { channels } = JSON.parse((await command(['backtest', '--json', '--config', changed])).out)
  const ends = channels.map(({ config }: { config: { groups: object[] } }) => config)
  expect(ends).toMatchObject([
    {
      messages: 2,
      groups: [
        { became: 'sent', count: 2, examples: [{ id: 'evt_1~2' }, { id: 'poll_1' }] },
        { became: 'merged', count: 1, examples: [{ id: 'evt_1' }] },
      ],
    },
    {
      messages: 2,
      edits: 0,
      groups: [
        { became: 'sent', count: 2 },
        { became: 'not_sent', rule: 'same-change', count: 1, examples: [{ id: 'evt_1' }] },
      ],
    },
  ])
  expect(ends[0].edits).toBeGreaterThan(0)
})

/** So many days ago at an hour, in UTC. */
function ago(days: number, hour: number): number {
  return now - (Math.floor(now / dayMs) * dayMs - days * dayMs + hour * hourMs)
}

test('what is held by quiet hours or for a digest goes out when its time comes, together', async () => {
  const { changed } = await desk(
    before,
    `channels:
  - { name: quiet, type: console, quiet: { from: "22:00", to: "07:00", unless: { minDelta: 20 } } }
  - { name: weekly, type: console, digest: { every: day, at: "08:00" } }
`,
    [
      came('evt_alone', ago(20, 23), '+7pp'),
      came('evt_day', ago(19, 12), '+8pp'),
      came('evt_night', ago(10, 23), '+9pp'),
      came('evt_later', ago(9, 3), '+10pp', 'safety'),
      came('evt_large', ago(9, 4), '+30pp', 'social'),
    ],
  )
  const { channels } = JSON.parse((await command(['backtest', '--json', '--config', changed])).out)
  expect(channels).toMatchObject([
    {
      channel: 'quiet',
      config: {
        messages: 4,
        groups: [
          { became: 'sent', count: 3, held: 1 },
          { became: 'digest', count: 2, held: 2, examples: [{ id: 'evt_later' }, { id: 'evt_night' }] },
        ],
      },
    },
    { channel: 'weekly', config: { messages: 3 } },
  ])
  const [, , alone] = channels[0].config.groups[0].examples
  expect(alone).toMatchObject({
    id: 'evt_alone',
    at: new Date(now - ago(19, 7)).toISOString(),
    heldUntil: new Date(now - ago(19, 7)).toISOString(),
  })
  const { out } = await command(['backtest', '--config', changed])
  expect(out).toContain('  sent in a message of its own: 3, 1 of them held first\n')
  expect(out).toContain('  in a digest: 2\n')
})

test('what is held still when the time is up is counted as that', async () => {
  const { changed } = await desk(
    before,
    'channels: [{ name: weekly, type: console, digest: { every: week } }]\n',
    [came('evt_1', 1_000, '+7pp')],
  )
  const { out } = await command(['backtest', '--config', changed])
  expect(out).toContain('weekly: 0 messages\n  held at the end: 1\n')
})

test('a silence that somebody asked for then holds again what it held', async () => {
  const by = { name: 'ada', via: 'command' as const }
  const silence: Act = {
    kind: 'act',
    id: 'act_1',
    does: 'silence',
    by,
    about: null,
    scope: { category: 'political' },
    until: new Date(now - 9 * dayMs).toISOString(),
    why: 'an election',
    receivedAt: new Date(now - 12 * dayMs).toISOString(),
  }
  const { changed } = await desk(before, before, [
    silence,
    came('evt_1', 11 * dayMs, '+7pp'),
    came('evt_2', 10 * dayMs, '+8pp'),
    came('evt_3', 8 * dayMs, '+9pp'),
  ])
  const { channels } = JSON.parse((await command(['backtest', '--json', '--config', changed])).out)
  expect(channels[0].config.groups).toMatchObject([
    { became: 'sent', count: 1, examples: [{ id: 'evt_3' }] },
    { became: 'digest', count: 2, examples: [{ id: 'evt_2' }, { id: 'evt_1' }] },
  ])
})

test('beside a running service, whose history it reads, nothing is sent and nothing is stored', async () => {
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
  await made.store(...history.map((entry): NewEntry => ({ entry, outcomes: {} })))
  await made.serve()
  const stored = () => command(['events', '--json', '--config', made.file])
  const before = await stored()
  const { code, out } = await command(['backtest', '--config', made.file])
  expect(code).toBe(0)
  expect(out).toContain('desk: 3 messages')
  expect(got).toEqual([])
  expect(await stored()).toEqual(before)
})

test('where nothing came it says so', async () => {
  const { changed } = await desk(before, after, [came('evt_old', 95 * dayMs, '+30pp')])
  const { code, out } = await command(['backtest', '--days', '7', '--config', changed])
  expect(code).toBe(0)
  expect(out).toMatch(/^0 alerts came in from /)
  expect(out).toContain('desk: 0 messages\n')
})

/** A service that publishes a reading a day of claude: of a year, the last forty days with more refusals. */
async function publishing(status = 200): Promise<{ url: string; asked: string[] }> {
  const requests: string[] = []
  const data = Array.from({ length: 365 }, (_, index) => {
    const { rates } = noisy(index, 0.2, 7, index >= 325 ? { political: 0.25 } : {})
    const refusal = Object.entries(rates).map(([name, rate]) => [`${name}_refusal_rate`, rate])
    const date = new Date(now - (365 - index) * dayMs).toISOString()
    return { date, sample_size: 500, ...Object.fromEntries(refusal) }
  })
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/v1`, asked: requests }
}

const claudeOnly = 'channels: [{ name: desk, type: console, models: [claude] }]\n'

test('with what is published it says what polling would have found, also where nothing was ever stored', async () => {
  const { url, asked } = await publishing()
  const { file } = configured(`monitor: { baseUrl: "${url}", apiKey: key_1 }\n${claudeOnly}`)
  const { code, out, notes } = await command(['backtest', '--published', '--json', '--config', file])
  expect({ code, notes }).toEqual({ code: 0, notes: '' })
  const [found] = JSON.parse(out).channels[0].config.groups[0].examples
  expect(found).toMatchObject({ id: expect.stringMatching(/^poll_/), became: 'sent' })
  expect(found.headline).toMatch(/^Claude refused \d+% of political prompts, up from /)
  expect(Date.parse(found.receivedAt)).toBeGreaterThanOrEqual(now - 41 * dayMs)
  expect(Date.parse(found.receivedAt)).toBeLessThan(now - 36 * dayMs)
  expect(asked).toEqual(['/v1/monitoring/claude/history?period=1y&category=all'])
})

test('what polling found then gives way to what it would find, and what was reported is paired with that', async () => {
  const { url } = await publishing()
  const { file, store } = configured(`monitor: { baseUrl: "${url}", apiKey: key_1 }\n${claudeOnly}`)
  const then = new Date(now - 40 * dayMs).toISOString()
  await store(
    { entry: finding({ id: 'poll_then', detectedAt: then, receivedAt: then }), outcomes: {} },
    { entry: came('evt_1', 40 * dayMs - hourMs, '+25pp'), outcomes: {} },
  )
  const { out } = await command(['backtest', '--published', '--json', '--config', file])
  expect(out).not.toContain('poll_then')
  expect(JSON.parse(out).channels[0].config.messages).toBe(1)
})

test('where the published history cannot be read it fails, and says so', async () => {
  const { url } = await publishing(401)
  const { file } = configured(`monitor: { baseUrl: "${url}", apiKey: key_1 }\n${claudeOnly}`)
  expect(await command(['backtest', '--published', '--config', file])).toMatchObject({
    code: 1,
    out: '',
    notes: 'bluepencil: the history of claude cannot be read; bluepencil check shows why\n',
  })
  const { file: alone } = configured(claudeOnly)
  expect(await command(['backtest', '--published', '--config', alone])).toMatchObject({
    code: 2,
    notes: 'bluepencil: --published needs monitor.baseUrl and a key in the configuration\n',
  })
})

test.each(['0', '3651', 'many'])('--days %s is a usage error', async (days) => {
  expect(await command(['backtest', '--days', days])).toMatchObject({
    code: 2,
    out: '',
    notes: expect.stringContaining('whole number of days, 1 to 3650'),
  })
})

test('the other configuration is held to the same form, and named where it is wrong', async () => {
  const { changed, folder } = await desk(before, after, [])
  const wrong = join(folder, 'wrong.yaml')
  writeFileSync(wrong, 'channels:\n  - { name: desk, type: console, minDelt: 3 }\n')
  expect(await command(['backtest', '--config', changed, '--against', wrong])).toMatchObject({
    code: 2,
    out: '',
    notes: expect.stringMatching(/wrong\.yaml:2:34: channels\[0\]\.minDelt: /),
  })
})
