import * as z from 'zod'
import type { CheckRow } from '../../channels/channel.ts'
import { deliveryUrl } from '../../config/derived.ts'
import type { Config } from '../../config/schema.ts'
import { pollingStateFrom } from '../../intake/poll/state.ts'
import { exchange, NoAnswer } from '../../platform/outbound/exchange.ts'
import { isReservedName } from './doubts.ts'
import { fail, ok, warn } from './row.ts'
import type { StoreContents } from './store.ts'

const Signatures = z
  .record(z.string(), z.object({ hash: z.string(), encoding: z.string(), key: z.string() }))
  .catch({})

/** Whether deliveries can arrive, and whether they did. */
export async function* checkDeliveries(
  config: Config,
  kept: Promise<StoreContents | undefined>,
): AsyncGenerator<CheckRow, void> {
  const { publicUrl, secrets } = config.webhook
  if (publicUrl === undefined && secrets.length === 0) {
    yield ok('deliveries', 'no webhooks are expected: neither webhook.publicUrl nor webhook.secrets is set')
    return
  }
  const contents = await kept
  // A name for examples leads nowhere, and the row on the configuration says so.
  if (publicUrl !== undefined && !isReservedName(new URL(publicUrl).hostname)) {
    const url = deliveryUrl(config, publicUrl)
    yield verdictOn(url, await askAddress(url), contents?.isRunning ?? false)
  }
  if (contents === undefined) yield ok('deliveries', 'cannot be judged, since the store cannot be read')
  else yield* received(contents)
}

/** By what the store remembers. */
function* received(kept: StoreContents): Generator<CheckRow, void> {
  const forms = Object.entries(Signatures.parse(kept.signatures))
  for (const [secret, { hash, encoding, key }] of forms) {
    yield ok('signature', `secret ${secret}: deliveries verified as ${hash}, ${encoding}, key ${key}`)
  }
  const last = lastDelivery(kept)
  if (last !== undefined) yield ok('deliveries', `the last was received ${last}`)
  else if (forms.length > 0) yield ok('deliveries', 'none is kept, but some were verified before')
  else yield neverReceived(kept)
}

function lastDelivery({ events, polling }: StoreContents): string | undefined {
  const stored = events.find(({ entry }) => entry.kind === 'alert' && entry.source === 'webhook')
  if (stored !== undefined) return stored.entry.receivedAt
  const { deliveredAt } = pollingStateFrom(polling, 0).webhooks
  return deliveredAt === null ? undefined : new Date(deliveredAt).toISOString()
}

function neverReceived(kept: StoreContents): CheckRow {
  const what = 'deliveries'
  const since = inUseSince(kept)
  if (since === undefined && !kept.isRunning) return ok(what, 'none yet: no service has run on this store')
  return warn(
    what,
    `none has ever been received${since === undefined ? '' : `, though the store is in use since ${since}`}`,
    'this is fine if no alert was due; otherwise ask the monitoring service whether it sent any',
  )
}

/** The earliest time that the store remembers. */
function inUseSince({ events, polling }: StoreContents): string | undefined {
  const begun = pollingStateFrom(polling, Number.POSITIVE_INFINITY).begunAt
  const oldest = Date.parse(events.at(-1)?.entry.receivedAt ?? '')
  const since = Math.min(begun, Number.isNaN(oldest) ? Number.POSITIVE_INFINITY : oldest)
  return Number.isFinite(since) ? new Date(since).toISOString() : undefined
}

const timeoutMs = 10_000
const ownError = z.object({ error: z.object({ code: z.string(), message: z.string() }) })
/** What the way in for deliveries answers to GET, which it counts nowhere: a forged POST would raise the alarm. */
const ownAnswer = { code: 'METHOD_NOT_ALLOWED', message: 'Send deliveries with POST.' }

/** What answered under an address. */
type AddressProbe =
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
        `${url} is answered by a Bluepencil, but none is running on this store`,
        'does it use another store? Webhooks would go there',
      )
    case 'other':
      return isGateway(seen.status)
        ? ok(what, `${url} answers ${seen.status}, as a proxy does while serve is not running; ${again}`)
        : warn(
            what,
            `${url} answers ${seen.status} while serve is not running: another program may be there`,
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
      return ok(what, `${url} leads to Bluepencil`)
    case 'nobody':
      return warn(
        what,
        `${url} cannot be reached from here: ${seen.why}`,
        'check it from outside; in some networks a machine cannot reach its own public address',
      )
    case 'other':
      break
  }
  const { status } = seen
  if (isGateway(status)) {
    return fail(
      what,
      `${url} answers ${status}: a proxy is there that does not reach Bluepencil`,
      'correct the target of the proxy (docs/run.md)',
    )
  }
  if ([401, 403, 405].includes(status)) {
    return warn(
      what,
      `${url} answers ${status}, which Bluepencil does not do`,
      'fine if a proxy accepts only POST; otherwise the address leads to another program',
    )
  }
  return fail(
    what,
    `${url} answers ${status}: it leads to another program`,
    'correct webhook.publicUrl, or the proxy, which must pass the whole path',
  )
}

/** What proxies answer for a server that they do not reach (RFC 9110, 15.6). */
function isGateway(status: number): boolean {
  return status >= 502 && status <= 504
}
