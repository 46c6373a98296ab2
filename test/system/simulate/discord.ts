import { type Answered, type Asked, fairWeather, type Host } from './network.ts'
import type { Readers, Shown } from './readers.ts'

interface Message {
  id: bigint
  channel: string
  nonce: string | undefined
  at: number
  author: string
  embeds: unknown
  shown: Shown
}

const epoch = 1_420_070_400_000
/** "Enforced for a few minutes" (Create Message). */
const nonceMs = 5 * 60_000
const self = '1180000000000000099'

export interface DiscordServer extends Host {
  /** What stands there by now can be edited no more. */
  closeEdits(): void
}

/** Discord's REST interface, as far as Bluepencil uses it, with a clock of its own. */
export function createDiscord({ now, readers }: { now: () => number; readers: Readers }): DiscordServer {
  const messages: Message[] = []
  let count = 0n
  let closed = 0

  function post(
    channel: string,
    place: string,
    author: string,
    body: { nonce?: string; embeds?: unknown },
  ): Message {
    const at = now()
    const earlierMessage = messages.find(
      (message) => body.nonce !== undefined && message.nonce === body.nonce && at - message.at < nonceMs,
    )
    if (earlierMessage !== undefined) return earlierMessage
    count += 1n
    const id = (BigInt(Math.floor(at) - epoch) << 22n) + (count & 0xfffn)
    const shown = readers.show(place, JSON.stringify(body))
    const message = { id, channel, nonce: body.nonce, at, author, embeds: body.embeds, shown }
    messages.push(message)
    return message
  }

  function answer({ method, url, body }: Asked): Answered {
    const path = url.pathname.replace(/^\/api(\/v\d+)?/, '')
    const [, kind, first = '', second, third] = path.split('/')
    if (kind === 'users') return json({ id: self, username: 'bluepencil', bot: true })
    if (kind === 'webhooks' && method === 'POST') {
      return json(written(post(`webhook ${first}`, 'discord-webhook', first, JSON.parse(body))))
    }
    if (method === 'PATCH') {
      const id = kind === 'webhooks' ? path.split('/').at(-1) : third
      const message = messages.find((one) => String(one.id) === id)
      if (message === undefined || messages.indexOf(message) < closed) {
        return json({ message: 'Unknown Message', code: 10008 }, 404)
      }
      message.embeds = JSON.parse(body).embeds
      readers.edit(message.shown, body)
      return json(written(message))
    }
    if (kind === 'channels' && second === 'messages') {
      if (method === 'POST') return json(written(post(first, `discord ${first}`, self, JSON.parse(body))))
      const after = BigInt(url.searchParams.get('after') ?? '0')
      const limit = Number(url.searchParams.get('limit') ?? '50')
      const matches = messages.filter((message) => message.channel === first && message.id > after)
      // The oldest after it, newest first.
      return json(matches.slice(0, limit).toReversed().map(written))
    }
    return json({ message: '404: Not Found', code: 0 }, 404)
  }

  function json(body: unknown, status = 200): Answered {
    const headers = { 'content-type': 'application/json', Date: new Date(now()).toUTCString() }
    return { status, headers, body: JSON.stringify(body) }
  }

  function closeEdits(): void {
    closed = messages.length
  }

  return { name: 'discord', weather: { ...fairWeather }, answer, closeEdits }
}

function written({ id, channel, author, embeds, nonce }: Message) {
  return {
    id: String(id),
    channel_id: channel,
    author: { id: author, bot: true },
    embeds: embeds ?? [],
    nonce,
    content: '',
  }
}
