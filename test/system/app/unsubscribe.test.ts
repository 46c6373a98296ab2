import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfigFile } from '../../../src/config/load.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { delivery, openApp } from '../../support/app.ts'
import { command } from '../../support/command.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { type FakeSmtp, startFakeSmtp } from '../../support/fakes/smtp.ts'
import { configured } from '../../support/served.ts'

const [ombud, politics] = ['ombud@desk.example', 'politics@desk.example']
let smtp: FakeSmtp
beforeAll(async () => {
  smtp = await startFakeSmtp()
})
afterAll(() => smtp.close())

function desk() {
  return configured(
    `
webhook: { secrets: ["${secret}"] }
email: { smtp: "${smtp.url()}", ca: "${smtp.ca}", from: "Bluepencil <bluepencil@desk.example>" }
operators: [ops]
channels:
  - { name: ops, type: console, minDelta: 100 }
  - { name: policy-mail, type: email, to: [${ombud}, ${politics}] }
`,
    'host: 127.0.0.1, port: 0, basePath: /bluepencil, publicUrl: "https://alerts.desk.example"',
  )
}

async function start(file: string) {
  const whole = openApp()
  const app = await whole.start(readConfigFile(file, {}).compose({}))
  const origin = `http://127.0.0.1:${app.port}`
  let count = 0
  return {
    ...whole,
    app,
    /** Has the service deliver an event. */
    async fire(id: string) {
      const body = delivery(id, Date.now() - 1_000 * count++)
      const answer = await fetch(`${origin}/bluepencil/webhook`, {
        method: 'POST',
        body,
        headers: signed(body),
      })
      expect(answer.status).toBe(202)
    },
    /** Opens what a reader is sent, as the proxy in front would. */
    ask: (link: string, init?: RequestInit) =>
      fetch(link.replace('https://alerts.desk.example', origin), init),
  }
}

function linksOf(from: number): string[] {
  return smtp
    .messages()
    .slice(from)
    .map(({ raw }) => /^List-Unsubscribe:\s+<(.*)>\r$/m.exec(raw)?.[1] ?? '')
}

async function mails(count: number) {
  await vi.waitFor(() => expect(smtp.messages()).toHaveLength(count), { timeout: 20_000 })
  return smtp.messages()
}

test('a click in a mail ends the mail of that channel for its reader, over a restart, until it is taken back', async () => {
  const before = smtp.messages().length
  const { file, folder } = desk()
  const first = await start(file)
  await first.fire('evt_1')
  await mails(before + 2)
  const [, link = ''] = linksOf(before)
  expect(link).toMatch(/^https:\/\/alerts\.desk\.example\/bluepencil\/unsubscribe\/[\w-]+$/)

  // What opens links only looks.
  expect((await first.ask(link)).status).toBe(200)
  await first.fire('evt_2')
  await mails(before + 4)

  const oneClick = { method: 'POST', body: new URLSearchParams('List-Unsubscribe=One-Click') }
  expect((await first.ask(link, oneClick)).status).toBe(200)
  expect((await first.ask(link, oneClick)).status).toBe(200)
  await first.fire('evt_3')
  expect((await mails(before + 5)).at(-1)?.to).toEqual([ombud])
  await vi.waitFor(() => expect(first.alerts()).toEqual([`${politics} unsubscribed from policy-mail`]))
  await first.app.stop()

  const second = await start(file)
  await second.fire('evt_4')
  expect((await mails(before + 6)).at(-1)?.to).toEqual([ombud])

  const listed = await command(['readers', 'list', '--config', file])
  expect(listed.out).toMatch(/policy-mail {2}ombud@desk\.example {5}gets mail\n/)
  expect(listed.out).toMatch(/policy-mail {2}politics@desk\.example {2}unsubscribed, since 20/)
  await vi.waitFor(async () => {
    const explained = await command(['explain', 'evt_4', '--config', file])
    expect(explained.out.replace(/\s+/g, ' ')).toMatch(/to 1 of 2; politics@desk\.example unsubscribed on 20/)
  })
  const checked = await command(['check', '--json', '--config', file])
  expect(checked.out).toContain(`1 reader of 2 unsubscribed: ${politics} (20`)

  expect((await command(['readers', 'restore', politics, '--config', file])).code).toBe(2)
  expect((await command(['readers', 'restore', 'nobody@desk.example', '--config', file])).code).toBe(2)
  const restore = ['readers', 'restore', politics, 'policy-mail', '--by', 'Ana', '--config', file]
  expect((await command(restore)).out).toBe(
    `${politics} gets mail again; it was unsubscribed, since ${/since (\S+)/.exec(listed.out)?.[1]}.\n`,
  )
  expect((await command(restore)).out).toBe(`${politics} already gets mail.\n`)
  await second.fire('evt_5')
  expect((await mails(before + 8)).slice(-2).map(({ to }) => to)).toEqual([[ombud], [politics]])
  expect(second.alerts()).toEqual([])
  await second.app.stop()

  const store = await openSqliteStore(`${folder}/data`, { now: Date.now, onTrouble: () => {} })
  const acts = (await store.list({ limit: 100 })).flatMap(({ entry }) =>
    entry.kind === 'act' ? [entry] : [],
  )
  await store.close()
  expect(acts).toMatchObject([
    { does: 'subscribe', address: politics, channel: 'policy-mail', by: { name: 'Ana', via: 'command' } },
    { does: 'unsubscribe', address: politics, channel: 'policy-mail', by: { name: politics, via: 'email' } },
  ])
})

test('a refused address is reported once, rests, and is tried when a person says so', async () => {
  const before = smtp.messages().length
  const { file } = desk()
  const running = await start(file)
  smtp.script({ rcpt: { [politics]: 550 }, says: '5.1.1 no such user' })
  await running.fire('evt_1')
  await mails(before + 1)
  await vi.waitFor(() =>
    expect(running.alerts()).toEqual([`${politics} gets no mail: the server rejects the address`]),
  )
  smtp.script({})
  await running.fire('evt_2')
  expect((await mails(before + 2)).at(-1)?.to).toEqual([ombud])
  const checked = await command(['check', '--json', '--config', file])
  expect(checked.out).toContain(`the mail server 127.0.0.1:${smtp.port} rejects ${politics} since 20`)
  expect((await command(['readers', 'restore', politics, '--config', file])).out).toContain('gets mail again')
  await running.fire('evt_3')
  expect((await mails(before + 4)).slice(-2).map(({ to }) => to)).toEqual([[ombud], [politics]])
  expect(running.alerts()).toHaveLength(1)
  await running.app.stop()
})

test('a test alert has a link that works, and leaves out who has left', async () => {
  const before = smtp.messages().length
  const { file } = desk()
  const running = await start(file)
  const test = ['test-alert', 'policy-mail', '--config', file]
  const { code, out } = await command(test)
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(' to 2 of 2') })
  await running.ask(linksOf(before)[0] ?? '', { method: 'POST' })
  expect((await command(test)).out).toMatch(/ to 1 of 2; ombud@desk\.example unsubscribed on 20/)
  expect(smtp.messages().at(-1)?.to).toEqual([politics])
  await running.app.stop()
})
