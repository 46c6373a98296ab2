import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port of 127.0.0.1 that was free a moment ago, for what must keep its address over restarts. Not one of
 * the ports for outgoing connections (ip_local_port_range: 32768 and above). Another test's connection could
 * occupy it before it is listened to. A client that connects too early could be connected to itself, which
 * occupies it as well.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
