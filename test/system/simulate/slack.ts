import { type Answered, type Asked, fairWeather, type Host } from './network.ts'
import type { Readers, Shown } from './readers.ts'

interface Message {
  ts: string
  channel: string
  shown: Shown
  bot_id: string
  app_id: string
  user: string
  metadata: unknown
}

export interface SlackWorkspace extends Host {
  /** Somebody else's app writes what pretends to be ours. */
  pretend(channel: string, eventId: string): void
  /** What stands there by now can be edited no more. */
  closeEdits(): void
}

const ids = new Map([
  ['#ai-desk', 'C0000000001'],
  ['#ops', 'C0000000002'],
])

/** Slack, as far as Bluepencil uses it, with a clock of its own. */
export function createSlack({ now, readers }: { now: () => number; readers: Readers }): SlackWorkspace {
  const messages: Message[] = []
  let count = 0
  let closed = 0
  const closeEdits = () => {
    closed = messages.length
  }
  const workspace: SlackWorkspace = {
    name: 'slack',
    weather: { ...fairWeather },
    answer,
    pretend,
    closeEdits,
  }

  function timestamp(): string {
    count += 1
    const at = now()
    return `${Math.floor(at / 1_000)}.${String(Math.floor(at % 1_000) * 1_000 + (count % 1_000)).padStart(6, '0')}`
  }

  function post(channel: string, text: string, metadata: unknown, bot: string): Message {
    const name = [...ids].find(([, id]) => id === channel)?.[0] ?? channel
    const place = bot === 'B0OURS' ? `slack ${name}` : `others ${name}`
    const shown = readers.show(place, text)
    const message = {
      ts: timestamp(),
      channel,
      shown,
      metadata,
      bot_id: bot,
      app_id: `A${bot}`,
      user: `U${bot}`,
    }
    messages.push(message)
    return message
  }

  function pretend(channel: string, eventId: string): void {
    const metadata = { event_type: 'bluepencil_alert', event_payload: { event_id: eventId } }
    post(ids.get(channel) ?? channel, 'not what it says', metadata, 'B0OTHER')
  }

  function answer(asked: Asked): Answered {
    if (asked.url.pathname.startsWith('/services/')) {
      readers.show('slack-webhook', visibleText(JSON.parse(asked.body)))
      return { status: 200, headers: { Date: date() }, body: 'ok' }
    }
    const method = asked.url.pathname.replace(/^.*\//, '')
    return json(call(method, Object.fromEntries(new URLSearchParams(asked.body))))
  }

  function call(method: string, form: Record<string, string | undefined>): object {
    switch (method) {
      case 'auth.test':
        return {
          ok: true,
          user: 'bluepencil',
          user_id: 'UB0OURS',
          bot_id: 'B0OURS',
          team: 'Newsroom',
          team_id: 'T1',
          app_id: 'AB0OURS',
        }
      case 'bots.info':
        return { ok: true, bot: { id: 'B0OURS', app_id: 'AB0OURS', user_id: 'UB0OURS' } }
      case 'conversations.list': {
        const channels = [...ids].map(([name, id]) => ({ id, name: name.slice(1), is_member: true }))
        return { ok: true, channels, response_metadata: { next_cursor: '' } }
      }
      case 'conversations.info': {
        const [name = ''] = [...ids].find(([, id]) => id === form.channel) ?? []
        return { ok: true, channel: { id: form.channel, name: name.slice(1), is_member: true } }
      }
      case 'chat.postMessage': {
        const channel = ids.get(form.channel ?? '') ?? form.channel ?? ''
        if (form.thread_ts !== undefined) {
          readers.show('others in a thread', visibleText(form))
          return { ok: true, channel, ts: timestamp() }
        }
        const metadata = form.metadata === undefined ? undefined : JSON.parse(form.metadata)
        const { ts } = post(channel, visibleText(form), metadata, 'B0OURS')
        return { ok: true, channel, ts, message: { bot_id: 'B0OURS', app_id: 'AB0OURS', ts } }
      }
      case 'chat.update': {
        const message = messages.find(({ ts, channel }) => ts === form.ts && channel === form.channel)
        if (message !== undefined && messages.indexOf(message) < closed) {
          return { ok: false, error: 'edit_window_closed' }
        }
        if (message === undefined) return { ok: false, error: 'message_not_found' }
        readers.edit(message.shown, visibleText(form))
        return { ok: true, channel: form.channel, ts: form.ts }
      }
      case 'conversations.history':
        return history(form)
      default:
        return { ok: false, error: 'unknown_method' }
    }
  }

  /** Newest first. */
  function history({
    channel,
    oldest = '0',
    limit = '100',
    cursor = '0',
  }: Record<string, string | undefined>): object {
    const matches = messages
      .filter((message) => message.channel === channel && Number(message.ts) > Number(oldest))
      .toReversed()
    const from = Number(cursor)
    const to = from + Number(limit)
    return {
      ok: true,
      messages: matches
        .slice(from, to)
        .map((message) => ({ type: 'message', text: '', ...message, shown: undefined, channel: undefined })),
      has_more: matches.length > to,
      response_metadata: { next_cursor: matches.length > to ? String(to) : '' },
    }
  }

  function date(): string {
    return new Date(now()).toUTCString()
  }

  function json(body: object): Answered {
    return {
      status: 200,
      headers: { 'content-type': 'application/json', Date: date() },
      body: JSON.stringify(body),
    }
  }

  return workspace
}

/** From the form of a call, with blocks as JSON in a field, or from the body of a webhook. */
function visibleText({ blocks, text = '' }: { blocks?: unknown; text?: string | undefined }): string {
  return `${text}\n${typeof blocks === 'string' ? blocks : JSON.stringify(blocks)}`
}
