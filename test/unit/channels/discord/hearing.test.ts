import { afterEach, expect, test } from 'vitest'
import { openDiscord } from '../../../../src/channels/discord/channel.ts'
import { DiscordAccount, DiscordSettings } from '../../../../src/channels/discord/config.ts'
import { type FakeDiscord, startFakeDiscord } from '../../../support/fakes/discord.ts'

let discord: FakeDiscord
afterEach(() => discord.close())

const publicKey = 'c0'.repeat(32)
const elsewhere = 'https://alerts.desk.example/discord'

async function hearing(account: object, application: { key?: string; postsTo?: string }) {
  const { key = publicKey, postsTo = null } = application
  discord = await startFakeDiscord({
    application: { verify_key: key, interactions_endpoint_url: postsTo },
  })
  const [channel] = await openDiscord(
    DiscordAccount.parse({ token: discord.token, apiUrl: discord.url, ...account }),
    [DiscordSettings.parse({ name: 'desk', type: 'discord', to: discord.channelId })],
  )
  const rows = (await channel?.check()) ?? []
  await channel?.close()
  return rows.filter(({ what }) => what === 'buttons').map(({ level, text }) => `${level}: ${text}`)
}

test.each([
  [{ gateway: true }, {}, /^ok: .* through the gateway/],
  [{ gateway: true }, { postsTo: elsewhere }, /^fail: .* clear Interactions Endpoint URL/],
  [{ publicKey }, { postsTo: elsewhere }, /^ok: Discord posts button presses and commands to https:/],
  [{ publicKey }, {}, /^fail: .* does not send button presses: write the public address of \/discord/],
  [
    { publicKey },
    { postsTo: elsewhere, key: 'd1'.repeat(32) },
    /^fail: discord.publicKey belongs to another/,
  ],
])('%j beside what Discord says of the application: %j', async (account, application, row) => {
  expect(await hearing(account, application)).toEqual([expect.stringMatching(row)])
})

test('where nobody listens, check asks nothing about it', async () => {
  expect(await hearing({}, {})).toEqual([])
})
