import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { firstAdmin, folderWithSettings, openUnset, password } from '../../system/console/setup-desk.ts'

const desk = { name: 'desk', type: 'console' }
const account = {
  name: 'ana',
  password: `$scrypt$ln=15,r=8,p=3$${'A'.repeat(22)}$${'A'.repeat(43)}`,
  role: 'admin',
}

/** A folder in which people have set this, with the damage that its settings.json has. */
async function folderWith(config: unknown, damage: (text: string) => string = (text) => text) {
  const folder = await folderWithSettings(config)
  const file = join(folder, 'data', 'settings.json')
  writeFileSync(file, damage(readFileSync(file, 'utf8')))
  return folder
}

const cut = (text: string) => text.slice(0, text.length / 2)
const made = { revision: 2, users: [account], channels: [{ ...desk, name: 'made' }] }
const open = (folder: string, more: object = { channels: [desk] }) => openUnset(more, { folder })

test.each<[what: string, config: unknown, damage: ((text: string) => string) | undefined, why: RegExp]>([
  ['settings.json is cut', made, cut, /cannot be read and is kept[\s\S]*bluepencil config clear/],
  ['it is nonsense', 'nonsense', undefined, /is damaged[\s\S]*bluepencil config clear/],
  [
    'an account has a key of a newer version',
    { ...made, users: [{ ...account, passkey: 'of-later' }] },
    undefined,
    /accounts made in the browser cannot be used[\s\S]*bluepencil config clear/,
  ],
  [
    'accounts are kept elsewhere by a newer version',
    { ...made, users: undefined, signIn: {} },
    undefined,
    /Start the newer Bluepencil/,
  ],
])('nobody gets in when accounts are lost: %s', async (_what, config, damage, why) => {
  for (const listen of [{ port: 0 }, { port: 0, host: '0.0.0.0' }]) {
    for (const channels of [[desk], []]) {
      const folder = await folderWith(config, damage)
      const { visitor, printed } = await open(folder, { channels, console: { listen } })
      const here = visitor()
      for (const path of ['/', '/log', '/tokens', '/settings', '/sign-in']) {
        const { status, html } = await here.see(path)
        expect([path, status]).toEqual([path, 503])
        expect(html).toMatch(why)
        expect(html).not.toContain('scrypt')
      }
      for (const path of ['/feed.atom?token=some', '/alerts.json', '/feed/some/alerts.atom']) {
        expect([path, (await here.see(path)).status]).toEqual([path, 503])
      }
      expect(printed.join('')).not.toContain('setup#')
    }
  }
})

test('an installation that never had accounts in the browser stays open to its machine', async () => {
  const { visitor } = await open(await folderWith(undefined, cut))
  expect((await visitor().see('/log')).status).toBe(200)
})

test('accounts of the file count as before', async () => {
  const folder = await folderWith(made, cut)
  const { visitor } = await open(folder, {
    channels: [desk],
    console: { listen: { port: 0 }, users: [account] },
  })
  expect((await visitor().see('/sign-in')).status).toBe(200)
})

test('a channel that cannot be used is shown, corrected and removed in the browser', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'damaged-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const ends: (() => Promise<void>)[] = []
  const before = await openUnset({}, { folder, closing: (end) => void ends.push(end) })
  await firstAdmin(before)
  for (const end of ends) await end()
  const path = join(folder, 'data', 'settings.json')
  const settings = JSON.parse(readFileSync(path, 'utf8'))
  const broken = [
    { ...desk, name: 'wide', timeZone: 'Atlantis' },
    { ...desk, name: 'pigeon', type: 'pigeon' },
  ]
  settings.config.channels = [desk, ...broken]
  writeFileSync(path, JSON.stringify(settings))
  const { app, visitor } = await openUnset({}, { folder })
  const ana = visitor()
  await ana.signIn('ana', password)
  const channels = async () => {
    const { body } = await fetch(`http://127.0.0.1:${app.port}/readyz`).then(async (answer) => ({
      body: (await answer.json()) as { channels: { name: string }[] },
    }))
    return body.channels.map(({ name }) => name)
  }
  expect(await channels()).toEqual(['desk'])
  for (const name of ['wide', 'pigeon']) {
    const { status, html } = await ana.see(`/settings/channels/${name}`)
    expect([name, status]).toEqual([name, 200])
    expect(html).toContain('is not in use')
  }
  await ana.submit('/settings/channels/wide', '/settings/channels/wide', { timeZone: 'Europe/Berlin' })
  expect(await channels()).toEqual(['desk', 'wide'])
  await ana.submit('/settings/channels/pigeon/remove', '/settings/channels/pigeon/remove')
  const { html } = await ana.see('/settings/channels')
  expect(html).not.toContain('pigeon')
  expect(html).toContain('wide')
})
