import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { ids, secrets } from './discord-world.ts'

type Fields = Record<string, unknown>

interface Packet {
  op: number
  d: Fields
}

/**
 * Discord's gateway, version 10, of https://docs.discord.com/developers/events/gateway: HELLO, IDENTIFY, READY, heartbeats,
 * events with their numbers, RESUME with what was missed. Who is silent for longer than two heartbeats is cut off.
 */
export async function startDiscordGateway({ heartbeatMs = 200, isMute = false } = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `ws://127.0.0.1:${port}`
  const faults: string[] = []
  const seen = { identified: 0, resumed: 0, heartbeats: 0 }
  /** Of the one session: what was sent, with its numbers. */
  let events: { s: number; t: string; d: unknown }[] = []
  let session = 0
  let isInvalid = false
  let link: WebSocket | undefined

  server.on('connection', (socket, request) => {
    const query = new URL(request.url ?? '', url).searchParams
    if (query.get('v') !== '10' || query.get('encoding') !== 'json') faults.push(`asked for ${query}`)
    if (isMute) return
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: heartbeatMs } }))
    let silent: NodeJS.Timeout
    const listen = () => {
      clearTimeout(silent)
      silent = setTimeout(() => socket.close(4009), 10 * heartbeatMs)
    }
    listen()
    socket.on('close', () => clearTimeout(silent))
    socket.on('message', (data: Buffer) => {
      listen()
      heard(socket, JSON.parse(data.toString('utf8')))
    })
  })

  function heard(socket: WebSocket, { op, d }: Packet): void {
    const say = (packet: object) => socket.send(JSON.stringify(packet))
    if (op === 1) {
      seen.heartbeats += 1
      say({ op: 11 })
    } else if (op !== 2 && op !== 6) faults.push(`an operation ${op}`)
    else if (d.token !== secrets.token) socket.close(4004)
    else if (op === 2) identify(socket, d)
    else resume(socket, d, say)
  }

  function resume(socket: WebSocket, { session_id, seq }: Fields, say: (packet: object) => void): void {
    if (isInvalid || session_id !== `session-${session}`) {
      isInvalid = false
      say({ op: 9, d: false })
      return
    }
    link = socket
    seen.resumed += 1
    for (const event of events.filter(({ s }) => s > Number(seq))) send(event)
    dispatch('RESUMED', {})
  }

  function identify(socket: WebSocket, { intents, properties }: Fields): void {
    link = socket
    seen.identified += 1
    if (intents !== 0) faults.push(`intents ${String(intents)}`)
    if (properties === undefined) faults.push('no properties')
    session += 1
    events = []
    dispatch('READY', {
      v: 10,
      user: { id: ids.bot, username: 'bluepencil', discriminator: '0', avatar: null, bot: true },
      guilds: [{ id: ids.guild, unavailable: true }],
      session_id: `session-${session}`,
      resume_gateway_url: url,
      shard: [0, 1],
      application: { id: ids.application, flags: 0 },
    })
  }

  function dispatch(t: string, d: unknown): void {
    const event = { s: events.length + 1, t, d }
    events.push(event)
    send(event)
  }

  function send(event: (typeof events)[number]): void {
    if (link?.readyState === 1) link.send(JSON.stringify({ op: 0, ...event }))
  }

  return {
    url,
    faults,
    seen,
    connections: () => server.clients.size,
    /** Whether a client has identified itself and gets events. */
    isHeard: () => link?.readyState === 1,
    /** Somebody did something; who is not connected gets it when they resume. */
    interaction: (data: object) => dispatch('INTERACTION_CREATE', data),
    /** The connection breaks. */
    cut: () => link?.terminate(),
    /** Discord wants the connection made anew, and the session resumed. */
    reconnect: () => link?.send(JSON.stringify({ op: 7, d: null })),
    /** The next that resumes has to identify again. */
    forget() {
      isInvalid = true
    },
    close() {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}
