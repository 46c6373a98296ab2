import { connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

/** The line by which the service reaches us. While it is cut, connections break as they do when a proxy is down. */
export interface DeliveryLine {
  /** Where the service delivers to. */
  readonly origin: string
  /** The port of this machine to which it leads from now on. */
  leadTo(port: number): void
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function openLine(): Promise<DeliveryLine> {
  const open = new Set<Socket>()
  let port: number | undefined
  let isCut = false
  const server = createServer((near) => {
    if (isCut || port === undefined) {
      near.destroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    open.add(near)
    pipeline(near, far, near, () => open.delete(near))
  })
  const end = () => {
    for (const socket of open) socket.destroy()
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The line has no port.')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    leadTo(to) {
      port = to
    },
    cut() {
      isCut = true
      end()
    },
    mend() {
      isCut = false
    },
    close() {
      end()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
