import * as z from 'zod'
import type { CheckRow } from '../../channels/channel.ts'
import { exchange, NoAnswer } from '../../platform/outbound/exchange.ts'
import { fail, ok, warn } from './row.ts'

const timeoutMs = 10_000
const ownError = z.object({ error: z.object({ code: z.string(), message: z.string() }) })
/** What the way in for deliveries answers to GET, which it counts nowhere: a forged POST would raise the alarm. */
const ownAnswer = { code: 'METHOD_NOT_ALLOWED', message: 'Deliveries are sent with POST.' }

/** What answered under an address. */
export type AddressProbe =
  | { by: 'bluepencil' }
  /** Something else, or a proxy in front. */
  | { by: 'other'; status: number }
  | { by: 'nobody'; why: string }

/** Asks for the address as nobody delivers to it. Never throws. */
export async function askAddress(url: string): Promise<AddressProbe> {
  try {
    const { status, body } = await exchange(
      url,
      { headers: { accept: 'application/json' } },
      { timeoutMs, mostBytes: 64 * 1024, mostValues: 1_000 },
    )
    return status === 405 && isOwn(body) ? { by: 'bluepencil' } : { by: 'other', status }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { by: 'nobody', why: reasonOf(error) }
  }
}

function reasonOf({ reason, code }: NoAnswer): string {
  if (reason === 'too slow') return `no answer within ${timeoutMs / 1_000} s`
  return reason === 'broken'
    ? `no connection, ${code ?? 'for an unknown reason'}`
    : 'an answer without an end'
}

function isOwn(body: string): boolean {
  try {
    const { error } = ownError.parse(JSON.parse(body))
    return error.code === ownAnswer.code && error.message === ownAnswer.message
  } catch {
    return false
  }
}

/** Whether the public address leads here, by what was seen of it beside a running service or without one. Pure. */
export function verdictOn(url: string, seen: AddressProbe, isRunning: boolean): CheckRow {
  const what = 'address'
  if (isRunning) return verdictBeside(url, seen)
  const again = 'run check again beside serve'
  switch (seen.by) {
    case 'bluepencil':
      return warn(
        what,
        `${url} answers as Bluepencil does, but none runs on this store`,
        'is it one with another store? Deliveries would go there',
      )
    case 'other':
      return isGateway(seen.status)
        ? ok(what, `${url} answers ${seen.status}, as a proxy does while serve is not running; ${again}`)
        : warn(
            what,
            `${url} answers ${seen.status} while serve is not running: it may lead somewhere else`,
            again,
          )
    case 'nobody':
      return warn(what, `${url} cannot be judged while serve is not running (${seen.why})`, again)
  }
}

function verdictBeside(url: string, seen: AddressProbe): CheckRow {
  const what = 'address'
  switch (seen.by) {
    case 'bluepencil':
      return ok(what, `${url} answers as Bluepencil does`)
    case 'nobody':
      return warn(
        what,
        `${url} cannot be reached from here: ${seen.why}`,
        'see that it can be from outside; some networks do not let a machine reach its own public address',
      )
    case 'other':
      break
  }
  const { status } = seen
  if (isGateway(status)) {
    return fail(
      what,
      `${url} answers ${status}: a proxy is there that does not reach Bluepencil`,
      'correct where the proxy leads (docs/deployment.md)',
    )
  }
  if ([401, 403, 405].includes(status)) {
    return warn(
      what,
      `${url} answers ${status}, not as Bluepencil does`,
      'well if a proxy lets only POST through; else it leads somewhere else',
    )
  }
  return fail(
    what,
    `${url} answers ${status}: it leads somewhere else`,
    'correct webhook.publicUrl, or the proxy, which must pass the whole path',
  )
}

/** What proxies answer for a server that they do not reach (RFC 9110, 15.6). */
function isGateway(status: number): boolean {
  return status >= 502 && status <= 504
}
