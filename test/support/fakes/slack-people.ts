import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type WebSocket, WebSocketServer } from 'ws'

/** An id and a name of each. */
export const people = {
  ana: { id: 'U0ANA0001', username: 'ana' },
  ben: { id: 'U0BEN0001', username: 'ben' },
}
type Someone = (typeof people)[keyof typeof people]

type Fields = Record<string, unknown>

/** Of https://docs.slack.dev/apis/events-api/using-socket-mode: what Slack sends, to be acknowledged by its id. */
export interface Envelope {
  envelope_id: string
  type: 'interactive' | 'slash_commands'
  payload: Fields
}

interface Acknowledged {
  /** Milliseconds from sending to the acknowledgement. */
  afterMs: number
  payload: Fields | undefined
}

/** Slack lets nobody wait for longer. */
const patienceMs = 3_000

/**
 * The people's side of Slack. Their clicks and commands go to the app through Socket Mode, or signed by HTTP,
 * and the app's answers are kept. Strict to the published interface: an app-level token for a connection, each envelope
 * acknowledged once, a trigger good for one form, an answer's address for five.
 */
export async function startSlackPeople() {
  const appToken = 'xapp-1-A1-of-the-test'
  const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5'
  /** Answers to people outside of forms, oldest first. */
  const told: { to: string; body: Fields }[] = []
  const forms = new Map<string, Fields>()
  const faults: string[] = []
  const waiting = new Map<string, { sentAt: number; acked(how: Acknowledged): void }>()
  const triggers = new Set<string>()
  const tickets = new Set<string>()
  const links: WebSocket[] = []
  let refusal: Fields | undefined
  let opened = 0
  let linked = 0

  async function tell(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const to = request.url?.split('/').at(-1) ?? ''
    const body: Fields = JSON.parse(await text(request))
    if (told.filter((one) => one.to === to).length >= 5)
      return void response.writeHead(404).end('expired_url')
    if (body.response_type !== 'ephemeral' || body.replace_original !== false)
      faults.push('told to everybody')
    told.push({ to, body })
    response.end('ok')
  }
  const server = createServer((request, response) => void tell(request, response))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    const ticket = new URL(request.url ?? '', 'ws://fake').searchParams.get('ticket') ?? ''
    if (!tickets.delete(ticket)) return socket.close(1008)
    links.push(socket)
    linked += 1
    socket.on('close', () => links.splice(links.indexOf(socket), 1))
    socket.on('message', (data: Buffer) => acknowledged(JSON.parse(data.toString('utf8'))))
    socket.send(
      JSON.stringify({ type: 'hello', num_connections: links.length, connection_info: { app_id: 'A1' } }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  function acknowledged({ envelope_id: id, payload }: { envelope_id: string; payload?: Fields }): void {
    const envelope = waiting.get(id)
    if (envelope === undefined) return void faults.push(`an acknowledgement of nothing: ${id}`)
    waiting.delete(id)
    const afterMs = Date.now() - envelope.sentAt
    if (afterMs > patienceMs) faults.push(`acknowledged after ${afterMs} ms`)
    envelope.acked({ afterMs, payload: payload && Object.keys(payload).length > 0 ? payload : undefined })
  }

  /** Sends it through the newest connection; the same again where it is given again. */
  function send(envelope: Envelope): Promise<Acknowledged> {
    const socket = links.at(-1)
    if (socket === undefined) throw new Error('the app is not connected')
    const acked = new Promise<Acknowledged>((resolve) =>
      waiting.set(envelope.envelope_id, { sentAt: Date.now(), acked: resolve }),
    )
    socket.send(JSON.stringify({ ...envelope, accepts_response_payload: true }))
    return acked
  }

  function trigger(): { trigger_id: string; response_url: string } {
    const id = `${Date.now()}.${triggers.size}`
    triggers.add(id)
    return { trigger_id: id, response_url: `http://127.0.0.1:${port}/respond/${id}` }
  }

  return {
    appToken,
    signingSecret,
    told,
    /** The words of it. */
    texts: () => told.map(({ body }) => body.text),
    faults,
    connections: () => links.length,
    /** How often a connection was asked for. */
    opened: () => opened,
    /** How many were made in all; what is sent goes through the last. */
    linked: () => linked,
    /** From now on, no connection is given, for this reason. */
    refuse(answer: Fields | undefined) {
      refusal = answer
    },
    /** What Slack sends before it ends a connection, or the end without a word. */
    disconnect(reason?: 'warning' | 'refresh_requested' | 'link_disabled') {
      const socket = links.at(-1)
      if (reason === undefined) socket?.terminate()
      else socket?.send(JSON.stringify({ type: 'disconnect', reason }))
    },
    /** The methods of Slack's interface that have to do with people; undefined for any other. */
    answer(method: string, authorization: string | undefined, params: Fields): Fields | undefined {
      if (method === 'apps.connections.open') {
        opened += 1
        if (authorization !== `Bearer ${appToken}`) return { ok: false, error: 'invalid_auth' }
        if (refusal !== undefined) return refusal
        const ticket = randomUUID()
        tickets.add(ticket)
        return { ok: true, url: `ws://127.0.0.1:${port}/link?ticket=${ticket}` }
      }
      if (method !== 'views.open') return undefined
      const id = String(params.trigger_id)
      if (!triggers.has(id) || forms.has(id)) return { ok: false, error: 'invalid_trigger_id' }
      const view: Fields = JSON.parse(String(params.view))
      forms.set(id, view)
      return { ok: true, view }
    },
    send,
    /** A click on a button of a message, by what stands on it. */
    click(message: Fields, channel: string, label: string, who: Someone = people.ana): Envelope {
      const button = buttons(message).find((one) => labelOf(one) === label)
      if (button === undefined) throw new Error(`no button ${label}`)
      const { type, action_id, value, block_id = 'b1' } = button
      const payload = {
        type: 'block_actions',
        user: { ...who, name: who.username, team_id: 'T1' },
        api_app_id: 'A1',
        team: { id: 'T1', domain: 'newsroom' },
        container: { type: 'message', message_ts: message.ts, channel_id: channel, is_ephemeral: false },
        channel: { id: channel, name: 'ai-desk' },
        message,
        ...trigger(),
        actions: [{ type, action_id, value, block_id, text: button.text, action_ts: `${Date.now() / 1000}` }],
      }
      return { envelope_id: randomUUID(), type: 'interactive', payload }
    },
    /** `/bluepencil` and what is written behind it. */
    command(words: string, who: Someone = people.ana, place = { id: 'C1', name: 'general' }): Envelope {
      const payload = {
        command: '/bluepencil',
        text: words,
        user_id: who.id,
        user_name: who.username,
        team_id: 'T1',
        channel_id: place.id,
        channel_name: place.name,
        api_app_id: 'A1',
        is_enterprise_install: 'false',
        ...trigger(),
      }
      return { envelope_id: randomUUID(), type: 'slash_commands', payload }
    },
    /** The form that a click opened. */
    form: (envelope: Envelope) => forms.get(String(envelope.payload.trigger_id)),
    /** The form, filled in and sent. */
    submit(view: Fields, until: string, why: string, who: Someone = people.ana): Envelope {
      const payload = {
        type: 'view_submission',
        user: { ...who, name: who.username, team_id: 'T1' },
        api_app_id: 'A1',
        team: { id: 'T1', domain: 'newsroom' },
        view: {
          ...view,
          id: `V${randomUUID()}`,
          state: {
            values: {
              until: { until: { type: 'static_select', selected_option: { value: until } } },
              why: { why: { type: 'plain_text_input', value: why } },
            },
          },
        },
      }
      return { envelope_id: randomUUID(), type: 'interactive', payload }
    },
    /** The same by HTTP, as Slack signs it; `by` and `at` (milliseconds) for what it would not sign. */
    signed({ type, payload }: Envelope, { by = signingSecret, at = Date.now() } = {}) {
      const fields = Object.entries(payload).map(([key, value]): [string, string] => [key, String(value)])
      const body = new URLSearchParams(
        type === 'interactive' ? [['payload', JSON.stringify(payload)]] : fields,
      ).toString()
      const time = String(Math.floor(at / 1000))
      const signature = createHmac('sha256', by).update(`v0:${time}:${body}`).digest('hex')
      return {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-slack-request-timestamp': time,
          'x-slack-signature': `v0=${signature}`,
        },
      }
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

export type SlackPeople = Awaited<ReturnType<typeof startSlackPeople>>

/** What stands on the buttons of a message. */
export function labels(message: Fields | undefined): string[] {
  return buttons(message ?? {}).map(labelOf)
}

function buttons(message: Fields): Fields[] {
  const blocks = Array.isArray(message.blocks) ? message.blocks : []
  return blocks.flatMap((block: Fields) => (block.type === 'actions' ? (block.elements as Fields[]) : []))
}

function labelOf(button: Fields): string {
  const { text: label } = button
  return typeof label === 'object' && label !== null && 'text' in label ? String(label.text) : ''
}
