import { isObject } from './discord-body.ts'

/** Bits of https://docs.discord.com/developers/topics/permissions, written down apart from the code under test. */
export const permission = {
  administrator: 1n << 3n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  readMessageHistory: 1n << 16n,
  sendMessagesInThreads: 1n << 38n,
}

const everything = Object.values(permission).reduce((sum, bit) => sum | bit, 0n)

export interface FakeChannel {
  id: string
  name: string
  /** 0 text, 4 category, 5 announcement, 11 public thread, 15 forum. */
  type: number
  parent_id?: string
  permission_overwrites?: { id: string; type: 0 | 1; allow: string; deny: string }[]
}

interface FakeWebhook {
  id: string
  token: string
  name: string
  channel_id: string
  /** 1 incoming (the default), 2 channel follower. */
  type?: number
}

/** What the server is made of. All ids are of Discord's form. */
export interface FakeWorldOptions {
  token?: string
  channels?: FakeChannel[]
  webhooks?: FakeWebhook[]
  /** Permissions of everyone on the server; by default all that Bluepencil needs. */
  everyone?: bigint
  /** Further roles, by id. */
  roles?: Record<string, bigint>
  /** Those of them that anybody may mention. */
  mentionable?: string[]
  /** The bot's roles. */
  memberRoles?: string[]
  /** False where the bot is not on the server. */
  member?: boolean
  timedOutUntil?: string
  /** Where the gateway is. */
  gatewayUrl?: string
  /** What Discord says of the application. */
  application?: { verify_key: string; interactions_endpoint_url: string | null }
  /** How long Discord remembers a nonce: "the past few minutes". */
  nonceMs?: number
  now?: () => number
}

export interface PostedMessage {
  id: string
  channel_id: string
  author: { id: string; username: string; bot: true }
  content: string
  embeds: unknown[]
  components: unknown[]
  attachments?: { filename: string; content_type: string; size: number; description: unknown }[]
  timestamp: string
  edited_timestamp: string | null
  /** Not documented to come back when messages are read; here for tests. */
  body: Record<string, unknown>
}

export const ids = {
  bot: '1170000000000000001',
  guild: '1160000000000000001',
  owner: '1150000000000000001',
  channel: '1180000000000000001',
  otherChannel: '1180000000000000002',
  webhook: '1190000000000000001',
  application: '1175000000000000001',
}

export const secrets = {
  token: 'MTE3MDAwMDAwMDAwMDAwMDAwMQ.GfakeX.not-a-real-token',
  webhookToken: 'hook-secret_0123456789abcdef',
}

export function createWorld(options: FakeWorldOptions) {
  const now = options.now ?? Date.now
  const token = options.token ?? secrets.token
  const channels = options.channels ?? [
    { id: ids.channel, name: 'ai-desk', type: 0 },
    { id: ids.otherChannel, name: 'night-desk', type: 0 },
  ]
  const webhooks = options.webhooks ?? [
    { id: ids.webhook, token: secrets.webhookToken, name: 'Bluepencil', channel_id: ids.channel },
  ]
  const member = { user: { id: ids.bot, username: 'bluepencil' }, roles: options.memberRoles ?? [] }
  const guild = {
    id: ids.guild,
    name: 'The newsroom',
    owner_id: ids.owner,
    roles: Object.entries({
      [ids.guild]: options.everyone ?? everything & ~permission.administrator,
      ...options.roles,
    }).map(([id, bits]) => ({
      id,
      name: id,
      permissions: bits.toString(),
      mentionable: options.mentionable?.includes(id) === true,
    })),
  }
  const messages: PostedMessage[] = []
  const nonces: { author: string; nonce: unknown; at: number; message: PostedMessage }[] = []
  let increment = 0n

  /** The pseudocode of Discord's documentation, line by line. */
  function permissionsIn(channel: FakeChannel): bigint {
    const holder = channels.find(({ id }) => id === channel.parent_id && channel.type === 11) ?? channel
    let permissions = BigInt(guild.roles.find(({ id }) => id === guild.id)?.permissions ?? 0)
    for (const role of guild.roles)
      if (member.roles.includes(role.id)) permissions |= BigInt(role.permissions)
    if (permissions & permission.administrator) return everything
    const overwrites = holder.permission_overwrites ?? []
    const everyone = overwrites.find(({ id }) => id === guild.id)
    if (everyone) permissions = (permissions & ~BigInt(everyone.deny)) | BigInt(everyone.allow)
    let allow = 0n
    let deny = 0n
    for (const role of member.roles) {
      const overwrite = overwrites.find(({ id }) => id === role)
      allow |= BigInt(overwrite?.allow ?? 0)
      deny |= BigInt(overwrite?.deny ?? 0)
    }
    permissions = (permissions & ~deny) | allow
    const ofBot = overwrites.find(({ id }) => id === ids.bot)
    if (ofBot) permissions = (permissions & ~BigInt(ofBot.deny)) | BigInt(ofBot.allow)
    return permissions
  }

  function nextId(): string {
    increment += 1n
    return ((BigInt(now() - 1_420_070_400_000) << 22n) | (increment & 0xfffn)).toString()
  }

  /** Stores a message, unless the same author's nonce is remembered: then the earlier message is the answer. */
  function post(
    channelId: string,
    author: { id: string; username: string },
    body: Record<string, unknown>,
  ): PostedMessage {
    const remembered = nonces.find(
      (entry) =>
        body.enforce_nonce === true &&
        entry.nonce === body.nonce &&
        entry.author === author.id &&
        now() - entry.at < (options.nonceMs ?? 300_000),
    )
    if (remembered !== undefined) return remembered.message
    const message: PostedMessage = {
      id: nextId(),
      channel_id: channelId,
      author: { ...author, bot: true },
      content: typeof body.content === 'string' ? body.content.trim() : '',
      embeds: Array.isArray(body.embeds)
        ? body.embeds.map((embed) => (isObject(embed) ? { type: 'rich', ...embed } : embed))
        : [],
      components: Array.isArray(body.components) ? body.components : [],
      timestamp: new Date(now()).toISOString(),
      edited_timestamp: null,
      body,
    }
    messages.push(message)
    if (body.nonce !== undefined) nonces.push({ author: author.id, nonce: body.nonce, at: now(), message })
    return message
  }

  /** The commands that the application offers. */
  const commands: unknown[] = []
  /** What stands as the answer to an interaction, by its token. */
  const interactions = new Map<string, unknown>()
  return {
    now,
    token,
    channels,
    webhooks,
    guild,
    member,
    messages,
    commands,
    interactions,
    options,
    permissionsIn,
    post,
  }
}

export type FakeWorld = ReturnType<typeof createWorld>
