import { type BodyError, isObject, refuseBody } from './discord-body.ts'
import { type FakeChannel, type FakeWorld, ids, type PostedMessage, permission } from './discord-world.ts'

export interface FakeRequest {
  method: string
  /** Without /api and the version: /channels/1/messages. */
  path: string
  query: URLSearchParams
  authorization: string | undefined
  body: unknown
  /** What a form holds beside `payload_json`. */
  files?: { key: string; name: string; type: string; bytes: Uint8Array }[]
}

export interface FakeAnswer {
  status: number
  body?: unknown
}

type Handler = (request: FakeRequest, world: FakeWorld, ids: string[]) => FakeAnswer

const routes: [method: string, path: RegExp, handler: Handler][] = [
  [
    'GET',
    /^\/users\/@me$/,
    withBot(() => ({ status: 200, body: { id: ids.bot, username: 'bluepencil', bot: true } })),
  ],
  [
    'GET',
    /^\/channels\/(\d+)$/,
    withBot(inChannel((_, world, channel) => ({ status: 200, body: described(channel, world) }))),
  ],
  ['GET', /^\/channels\/(\d+)\/messages$/, withBot(inChannel(read))],
  ['POST', /^\/channels\/(\d+)\/messages$/, withBot(inChannel(create))],
  ['GET', /^\/channels\/(\d+)\/messages\/(\d+)$/, withBot(inChannel(readOne))],
  ['PATCH', /^\/channels\/(\d+)\/messages\/(\d+)$/, withBot(inChannel(edit))],
  [
    'GET',
    /^\/applications\/@me$/,
    withBot((_, world) => ({
      status: 200,
      body: { id: ids.application, name: 'Bluepencil', ...world.options.application },
    })),
  ],
  ['GET', /^\/gateway\/bot$/, withBot(gateway)],
  ['POST', /^\/interactions\/(\d+)\/([\w-]+)\/callback$/, answerInteraction],
  ['PUT', /^\/applications\/(\d+)\/commands$/, withBot(offerCommands)],
  ['PATCH', /^\/webhooks\/(\d+)\/([\w-]+)\/messages\/(?:@|%40)original$/, replaceAnswer],
  ['GET', /^\/guilds\/(\d+)$/, withBot(inGuild((world) => world.guild))],
  ['GET', /^\/guilds\/(\d+)\/roles$/, withBot(inGuild((world) => world.guild.roles))],
  ['GET', /^\/guilds\/(\d+)\/members\/(\d+)$/, withBot(readMember)],
  ['GET', /^\/webhooks\/(\d+)\/([\w-]+)$/, readWebhook],
  ['POST', /^\/webhooks\/(\d+)\/([\w-]+)$/, executeWebhook],
  ['PATCH', /^\/webhooks\/(\d+)\/([\w-]+)\/messages\/(\d+)$/, editByWebhook],
]

export function answer(request: FakeRequest, world: FakeWorld): FakeAnswer {
  for (const [method, path, handler] of routes) {
    const match = path.exec(request.path)
    if (match !== null && method === request.method) return handler(request, world, match.slice(1))
  }
  const isKnownPath = routes.some(([, path]) => path.test(request.path))
  return isKnownPath ? error(405, 0, '405: Method Not Allowed') : error(404, 0, '404: Not Found')
}

function withBot(handler: Handler): Handler {
  return (request, world, parts) =>
    request.authorization === `Bot ${world.token}`
      ? handler(request, world, parts)
      : error(401, 0, '401: Unauthorized')
}

function inChannel(
  handler: (request: FakeRequest, world: FakeWorld, channel: FakeChannel, messageId: string) => FakeAnswer,
): Handler {
  return (request, world, [id, messageId = '']) => {
    const channel = world.channels.find((one) => one.id === id)
    if (channel === undefined) return error(404, 10003, 'Unknown Channel')
    const mayView = world.options.member !== false && may(world, channel, permission.viewChannel)
    return mayView ? handler(request, world, channel, messageId) : error(403, 50001, 'Missing Access')
  }
}

function inGuild(part: (world: FakeWorld) => unknown): Handler {
  return (_, world, [id]) =>
    id === world.guild.id ? { status: 200, body: part(world) } : error(404, 10004, 'Unknown Guild')
}

function offerCommands({ body }: FakeRequest, world: FakeWorld, [id]: string[]): FakeAnswer {
  if (id !== ids.application) return error(403, 20012, 'You are not authorized for this application')
  world.commands = Array.isArray(body) ? body : []
  return { status: 200, body: world.commands }
}

function gateway(_: FakeRequest, { options }: FakeWorld): FakeAnswer {
  const session_start_limit = { total: 1000, remaining: 999, reset_after: 0, max_concurrency: 1 }
  return { status: 200, body: { url: options.gatewayUrl, shards: 1, session_start_limit } }
}

/** An interaction that came through the gateway is answered once. */
function answerInteraction({ body }: FakeRequest, world: FakeWorld, [, token = '']: string[]): FakeAnswer {
  if (!world.interactions.has(token)) return error(404, 10062, 'Unknown interaction')
  if (world.interactions.get(token) !== undefined) {
    return error(400, 40060, 'Interaction has already been acknowledged.')
  }
  world.interactions.set(token, isObject(body) && isObject(body.data) ? body.data : body)
  return { status: 204 }
}

/** What was answered to an interaction may be replaced by its token, without the bot's. */
function replaceAnswer({ body }: FakeRequest, world: FakeWorld, [id, token = '']: string[]): FakeAnswer {
  if (id !== ids.application || !world.interactions.has(token)) return error(404, 10015, 'Unknown Webhook')
  world.interactions.set(token, body)
  return { status: 200, body: { id: ids.channel } }
}

function readMember(_: FakeRequest, world: FakeWorld, [guildId, userId]: string[]): FakeAnswer {
  if (guildId !== world.guild.id) return error(404, 10004, 'Unknown Guild')
  if (userId !== ids.bot) return error(404, 10007, 'Unknown Member')
  const until = world.options.timedOutUntil ?? null
  return { status: 200, body: { ...world.member, communication_disabled_until: until } }
}

function described(channel: FakeChannel, world: FakeWorld) {
  return { permission_overwrites: [], parent_id: null, ...channel, guild_id: world.guild.id }
}

function create(request: FakeRequest, world: FakeWorld, channel: FakeChannel): FakeAnswer {
  if ([4, 14].includes(channel.type)) return error(400, 50008, 'Cannot send messages in a non-text channel')
  if ([15, 16].includes(channel.type)) return error(400, 40058, 'Cannot send a message in a forum channel')
  const send = channel.type === 11 ? permission.sendMessagesInThreads : permission.sendMessages
  if (!may(world, channel, send)) return error(403, 50013, 'Missing Permissions')
  const refused = refuse(request, 'bot')
  if (refused !== undefined) return refused
  const body = isObject(request.body) ? request.body : {}
  const hasEmbeds = Array.isArray(body.embeds) && body.embeds.length > 0
  if (hasEmbeds && !may(world, channel, permission.embedLinks))
    return error(403, 50013, 'Missing Permissions')
  const message = world.post(channel.id, { id: ids.bot, username: 'bluepencil' }, body)
  return { status: 200, body: { ...seen(message), ...(body.nonce !== undefined && { nonce: body.nonce }) } }
}

function read({ query }: FakeRequest, world: FakeWorld, channel: FakeChannel): FakeAnswer {
  const limit = Number(query.get('limit') ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    const problem = { code: 'NUMBER_TYPE_MAX', message: 'int value should be between 1 and 100.' }
    return {
      status: 400,
      body: { message: 'Invalid Form Body', code: 50035, errors: { limit: { _errors: [problem] } } },
    }
  }
  if (!may(world, channel, permission.readMessageHistory)) return { status: 200, body: [] }
  const after = query.get('after')
  const before = query.get('before')
  const inOrder = world.messages
    .filter((message) => message.channel_id === channel.id)
    .filter(
      ({ id }) =>
        (after === null || BigInt(id) > BigInt(after)) && (before === null || BigInt(id) < BigInt(before)),
    )
  // `after` gives the messages next to it, not the newest; either way the newest comes first.
  const page = after === null ? inOrder.slice(-limit) : inOrder.slice(0, limit)
  return { status: 200, body: page.reverse().map(seen) }
}

function readOne(_: FakeRequest, world: FakeWorld, channel: FakeChannel, messageId: string): FakeAnswer {
  const message = world.messages.find(({ id, channel_id }) => id === messageId && channel_id === channel.id)
  return message === undefined ? error(404, 10008, 'Unknown Message') : { status: 200, body: seen(message) }
}

function edit(request: FakeRequest, world: FakeWorld, channel: FakeChannel, messageId: string): FakeAnswer {
  const message = world.messages.find(({ id, channel_id }) => id === messageId && channel_id === channel.id)
  if (message === undefined) return error(404, 10008, 'Unknown Message')
  if (message.author.id !== ids.bot)
    return error(403, 50005, 'Cannot edit a message authored by another user')
  if (request.files !== undefined && !may(world, channel, permission.attachFiles))
    return error(403, 50013, 'Missing Permissions')
  return changed(request, 'bot', message, world)
}

function editByWebhook(request: FakeRequest, world: FakeWorld, parts: string[]): FakeAnswer {
  const [webhookId, , messageId] = parts
  const reading = readWebhook(request, world, parts)
  if (reading.status !== 200) return reading
  const thread = request.query.get('thread_id') ?? undefined
  const message = world.messages.find(({ id, author }) => id === messageId && author.id === webhookId)
  const channel = world.webhooks.find(({ id }) => id === webhookId)?.channel_id
  // A message in a thread is found there alone.
  if (message === undefined || message.channel_id !== (thread ?? channel)) {
    return error(404, 10008, 'Unknown Message')
  }
  return changed(request, 'webhook', message, world)
}

function changed(
  request: FakeRequest,
  endpoint: 'bot' | 'webhook',
  message: PostedMessage,
  world: FakeWorld,
): FakeAnswer {
  const files = request.files ?? []
  const refused = refuseBody(request.body, endpoint, { isEdit: true, files: files.length })
  if (refused !== undefined) return refused
  const body = isObject(request.body) ? request.body : {}
  // Named or not: what is not named stays.
  const { attachments } = body
  if (Array.isArray(attachments)) {
    message.attachments = files.map(({ name, type, bytes }, index) => ({
      filename: name,
      content_type: type,
      size: bytes.length,
      description: attachments[index]?.description,
    }))
  }
  if (typeof body.content === 'string') message.content = body.content
  if (Array.isArray(body.embeds)) message.embeds = body.embeds
  if (Array.isArray(body.components)) message.components = body.components
  message.edited_timestamp = new Date(world.now()).toISOString()
  message.body = { ...message.body, ...body }
  return { status: 200, body: seen(message) }
}

function readWebhook(_: FakeRequest, world: FakeWorld, [id, token]: string[]): FakeAnswer {
  const webhook = world.webhooks.find((one) => one.id === id)
  if (webhook === undefined) return error(404, 10015, 'Unknown Webhook')
  if (webhook.token !== token) return error(401, 50027, 'Invalid Webhook Token')
  return {
    status: 200,
    body: { type: 1, guild_id: world.guild.id, avatar: null, application_id: null, ...webhook },
  }
}

function executeWebhook(request: FakeRequest, world: FakeWorld, parts: string[]): FakeAnswer {
  const reading = readWebhook(request, world, parts)
  const webhook = world.webhooks.find((one) => one.id === parts[0])
  if (reading.status !== 200 || webhook === undefined) return reading
  const threadId = request.query.get('thread_id')
  const channel = world.channels.find(({ id }) => id === webhook.channel_id)
  const thread = world.channels.find(
    ({ id, parent_id }) => id === threadId && parent_id === webhook.channel_id,
  )
  if (threadId !== null && thread === undefined) return error(404, 10003, 'Unknown Channel')
  if (channel?.type === 15 && thread === undefined) {
    return error(400, 220001, 'Webhooks posted to forum channels must have a thread_name or thread_id')
  }
  const refused = refuse(request, 'webhook')
  if (refused !== undefined) return refused
  const body = isObject(request.body) ? request.body : {}
  const message = world.post(
    thread?.id ?? webhook.channel_id,
    { id: webhook.id, username: webhook.name },
    body,
  )
  const waits = ['true', 'True', '1'].includes(request.query.get('wait') ?? '')
  return waits ? { status: 200, body: { ...seen(message), webhook_id: webhook.id } } : { status: 204 }
}

function refuse(request: FakeRequest, endpoint: 'bot' | 'webhook'): BodyError | undefined {
  return refuseBody(request.body, endpoint)
}

function may(world: FakeWorld, channel: FakeChannel, bit: bigint): boolean {
  return (world.permissionsIn(channel) & bit) !== 0n
}

/** The message as Discord shows it. `body` is undefined, and so is not in the JSON. */
function seen(message: PostedMessage) {
  return { type: 0, ...message, body: undefined }
}

function error(status: number, code: number, message: string): FakeAnswer {
  return { status, body: { message, code } }
}
