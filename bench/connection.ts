import { once } from 'node:events'
import { connect } from 'node:net'

/** A kept-alive connection that sends one request at a time. */
export interface Connection {
  /** Answers the status, when the whole answer is there. */
  exchange(request: Buffer): Promise<number>
  close(): void
}

/**
 * HTTP over a bare socket. `node:http`'s agent costs the client about as much as the server, and the server under
 * test must not wait for its load; this costs a tenth of it. It reads what the servers here write: a
 * status line, then a body of a stated length, or in chunks, or none.
 */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let received = ''
  let waiting: { resolve(status: number): void; reject(error: Error): void } | undefined

  function fail(error: Error): void {
    waiting?.reject(error)
    waiting = undefined
  }

  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1')
    if (!isWhole(received)) return
    const status = Number(received.slice(9, 12))
    received = ''
    waiting?.resolve(status)
    waiting = undefined
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))

  return {
    exchange(request) {
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      })
    },
    close: () => void socket.destroy(),
  }
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) return false
  const head = answer.slice(0, end)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length !== undefined) return answer.length >= end + 4 + Number(length)
  return !/\r\ntransfer-encoding: *chunked/i.test(head) || answer.endsWith('0\r\n\r\n')
}
