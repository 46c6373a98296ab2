import * as z from 'zod'
import type { CheckRow } from '../../channels/channel.ts'
import type { Config } from '../../config/schema.ts'
import { deliveryUrl } from '../../config/wanted.ts'
import { pollingStateFrom } from '../../intake/poll/state.ts'
import { isReservedName } from './doubts.ts'
import { askAddress, verdictOn } from './public-address.ts'
import { ok, warn } from './row.ts'
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
    yield ok('deliveries', 'none are expected: neither webhook.publicUrl nor webhook.secrets is set')
    return
  }
  const known = await kept
  // A name for examples leads nowhere, and the row on the configuration says so.
  if (publicUrl !== undefined && !isReservedName(new URL(publicUrl).hostname)) {
    const url = deliveryUrl(config, publicUrl)
    yield verdictOn(url, await askAddress(url), known?.isRunning ?? false)
  }
  if (known === undefined) yield ok('deliveries', 'cannot be judged, since the store cannot be read')
  else yield* received(known)
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
    'nothing is wrong where no alert was due; else ask the monitoring service what became of its deliveries',
  )
}

/** The earliest time that the store remembers. */
function inUseSince({ events, polling }: StoreContents): string | undefined {
  const begun = pollingStateFrom(polling, Number.POSITIVE_INFINITY).begunAt
  const oldest = Date.parse(events.at(-1)?.entry.receivedAt ?? '')
  const since = Math.min(begun, Number.isNaN(oldest) ? Number.POSITIVE_INFINITY : oldest)
  return Number.isFinite(since) ? new Date(since).toISOString() : undefined
}
