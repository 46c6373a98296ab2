import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { SMTPServer } from 'smtp-server'
import type { Witness } from './witness.ts'

/** What the fake does wrong, until the next script. A number is the SMTP code that it answers with. */
export interface Trouble {
  /** `never`: the connection stands, and no greeting comes. */
  greeting?: 'never' | number
  auth?: number
  mailFrom?: number
  /** By address. */
  rcpt?: Record<string, number>
  /**
   * `hang`: takes the body and never answers. `cut`: takes the body, keeps the mail, and drops the connection.
   * `until`: keeps the mail at once, and answers when that resolves.
   */
  data?: 'hang' | 'cut' | number | { until: Promise<unknown> }
  /** `data` is for mails to this address alone. */
  dataOf?: string
  /** Said with every refusal, after the code. */
  says?: string
}

interface Received {
  /** As it came over the wire, dots unstuffed. */
  raw: string
  from: string
  to: string[]
  /** Who logged in, empty where nobody did. */
  user: string
  secure: boolean
}

export interface FakeSmtpOptions {
  tls?: 'starttls' | 'from-the-start' | 'none'
  /** `elsewhere` is signed by the same authority for another name. */
  certificate?: 'server' | 'elsewhere'
  /** User and password; without them nobody needs to log in, or can. */
  users?: Record<string, string>
  /** Of mails that nothing is scripted for; `request` is the whole mail. */
  witness?: Witness
}

export interface FakeSmtp {
  port: number
  url(user?: string, pass?: string): string
  /** File with the certificate of the authority that signed the server's. */
  ca: string
  /** The mails it took, in order. */
  messages(): Received[]
  /** How many bodies came whole, with any answer. */
  bodies(): number
  /** How many connections were ever made. */
  connections(): number
  /** How many stand open. */
  standing(): number
  script(trouble: Trouble): void
  /** Drops the connections that stand open, as a server does with idle ones. */
  drop(): void
  close(): Promise<void>
}

/** An SMTP server on loopback with a certificate of our own (test/support/fakes/smtp-certificates/make.sh). */
export async function startFakeSmtp(options: FakeSmtpOptions = {}): Promise<FakeSmtp> {
  const { tls = 'starttls', users = {} } = options
  const received: Received[] = []
  /** The clients' ends, and the same by the port that the server sees. */
  const standing = new Set<Socket>()
  const lines = new Map<number, Socket>()
  let made = 0
  let bodies = 0
  let trouble: Trouble = {}
  const withUsers = Object.keys(users).length > 0

  const server = new SMTPServer({
    name: 'mail.test',
    key: readFileSync(certificate('server-key')),
    cert: readFileSync(certificate(options.certificate ?? 'server')),
    secure: tls === 'from-the-start',
    hideSTARTTLS: tls !== 'starttls',
    disabledCommands: [...(tls === 'none' ? ['STARTTLS'] : []), ...(withUsers ? [] : ['AUTH'])],
    authOptional: !withUsers,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect(_session, callback) {
      if (trouble.greeting === 'never') return
      callback(refusal(trouble.greeting))
    },
    onAuth({ username = '', password = '' }, _session, callback) {
      if (trouble.auth !== undefined) return callback(refusal(trouble.auth))
      if (users[username] !== password) return callback(refusal(535))
      callback(null, { user: username })
    },
    onMailFrom(_address, _session, callback) {
      callback(refusal(trouble.mailFrom))
    },
    onRcptTo({ address }, _session, callback) {
      callback(refusal(trouble.rcpt?.[address]))
    },
    async onData(stream, session, callback) {
      const read = await buffer(stream).catch(() => undefined)
      // The client left in the middle of it.
      if (read === undefined) return
      bodies += 1
      const raw = read.toString('utf8')
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const data = trouble.dataOf === undefined || to.includes(trouble.dataOf) ? trouble.data : undefined
      if (data === 'hang') return
      if (typeof data === 'number') return callback(refusal(data))
      if (data === undefined) await options.witness?.('received', raw)
      received.push({
        raw,
        from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
        to,
        user: String(session.user ?? ''),
        secure: session.secure,
      })
      if (typeof data === 'object') await data.until
      if (data === 'cut') return lines.get(session.remotePort)?.destroy()
      await options.witness?.('done', raw)
      callback(null, 'taken')
    },
  })
  // A client that leaves during a handshake is what some tests are about.
  server.on('error', () => {})
  function refusal(code: number | undefined): Error | null {
    return code === undefined
      ? null
      : Object.assign(new Error(trouble.says ?? 'scripted'), { responseCode: code })
  }
  function drop(): void {
    for (const socket of standing) socket.destroy()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const inner = addressOf(server.server.address()).port
  // Connections are cut here and not at the server's own sockets: Node 26 ends with a segmentation fault where the
  // socket below a TLS handshake is destroyed.
  const relay = createServer((client) => {
    made += 1
    const onward = connect(inner, '127.0.0.1', () => lines.set(onward.localPort ?? 0, client))
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      one.on('error', () => {})
      one.once('close', () => {
        other.destroy()
        lines.delete(onward.localPort ?? 0)
        standing.delete(client)
      })
      one.pipe(other)
    }
    standing.add(client)
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const { port } = addressOf(relay.address())
  return {
    port,
    url: (user, pass) =>
      `${tls === 'from-the-start' ? 'smtps' : 'smtp'}://${login(user, pass)}127.0.0.1:${port}`,
    ca: certificate('ca'),
    messages: () => [...received],
    bodies: () => bodies,
    connections: () => made,
    standing: () => standing.size,
    script(next) {
      trouble = next
    },
    drop,
    async close() {
      drop()
      await new Promise<unknown>((resolve) => relay.close(resolve))
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

function certificate(name: string): string {
  return fileURLToPath(new URL(`./smtp-certificates/${name}.pem`, import.meta.url))
}

function login(user: string | undefined, pass: string | undefined): string {
  return user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(pass ?? '')}@`
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the SMTP fake has no port')
  return address
}
