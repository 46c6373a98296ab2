import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { botPermissions } from '../../../src/channels/discord/permissions.ts'
import { botScopes } from '../../../src/channels/slack/manifest.ts'
import { discordInvite, slackManifest } from '../../../src/commands/accounts.ts'
import { allScopes } from '../../support/fakes/slack-proxy.ts'

function terminal() {
  const shown = { out: '', note: '' }
  const write = {
    out(text: string) {
      shown.out += text
    },
    note(text: string) {
      shown.note += text
    },
  }
  return { shown, terminal: { ...write, colour: false, width: 100 } }
}

/** The rows of the table of that page with this first heading. */
function tableOf(page: string, heading: string): [string, string][] {
  const [, table = ''] = readFileSync(page, 'utf8').split(`| ${heading} | what for |\n`)
  const [rows = ''] = table.split('\n\n')
  return [...rows.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name = '', use = '']) => [name, use])
}

test('the manifest gives the bot the scopes that Slack asks for, which the docs name, and no others', () => {
  const { shown, terminal: on } = terminal()
  slackManifest({ name: 'Desk bot' }, on)
  const { oauth_config, features } = JSON.parse(shown.out)
  expect(oauth_config.scopes.bot).toEqual(Object.keys(botScopes))
  expect(new Set(oauth_config.scopes.bot)).toEqual(new Set(allScopes))
  expect(features.bot_user.display_name).toBe('Desk bot')
  expect(shown.note).toContain('https://api.slack.com/apps?new_app=1')
  expect(tableOf('docs/slack.md', 'scope of the Slack bot')).toEqual(Object.entries(botScopes))
})

test('the manifest is for Socket Mode, or for the address at which Slack is to post', () => {
  const { shown, terminal: on } = terminal()
  slackManifest({ name: 'Desk bot' }, on)
  const socket = JSON.parse(shown.out)
  expect(socket.settings).toMatchObject({ socket_mode_enabled: true, interactivity: { is_enabled: true } })
  expect(socket.features.slash_commands).toMatchObject([{ command: '/bluepencil' }])
  expect(shown.note).toContain('connections:write')

  shown.out = ''
  const postTo = 'https://alerts.desk.example/slack'
  slackManifest({ name: 'Desk bot', postTo }, on)
  const signed = JSON.parse(shown.out)
  expect(signed.settings).toMatchObject({
    socket_mode_enabled: false,
    interactivity: { is_enabled: true, request_url: postTo },
  })
  expect(signed.features.slash_commands).toMatchObject([{ command: '/bluepencil', url: postTo }])
  expect(() => slackManifest({ name: 'Desk bot', postTo: 'http://desk.example' }, on)).toThrow('https')
})

test('the invitation asks for the permissions that the docs name, and no others', async () => {
  const { shown, terminal: on } = terminal()
  await discordInvite('1180000000000000001', {}, on)
  const permissions = BigInt(new URL(shown.out.trim()).searchParams.get('permissions') ?? 0)
  expect(permissions).toBe(botPermissions.reduce((sum, { bit }) => sum | bit, 0n))
  expect(tableOf('docs/discord.md', 'permission of the Discord bot')).toEqual(
    botPermissions.map((one) => [one.name, one.for]),
  )
})

test('without an application id it says where that is found', async () => {
  await expect(discordInvite('12', {}, terminal().terminal)).rejects.toThrow('17 to 20 digits')
  const config = join(mkdtempSync(join(tmpdir(), 'bluepencil-')), 'bluepencil.yaml')
  writeFileSync(config, 'channels:\n  - { name: desk, type: console }\n')
  await expect(discordInvite(undefined, { config }, terminal().terminal)).rejects.toThrow(
    'the application id is missing: add it to the command, or set discord.applicationId',
  )
})
