import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { freePort } from '../free-port.ts'

/** What the line does to connections, from now on. */
export type Fault =
  /** Nobody listens. */
  | 'refuse'
  /** Connections are taken, and nothing ever comes back. */
  | 'hang'
  /** The other machine is gone and nothing says so: the same, and connections that stand stay, mute for ever. */
  | 'vanish'
  /** Everything goes through to the server, and its answers are lost: the connection is reset when one comes. */
  | 'cut'
  /** Answers come after so many milliseconds. */
  | { delayMs: number }
  /** Answers come one byte at a time, with so many milliseconds in between. */
  | { dripMs: number }
  /** This is the answer to every request, byte for byte, and the connection ends. Nothing reaches the server. */
  | { answers: string }
  /** The same, before anything was asked. */
  | { greets: string }
  /** TLS, with a certificate that nobody's authority signed. */
  | 'unverified'

/** A line to a server on this machine, on a port of its own. */
export interface FaultProxy {
  port: number
  /** Ends the connections that stand and treats new ones so; without a fault, everything goes through. */
  set(fault?: Fault): Promise<void>
  /** How many connections it took. */
  taken(): number
  close(): Promise<void>
}

export async function startFaultProxy(target: string | URL | number): Promise<FaultProxy> {
  const onward = typeof target === 'number' ? target : Number(new URL(target).port)
  const standing = new Set<Socket>()
  const relays = new Set<{ plain: Socket; client: Socket; inner: Socket }>()
  const mute = new Set<Socket>()
  const timers = new Set<NodeJS.Timeout>()
  let fault: Fault | undefined
  let taken = 0
  let server: Server | undefined

  function acceptClient(client: Socket): void {
    taken += 1
    keep(client)
    if (fault === 'hang' || fault === 'vanish') client.resume()
    else if (fault === 'unverified') relay(secured(client), client)
    else if (typeof fault === 'object' && 'answers' in fault) {
      const { answers } = fault
      client.once('data', () => client.end(answers))
    } else if (typeof fault === 'object' && 'greets' in fault) client.end(fault.greets)
    else relay(client, client)
  }

  /** `plain` is what the client says once the line has done its part. */
  function relay(plain: Socket, client: Socket): void {
    const inner = keep(connect(onward, '127.0.0.1'))
    const relay = { plain, client, inner }
    relays.add(relay)
    inner.once('close', () => {
      if (!mute.has(client)) later(0, () => client.end())
    })
    client.once('close', () => {
      relays.delete(relay)
      inner.destroy()
    })
    plain.pipe(inner)
    inner.on('data', (bytes: Buffer) => answer(plain, client, bytes))
  }

  function answer(plain: Socket, client: Socket, bytes: Buffer): void {
    if (fault === 'cut') client.resetAndDestroy()
    else if (typeof fault === 'object' && 'delayMs' in fault) {
      later(fault.delayMs, () => plain.write(bytes))
    } else if (typeof fault === 'object' && 'dripMs' in fault) {
      for (const [index, byte] of bytes.entries()) {
        later(fault.dripMs * (index + 1), () => plain.write(Buffer.of(byte)))
      }
    } else plain.write(bytes)
  }

  function keep(socket: Socket): Socket {
    standing.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => standing.delete(socket))
    return socket
  }

  function later(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, milliseconds)
    timers.add(timer)
  }

  function listen(port: number): Promise<number> {
    const made = createServer(acceptClient)
    server = made
    return new Promise((resolve, reject) => {
      made.once('error', reject)
      made.listen(port, '127.0.0.1', () => resolve((made.address() as AddressInfo).port))
    })
  }

  async function drop(): Promise<void> {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
    for (const socket of standing) socket.destroy()
  }

  function vanish(): void {
    for (const { plain, client, inner } of relays) {
      standing.delete(client)
      mute.add(client)
      plain.unpipe(inner).resume()
    }
  }

  async function deafen(): Promise<void> {
    const deaf = server
    server = undefined
    await drop()
    if (deaf !== undefined) await new Promise<unknown>((resolve) => deaf.close(resolve))
  }

  // It is given up and taken again: nobody else may be given it meanwhile.
  const port = await listen(await freePort())
  return {
    port,
    async set(next) {
      fault = next
      if (next === 'refuse') return deafen()
      if (next === 'vanish') vanish()
      await drop()
      if (server === undefined) await listen(port)
    },
    taken: () => taken,
    async close() {
      for (const socket of mute) socket.destroy()
      await deafen()
    },
  }
}

/** The server's side of TLS; the authority of the certificate is known to those only who name it. */
function secured(client: Socket): Socket {
  const pem = (name: string) => readFileSync(new URL(`./smtp-certificates/${name}.pem`, import.meta.url))
  const secureContext = createSecureContext({ key: pem('server-key'), cert: pem('server') })
  const plain = new TLSSocket(client, { isServer: true, secureContext })
  plain.on('error', () => {})
  return plain
}
