import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { realEnvironment } from '../../../src/app/environment.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { dayMs, minuteMs } from '../../../src/platform/durations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { alert, finding, levels, noFigures } from '../../support/fakes/events.ts'
import { secret } from '../../support/fakes/signed.ts'
import { startScriptedService } from '../../unit/service/client/scripted-service.ts'
import { type Desk, openDesk } from './desk.ts'
import { textOf } from './markup.ts'

/** When the list shows the alert, with what became of it on a channel. */
async function settled(desk: Desk, id: string, became = ''): Promise<void> {
  const visitor = desk.visitor()
  await vi.waitUntil(async () => {
    const row = rowsIn((await visitor.see('/alerts')).html).find((row) => row.id === id)
    return row?.text.includes(became)
  })
}

/** The rows of a list of alerts, by their headlines' links. */
function rowsIn(html: string): { id: string; text: string }[] {
  return html
    .split('<a class="headline" href="/console/alerts/')
    .slice(1)
    .map((row) => ({ id: row.slice(0, row.indexOf('"')), text: textOf(`<${row.split('</li>')[0]}`) }))
}

test('the overview says in a sentence that all is well, and shows channels and the newest alerts', async () => {
  const desk = await openDesk()
  const visitor = desk.visitor()
  const before = await visitor.see('/')
  expect(before.status).toBe(200)
  expect(textOf(before.html)).toMatch(
    /All is well\. No problem since \d.* UTC ?, when Bluepencil started\. No alert has come in yet\. Alerts go to 2 channels\. Newest alerts No alert has come in yet\./,
  )
  expect(await desk.deliver('evt_1')).toBe(202)
  await settled(desk, 'evt_1', 'desk sent')
  const text = textOf((await visitor.see('/')).html)
  expect(text).toContain('Everything works. Some alerts need somebody.')
  expect(text).toMatch(/Claude’s refusal rate on political prompts rose 12 points\. just now · by webhook/)
  expect(text).toMatch(/Store accepts events Subscription not configured Polling off/)
  expect(text).toMatch(/desk console in order /)
})

test('the overview says how long ago the service last answered or delivered', async () => {
  const service = await startScriptedService()
  onTestFinished(service.close)
  let laterMs = 0
  const clock = { ...systemClock, now: () => Date.now() + laterMs }
  const desk = await openDesk(
    {
      monitor: { baseUrl: service.baseUrl, apiKey: 'key' },
      webhook: { secrets: [secret], publicUrl: 'https://desk.example' },
      polling: { mode: 'off' },
    },
    { clock },
  )
  const overview = async () => textOf((await desk.visitor().see('/')).html)
  // Until then, requests are under way whose answers are later ones.
  await expect.poll(overview).toContain('Subscription active')
  expect(await overview()).toContain('Monitoring service last answered just now')
  laterMs = 7 * minuteMs
  expect(await overview()).toContain('Monitoring service last answered 7 minutes ago')
  expect(await desk.deliver('evt_1')).toBe(202)
  expect(await overview()).toContain('Monitoring service last answered just now')
})

test('the overview of a service that has not answered yet says so', async () => {
  const desk = await openDesk({
    monitor: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key' },
    polling: { mode: 'off' },
  })
  const text = textOf((await desk.visitor().see('/')).html)
  expect(text).toContain('Monitoring service has not answered yet')
})

test('the overview says since when nothing is wrong: since the last problem was resolved, not since the last answer', async () => {
  let laterMs = 0
  const clock = { ...systemClock, now: () => Date.now() + laterMs }
  const desk = await openDesk({}, { clock })
  const overview = async () => textOf((await desk.visitor().see('/')).html)
  const since = async () => /since (.*?) ?, when (.*?)\./.exec(await overview())?.slice(1)
  const [started] = (await since()) ?? []
  laterMs = 60 * minuteMs
  expect(await since()).toEqual([started, 'Bluepencil started'])
  desk.app.reloadFailed(new Error('b.yaml:3:1: chanels: there is no such key'))
  expect(await since()).toBeUndefined()
  laterMs = 120 * minuteMs
  await desk.app.reload(desk.config)
  const [resolved, why] = (await since()) ?? []
  expect(why).toBe('the last problem was resolved')
  laterMs = 300 * minuteMs
  expect(await since()).toEqual([resolved, why])
  expect(resolved).not.toBe(started)
})

test('the page of an alert has its figures, every channel with its reason, its source and its bytes', async () => {
  const desk = await openDesk({
    channels: [
      { name: 'desk', type: 'console' },
      { name: 'big', type: 'console', minDelta: 50 },
    ],
  })
  await desk.deliver('evt_1')
  await settled(desk, 'evt_1', 'desk sent')
  const page = await desk.visitor().see('/alerts/evt_1')
  expect(page.status).toBe(200)
  const text = textOf(page.html)
  expect(text).toContain('Claude’s refusal rate on political prompts rose 12 points.')
  expect(text).toMatch(/reported by webhook just now \+12 points .*How sure/)
  expect(text).toMatch(/Where it went .*desk sent just now 1 attempt: written to the terminal/)
  expect(text).toMatch(
    /big not sent the channel gets only changes of at least 50 percentage points; the change is 12 by the rule “smallest change”/,
  )
  expect(text).toMatch(
    /As it was sent to desk: Censorship spike Claude’s refusal rate on political prompts rose 12 points/,
  )
  expect(text).toMatch(/signed with sha256 \(hex/)
  expect(text).toContain('&quot;delta&quot;:&quot;+12pp&quot;')
})

test('alerts are found by what they are about, by outcome, day and words', async () => {
  const desk = await openDesk()
  await desk.deliver('evt_1')
  await desk.deliver('evt_2', { model: 'gemini', type: 'policy_change' })
  await settled(desk, 'evt_2')
  const shown = async (query: string) =>
    rowsIn((await desk.visitor().see(`/alerts?${query}`)).html).map(({ id }) => id)
  expect(await shown('')).toEqual(['evt_2', 'evt_1'])
  expect(await shown('model=gemini')).toEqual(['evt_2'])
  expect(await shown('type=censorship_spike&category=political')).toEqual(['evt_1'])
  expect(await shown('words=gem')).toEqual(['evt_2'])
  expect(await shown('words=claude+polit')).toEqual(['evt_1'])
  expect(await shown('words=%22%29+OR+*')).toEqual([])
  expect(await shown('outcome=failed')).toEqual([])
  expect(await shown('from=2099-01-01')).toEqual([])
  expect(await shown('before=nonsense&from=never&outcome=none')).toEqual(['evt_2', 'evt_1'])
})

test('an alert is acknowledged, silenced and the silence ended here, each with its person, and the audit log has it', async () => {
  const desk = await openDesk()
  await desk.deliver('evt_1')
  await settled(desk, 'evt_1')
  const visitor = desk.visitor()
  const done = await visitor.submit('/alerts/evt_1', '/alerts/evt_1/acknowledge')
  expect(textOf(done.html)).toMatch(/Acknowledged\. .*Who has it this machine is checking it, since just now/)
  const wrong = await visitor.submit('/silences?model=claude', '/silences', { until: 'soon', why: 'a test' })
  expect(wrong.status).toBe(422)
  expect(textOf(wrong.html)).toContain(
    'Nothing was saved. Please check 1 answer Choose when it ends: a button, or a date and a time.',
  )
  const silenced = await visitor.submit('/silences?model=claude', '/silences', {
    model: 'claude',
    until: '2h',
    why: 'a known fault',
  })
  expect(textOf(silenced.html)).toMatch(/Claude .*this machine: a known fault/)
  const [, end = ''] = /action="\/console(\/silences\/act_\w+\/end)"/.exec(silenced.html) ?? []
  expect(textOf((await visitor.submit('/silences', end)).html)).toMatch(
    /has ended.*There are no active silences/,
  )
  expect(textOf((await visitor.see('/log')).html)).toMatch(
    /this machine ended the silence .*this machine silenced Claude .*this machine acknowledged Claude’s refusal rate/,
  )
})

test('the desk says on the page who checks an alert and which story is published; an old page overwrites nothing', async () => {
  const desk = await openDesk()
  await desk.deliver('evt_1')
  await settled(desk, 'evt_1')
  const visitor = desk.visitor()
  const old = await visitor.see('/alerts/evt_1')
  expect(textOf(old.html)).toContain('New: nobody is checking it yet.')
  const page = '/alerts/evt_1'
  const checking = await visitor.submit(page, `${page}/desk`, { state: 'checking' })
  expect(textOf(checking.html)).toMatch(/You are checking it\. .*this machine is checking it, since just now/)
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(old.html) ?? []
  const late = await visitor.post(`${page}/desk`, { token, key: 'late', seen: '', state: 'new' })
  expect(late.headers.location).toBe('/console/alerts/evt_1?done=desk-outrun')
  for (const list of ['/alerts', '/'])
    expect(textOf((await visitor.see(list)).html)).toContain('by webhook · this machine is checking it')
  const story = 'javascript:alert("<b>")'
  const wrong = await visitor.submit(page, `${page}/desk`, { state: 'published', story })
  expect(wrong.html).toContain('value="javascript:alert(&quot;&lt;b&gt;&quot;)"')
  expect(textOf(wrong.html)).toMatch(/Write the whole address.*/)
  const long = await visitor.submit(page, `${page}/desk`, {
    state: 'published',
    story: `https://news.example/${'ü'.repeat(3_000)}`,
  })
  expect(long.status).toBe(200)
  expect(textOf(long.html)).toContain('Write the whole address')
  expect(long.html).toContain('value="https://news.example/üüü')
  expect(textOf(long.html)).toContain('this machine is checking it')
  const done = await visitor.submit(page, `${page}/desk`, {
    state: 'published',
    story: 'https://news.example/1?a=<b>&c',
  })
  expect(done.html).toContain('<a href="https://news.example/1?a=%3Cb%3E&amp;c" rel="noreferrer">')
  const listed = async (state: string) =>
    rowsIn((await visitor.see(`/alerts?desk=${state}`)).html).map(({ id }) => id)
  expect([await listed('published'), await listed('checking'), await listed('new')]).toEqual([
    ['evt_1'],
    [],
    [],
  ])
  const csv = (await visitor.see('/alerts.csv?desk=published')).html
  expect(csv).toContain(',published,this machine,https://news.example/1?a=%3Cb%3E&c,')
  expect((await visitor.see('/changes.csv')).html).toContain(
    ',published,this machine,https://news.example/1?a=%3Cb%3E&c,',
  )
  expect(textOf((await visitor.see('/log')).html)).toMatch(
    /published a story about Claude’s refusal rate .*: https.*is checking Claude’s refusal rate/,
  )
})

test('the page of an alert leads to the message at its provider, and says so if that cannot be asked', async () => {
  const discord = await startFakeDiscord()
  const desk = await openDesk({
    discord: { token: discord.token, apiUrl: discord.url },
    channels: [{ name: 'news', type: 'discord', to: discord.channelId }],
  })
  await desk.deliver('evt_1')
  await settled(desk, 'evt_1', 'news sent')
  const visitor = desk.visitor()
  const [posted] = discord.posted(discord.channelId)
  expect((await visitor.see('/alerts/evt_1')).html).toContain('href="/console/alerts/evt_1/sent/news"')
  const opened = await visitor.see('/alerts/evt_1/sent/news')
  expect(opened.status).toBe(303)
  expect(opened.headers.location).toMatch(
    new RegExp(`^https://discord\\.com/channels/\\d+/${discord.channelId}/${posted?.id}$`),
  )
  expect((await visitor.see('/alerts/evt_1/sent/ops')).status).toBe(404)
  await discord.close()
  const away = await visitor.see('/alerts/evt_1/sent/news')
  expect(away.status).toBe(502)
  expect(textOf(away.html)).toContain('The provider did not return its address.')
})

test('the audit log has the whole address of a story, and names the alert that a silence was asked for', async () => {
  const desk = await openDesk()
  await desk.deliver('evt_1')
  await settled(desk, 'evt_1')
  const visitor = desk.visitor()
  const page = '/alerts/evt_1'
  const story = 'https://news.example/evt_1/part-two'
  await visitor.submit(page, `${page}/desk`, { state: 'published', story })
  const wanted = { model: 'claude', until: '2h', why: 'a known fault' }
  await visitor.submit('/silences?about=evt_1', '/silences', wanted)
  const { html } = await visitor.see('/log')
  const headline = 'Claude’s refusal rate on political prompts rose 12 points.'
  const link = `<a href="/console/alerts/evt_1">${headline}</a>`
  expect(html).toContain(`this machine published a story about ${link}: ${story} <`)
  expect(html).toContain(`: a known fault, about ${link} <`)
})

test('what has failed is listed with its reason, and sent again once, however often somebody clicks', async () => {
  const desk = await openDesk({
    channels: [
      { name: 'desk', type: 'console' },
      { name: 'gone', type: 'console', models: ['qwen'] },
    ],
  })
  await desk.deliver('evt_1')
  await settled(desk, 'evt_1', 'desk sent')
  const visitor = desk.visitor()
  const action = '/alerts/evt_1/send-again'
  const { html } = await visitor.see('/alerts/evt_1')
  // It never got there.
  expect(html).toMatch(/aria-label="Send it: evt_1 to gone"/)
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? []
  const click = () => visitor.post(action, { token, key: 'once', channel: 'gone' })
  const [one, two] = await Promise.all([click(), click()])
  expect(new Set([one.headers.location, two.headers.location])).toEqual(
    new Set(['/console/alerts/evt_1?done=sent-again', '/console/alerts/evt_1?done=sent-before']),
  )
  await vi.waitUntil(() => desk.shown('gone').length > 0)
  expect(desk.shown('gone')).toHaveLength(1)
  expect(textOf((await visitor.see('/log')).html)).toContain(
    'this machine sent again Claude’s refusal rate on political prompts rose 12 points. (gone)',
  )
  expect(textOf((await visitor.see('/failed')).html)).toContain('Nothing has failed.')
})

test('two editors who have the same page open send it again once', async () => {
  const channels = [
    { name: 'desk', type: 'console' },
    { name: 'gone', type: 'console', models: ['qwen'] },
  ]
  const desk = await openDesk({ channels })
  await desk.deliver('evt_1')
  await settled(desk, 'evt_1', 'desk sent')
  const [ana, ben] = [desk.visitor(), desk.visitor()]
  const forms = await Promise.all(
    [ana, ben].map(async (one, number) => {
      const { html } = await one.see('/alerts/evt_1')
      const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? []
      return { token, key: `form-${number}`, channel: 'gone' }
    }),
  )
  const action = '/alerts/evt_1/send-again'
  expect((await ana.post(action, forms[0] ?? {})).headers.location).toMatch(/done=sent-again/)
  await vi.waitUntil(() => desk.shown('gone').length > 0)
  expect((await ben.post(action, forms[1] ?? {})).headers.location).toMatch(/done=sent-before/)
  expect(desk.shown('gone')).toHaveLength(1)
})

test('what is held is shown with until when and by what, and sent now once, however often somebody clicks', async () => {
  const digest = { every: 'week', on: 'mon', at: '08:00' }
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console', digest }] })
  for (const id of ['evt_1', 'evt_2', 'evt_3']) await desk.deliver(id, { model: id })
  const visitor = desk.visitor()
  const held = /3 alerts are held until .*, 08:00 UTC ?: they come as a digest\./
  for (const page of ['/', '/channels']) expect(textOf((await visitor.see(page)).html)).toMatch(held)
  const action = '/channels/desk/send-held'
  const released = await visitor.submit('/alerts/evt_2', action)
  expect(textOf(released.html)).toContain('The held alerts are being sent.')
  await vi.waitUntil(() => desk.shown('desk').length === 1)
  const { html } = await visitor.see('/channels')
  expect(textOf(html)).toContain('2 alerts are held until')
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? []
  const click = () => visitor.post(action, { token, key: 'once' })
  const clicks = await Promise.all([click(), click()])
  expect(clicks.map(({ headers }) => headers.location)).toContain('/console/channels?done=sent-held')
  await vi.waitUntil(() => desk.shown('desk').length > 1)
  expect(desk.shown('desk')[1]).toContain('2 alerts')
  expect(textOf((await visitor.see('/')).html)).not.toContain('held until')
  expect(textOf((await visitor.see('/log')).html)).toContain(
    'this machine released what was held for desk (2 alerts)',
  )
  expect(desk.shown('desk')).toHaveLength(2)
})

test('everything that is held, on all channels, is sent by one button, which says what it did', async () => {
  const digest = { every: 'week', on: 'mon', at: '08:00' }
  const channels = [
    { name: 'desk', type: 'console', digest },
    { name: 'politics', type: 'console', digest, models: ['claude'] },
    { name: 'others', type: 'console', models: ['qwen'] },
  ]
  const desk = await openDesk({ channels })
  await desk.deliver('evt_1')
  await desk.deliver('evt_2', { model: 'gemini' })
  const visitor = desk.visitor()
  for (const page of ['/', '/alerts?outcome=held'])
    expect(textOf((await visitor.see(page)).html)).toMatch(/3 alerts are held for 2 channels\. +Send all now/)
  expect(textOf((await visitor.see('/alerts')).html)).not.toContain('Send all now')
  const { html } = await visitor.see('/alerts?outcome=held')
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? []
  const first = await visitor.post('/send-held', { token, key: 'once' })
  const answer = await visitor.see(String(first.headers.location).replace('/console', ''))
  expect(textOf(answer.html)).toContain('3 held alerts are being sent now, to 2 channels.')
  await vi.waitUntil(() => desk.shown('desk').length > 0 && desk.shown('politics').length > 0)
  const second = await visitor.post('/send-held', { token, key: 'once' })
  expect(second.headers.location).toBe('/console/?done=none-held')
  expect(
    [desk.shown('desk'), desk.shown('politics'), desk.shown('others')].map(({ length }) => length),
  ).toEqual([1, 1, 0])
  expect(textOf((await visitor.see('/')).html)).not.toContain('Send all now')
})

test('a correction that goes out in a digest names who published the story, and its address', async () => {
  const digest = { every: 'week', on: 'mon', at: '08:00' }
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console', digest }] })
  const visitor = desk.visitor()
  await desk.deliver('evt_1')
  const story = 'https://news.example/claude'
  await visitor.submit('/alerts/evt_1', '/alerts/evt_1/desk', { state: 'published', story })
  await desk.deliver('evt_1', { data: { category: 'political', delta: '+9pp' } })
  await desk.deliver('evt_2', { model: 'gemini' })
  await visitor.submit('/channels', '/channels/desk/send-held')
  await vi.waitUntil(() => desk.shown('desk').length > 0)
  const [message = ''] = desk.shown('desk')
  expect(message).toMatch(
    /Claude’s refusal rate on political prompts rose 9 points[^\n]* This corrects a report behind the story that this machine published on [^\n]*: https:\/\/news\.example\/claude/,
  )
  expect(message.indexOf('Claude')).toBeLessThan(message.indexOf('Gemini'))
})

test('an action that was stored, but could not be queued, is sent by the same click', async () => {
  let fails = 1
  const desk = await openDesk(
    {
      channels: [
        { name: 'desk', type: 'console' },
        { name: 'gone', type: 'console', models: ['qwen'] },
      ],
    },
    {
      async openStore(...given) {
        const store = await realEnvironment.openStore(...given)
        return {
          ...store,
          async alter(...change) {
            if (fails-- > 0) throw new StoreUnavailable('it fails')
            return store.alter(...change)
          },
        }
      },
    },
  )
  await desk.deliver('evt_1')
  await settled(desk, 'evt_1', 'desk sent')
  const visitor = desk.visitor()
  const { html } = await visitor.see('/alerts/evt_1')
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? []
  const click = () => visitor.post('/alerts/evt_1/send-again', { token, key: 'once', channel: 'gone' })
  expect((await click()).status).toBe(503)
  expect((await click()).headers.location).toMatch(/done=sent-again/)
  await vi.waitUntil(() => desk.shown('gone').length > 0)
})

test('a form that names two channels, or none, is answered in words', async () => {
  const desk = await openDesk()
  await desk.deliver('evt_1')
  await settled(desk, 'evt_1', 'desk sent')
  const visitor = desk.visitor()
  const { html } = await visitor.see('/alerts/evt_1')
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? []
  for (const channels of ['', '&channel=desk&channel=ops']) {
    const answer = await visitor.post('/alerts/evt_1/send-again', `token=${token}&key=1${channels}`)
    expect(answer.status).toBe(404)
    expect(textOf(answer.html)).toContain('No such channel is configured.')
  }
})

test('a channel is described in words, and gets a test when somebody asks for one', async () => {
  const desk = await openDesk({
    channels: [
      {
        name: 'desk',
        type: 'console',
        models: ['claude', 'gemini'],
        minDelta: 5,
        direction: 'rise',
        quiet: { from: '22:00', to: '07:00' },
      },
    ],
  })
  const visitor = desk.visitor()
  const text = textOf((await visitor.see('/channels')).html)
  expect(text).toContain('Alerts about Claude or Gemini, of at least 5 percentage points, that rise.')
  expect(text).toContain('Quiet from 22:00 to 07:00 (UTC).')
  const tested = await visitor.submit('/channels', '/channels/desk/test')
  expect(textOf(tested.html)).toContain('desk: It accepted the test')
  expect(desk.shown('desk').join()).toContain('the console')
})

test('the configuration in force has no secret in it, and says what came of the file when it was last read', async () => {
  const desk = await openDesk({
    slack: { token: 'xoxb-the-token-of-the-test' },
    heartbeat: { url: 'https://hc-ping.com/0f9c1b7a-secret-id' },
  })
  const visitor = desk.visitor()
  const { html } = await visitor.see('/configuration')
  for (const secret of ['xoxb-the-token', 'whsec_c2VjcmV0', '0f9c1b7a-secret-id'])
    expect(html).not.toContain(secret)
  expect(textOf(html)).toContain('retention: 90d')
  desk.app.reloadFailed(new Error('b.yaml:3:1: chanels: there is no such key'))
  const after = textOf((await visitor.see('/configuration')).html)
  expect(after).toMatch(
    /cannot be used ?; what is below stays in force\. b\.yaml:3:1: chanels: there is no such key/,
  )
  expect(textOf((await visitor.see('/')).html)).toMatch(
    /The changed configuration cannot be used; the previous one stays/,
  )
})

test('all of it stands below the path of its public address', async () => {
  const desk = await openDesk({ console: { publicUrl: 'http://desk.example/tools/bluepencil' } })
  expect(desk.url).toMatch(/\/tools\/bluepencil\/$/)
  const { status, html } = await desk.visitor().see('/')
  expect(status).toBe(200)
  const links = [...html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(8)
  expect(links.filter((link) => !link.startsWith('/tools/bluepencil/'))).toEqual([])
})

test('where its port is taken, operators are alerted, and alerts are received all the same', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  const desk = await openDesk({ console: { listen: { port } } })
  expect(desk.app.consoleUrl).toBeUndefined()
  expect(await desk.deliver('evt_1')).toBe(202)
  await vi.waitUntil(() => desk.alerts().length > 0)
  expect(desk.shown('ops').join()).toContain('The console cannot be served')
  expect(desk.shown('ops').join()).toContain('set console.listen.port')
})

test('an alert that was corrected weeks ago says so, with what people did about it, and so do its citation and feed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()
  const times = { detectedAt: daysAgo(40), receivedAt: daysAgo(40) }
  const first = alert({ id: 'evt_old', ...times })
  const reported = {
    id: 'evt_old',
    by: 'service',
    type: first.type,
    model: 'claude',
    category: 'political',
  } as const
  const before = { ...reported, delta: 12, detectedAt: first.detectedAt }
  const second = alert({
    id: 'evt_old~2',
    ...times,
    receivedAt: daysAgo(39),
    delta: 4,
    revises: 'evt_old',
    before,
  })
  const by = { name: 'Ana', via: 'console' } as const
  const seen = {
    kind: 'act',
    id: 'act_1',
    by,
    receivedAt: daysAgo(38),
    does: 'acknowledge',
    about: 'evt_old',
  } as const
  const between = Array.from({ length: 1_000 }, (_, index) =>
    alert({ id: `evt_b${index}`, model: 'qwen', detectedAt: daysAgo(30), receivedAt: daysAgo(30) }),
  )
  await store.accept([first, second, seen, ...between].map((entry) => ({ entry, outcomes: {} })))
  await store.close()
  const desk = await openDesk({}, { folder })
  const text = textOf((await desk.visitor().see('/alerts/evt_old')).html)
  expect(text).toMatch(/Corrected/)
  expect(text).toContain('corrected by evt_old~2 later')
  expect(text).toMatch(/Who has it Ana is checking it, since/)
  const cited = (await desk.visitor().see('/alerts/evt_old/citation.json')).html
  expect(cited).toMatch(/corrected/i)
})

test('a change that nobody has, found and then reported, needs somebody once, and acknowledging holds for both', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const receivedAt = new Date(Date.now() - 60_000).toISOString()
  const entries = [
    finding({ detectedAt: receivedAt, receivedAt }),
    alert({ detectedAt: receivedAt, receivedAt, sameAs: 'poll_1' }),
    alert({ id: 'evt_2', model: 'qwen', detectedAt: receivedAt, receivedAt }),
  ]
  await store.accept(entries.map((entry) => ({ entry, outcomes: {} })))
  await store.close()
  const visitor = (await openDesk({}, { folder })).visitor()
  const needing = async () => {
    const [, needs = ''] = (await visitor.see('/')).html.split('id="needs"')
    return rowsIn(needs.split('</section>')[0] ?? '').map(({ id }) => id)
  }
  expect(await needing()).toEqual(['evt_2', 'poll_1'])
  await visitor.submit('/', '/alerts/poll_1/acknowledge')
  expect(await needing()).toEqual(['evt_2'])
})

test('what was found and then reported has one size on its page, and its sentence says whose it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
  const figures = {
    ...noFigures,
    state: 'visible' as const,
    levels: levels({
      since: at(20),
      before: { rate: 8.8, prompts: 10_900, readings: 109 },
      now: { rate: 25, prompts: 100, readings: 1 },
      interval: [12, 18.5],
    }),
  }
  const finding = alert({
    id: 'poll_1',
    source: 'poll',
    found: true,
    delta: 16.2,
    detectedAt: at(20),
    receivedAt: at(19),
    figures,
  })
  const reported = alert({
    id: 'evt_1',
    delta: 19,
    detectedAt: at(20),
    receivedAt: at(18),
    sameAs: 'poll_1',
  })
  await store.accept([finding, reported].map((entry) => ({ entry, outcomes: {} })))
  await store.close()
  const desk = await openDesk({}, { folder })
  const text = textOf((await desk.visitor().see('/alerts/poll_1')).html)
  expect(text).toMatch(/Claude refused 25% of political prompts, up from 9%\. Found .* \+16\.2 points/)
  expect(text).not.toMatch(/rose 19 points|[^s] \+19/)
  expect(text).toContain('The Censorship Monitoring Service reports +19 percentage points; its published')
  expect(text).toMatch(/up from 9% \(found by Bluepencil \S+ in the published figures of the /)
})
