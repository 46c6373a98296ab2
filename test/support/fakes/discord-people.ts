import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { ids, type PostedMessage } from './discord-world.ts'

type Fields = Record<string, unknown>

export const members = {
  cem: { id: '1140000000000000001', username: 'cem', global_name: 'Cem' },
  dora: { id: '1140000000000000002', username: 'dora', global_name: null },
}
type Member = (typeof members)[keyof typeof members]

let count = 0n

/** What Discord says that a person did, of https://docs.discord.com/developers/interactions/receiving-and-responding. */
function interaction(type: number, data: Fields, who: Member): Fields & { token: string } {
  count += 1n
  return {
    id: String(1_200_000_000_000_000_000n + count),
    application_id: ids.application,
    type,
    token: randomUUID().replaceAll('-', ''),
    version: 1,
    guild_id: ids.guild,
    channel_id: ids.channel,
    channel: { id: ids.channel, type: 0, name: 'ai-desk' },
    member: { user: { ...who, discriminator: '0', avatar: null }, nick: null, roles: [], permissions: '0' },
    locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: {},
    data,
  }
}

/** A click on a button of a message, by what stands on it. */
export function clickOn(message: PostedMessage, label: string, who: Member = members.cem) {
  const button = buttonsOf(message).find((one) => one.label === label)
  if (button === undefined) throw new Error(`no button ${label}`)
  const data = { component_type: 2, custom_id: button.custom_id }
  return { ...interaction(3, data, who), message: { ...message, body: undefined } }
}

/** `/bluepencil` with one of its commands, and what was filled in. */
export function commandOf(name: string, options: Record<string, string> = {}, who: Member = members.cem) {
  const values = Object.entries(options).map(([of, value]) => ({ type: 3, name: of, value }))
  return interaction(
    2,
    { id: '1', type: 1, name: 'bluepencil', options: [{ type: 1, name, options: values }] },
    who,
  )
}

/** The form that was answered, filled in and sent. */
export function submissionOf(modal: Fields, until: string, why: string, who: Member = members.cem) {
  const components = [
    { type: 18, id: 1, component: { type: 3, id: 2, custom_id: 'until', values: [until] } },
    { type: 18, id: 3, component: { type: 4, id: 4, custom_id: 'why', value: why } },
  ]
  return interaction(5, { custom_id: modal.custom_id, components }, who)
}

export function labelsOf(message: PostedMessage | undefined): unknown[] {
  return message === undefined ? [] : buttonsOf(message).map(({ label }) => label)
}

function buttonsOf({ components }: PostedMessage): Fields[] {
  return (components as { components: Fields[] }[]).flatMap((row) => row.components)
}

/** A key of Discord's, and what it posts with it. */
export function createDiscordKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    publicKey: Buffer.from(x, 'base64url').toString('hex'),
    /** `at` in milliseconds. */
    signed(body: unknown, { at = Date.now() } = {}) {
      const text = JSON.stringify(body)
      const time = String(Math.floor(at / 1000))
      return {
        method: 'POST',
        body: text,
        headers: {
          'content-type': 'application/json',
          'x-signature-ed25519': sign(null, Buffer.from(time + text), privateKey).toString('hex'),
          'x-signature-timestamp': time,
        },
      }
    },
  }
}
