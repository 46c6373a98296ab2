import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { exchange, NoAnswer } from '../../platform/outbound/exchange.ts'
import { isProbeAnswer, probeAnswer, probeHeader } from '../../platform/server/probe.ts'
import { errorCode } from '../../platform/unknown.ts'

/** For the whole way out and in again, in milliseconds. */
const timeoutMs = 10_000

/**
 * Asks our own public address from outside, while we listen for a moment where `serve` will: what comes back is signed
 * with a key that only this process has. Undefined if we were reached; else why not, and what may be missing.
 */
export async function askOurselves(
  url: string,
  { host, port }: { host: string; port: number },
): Promise<string | undefined> {
  const key = randomBytes(32)
  const server = answering(key)
  try {
    await listening(server, host, port)
  } catch (error) {
    const code = errorCode(error) ?? 'unknown'
    return `${url} was not tried: port ${port} of this machine cannot be listened on (${code}); does serve run already?`
  }
  try {
    return await askAddress(url, key, port)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function answering(key: Buffer): Server {
  return createServer((request, response) => {
    const nonce = String(request.headers[probeHeader] ?? '')
    request.resume()
    request.once('end', () => response.end(probeAnswer(nonce, key)))
  })
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

/** The same of a service that listens there already and answers with this key. */
export async function askAddress(
  url: string,
  key: string | Buffer,
  port: number,
): Promise<string | undefined> {
  const nonce = randomBytes(16).toString('hex')
  const onward = `does a proxy there pass it on to port ${port} of this machine?`
  try {
    const answer = await exchange(
      url,
      { method: 'POST', headers: { [probeHeader]: nonce } },
      { timeoutMs, mostBytes: 16 * 1024, mostValues: 1_000 },
    )
    const isOurs = isProbeAnswer(answer.body, probeAnswer(nonce, key))
    return isOurs ? undefined : `${url} is answered by something else (status ${answer.status}): ${onward}`
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return `${url} ${meaningOf(error, onward)}`
  }
}

function meaningOf({ reason, code = '' }: NoAnswer, onward: string): string {
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) return 'has a name that DNS does not know yet'
  if (/CERT|UNABLE_TO|TLS|SSL/.test(code)) return `has no certificate that is trusted (${code})`
  if (code === 'ECONNREFUSED') return `accepts no connection: ${onward}`
  const how =
    reason === 'too slow' ? 'does not answer' : `does not answer as it should${code && ` (${code})`}`
  return `${how}: ${onward} Some networks do not let a machine reach itself from outside.`
}
