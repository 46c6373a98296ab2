import type { CheckRow } from '../../channels/channel.ts'
import { deliveryUrl, desiredAlerts } from '../../config/derived.ts'
import type { Config } from '../../config/schema.ts'
import { lookAhead } from '../../intake/subscribe/service.ts'
import type { MonitorClient } from '../../service/client/client.ts'
import { MissingScope } from '../../service/client/errors.ts'
import { fail, ok, warn } from './row.ts'
import type { StoreContents } from './store.ts'

interface ServiceParts {
  /** Undefined if no service is configured. */
  client: Promise<MonitorClient | undefined>
  /** Undefined if the store could not be read. */
  kept: Promise<StoreContents | undefined>
}

/** The key, and the subscription by the same judgement as that of `serve`. Changes nothing at the service. */
export async function* checkService(config: Config, parts: ServiceParts): AsyncGenerator<CheckRow, void> {
  const { monitor, webhook, polling } = config
  const client = await parts.client
  const byHand = webhook.secrets.length
  if (monitor === undefined || client === undefined) {
    yield byHand > 0
      ? ok('secrets', `${byHand} from the configuration; the subscription is kept by hand`)
      : fail(
          'subscription',
          'Bluepencil would find no changes: set monitor to read the service’s figures; webhook.publicUrl makes alerts faster',
        )
    return
  }
  const accepted = ok('key', `${monitor.baseUrl} accepts it, also for webhooks`)
  if (webhook.publicUrl === undefined) {
    yield await checkScope(client, accepted)
    const without = 'webhook.publicUrl is not set: Bluepencil does not subscribe by itself'
    if (byHand > 0) yield ok('subscription', without)
    else if (polling.mode !== 'off') {
      yield ok('subscription', `${without}; Bluepencil finds changes by polling only`)
    } else {
      yield fail('subscription', `${without}, there are no webhook.secrets, and polling.mode is off`)
    }
    return
  }
  const contents = await parts.kept
  if (contents === undefined) {
    await client.listWebhooks()
    yield accepted
    yield fail('subscription', 'cannot be judged, since its secret is in the store')
    return
  }
  const subscription = await checkSubscription(config, deliveryUrl(config, webhook.publicUrl), {
    client,
    kept: contents,
  })
  yield accepted
  yield subscription
}

/** If you don't subscribe, your key needs no scope for it. If it lacks the scope, a warning says so. */
async function checkScope(client: MonitorClient, accepted: CheckRow): Promise<CheckRow> {
  try {
    await client.listWebhooks()
    return accepted
  } catch (error) {
    if (!(error instanceof MissingScope)) throw error
    const hint = 'nothing needs it while webhook.publicUrl is not set; with it, no subscription could be made'
    return warn('key', `it lacks the scope for webhooks: ${error.message}`, hint)
  }
}

async function checkSubscription(
  config: Config,
  url: string,
  { client, kept }: { client: MonitorClient; kept: StoreContents },
): Promise<CheckRow> {
  const what = 'subscription'
  const choice = desiredAlerts(config)
  const desired = `${choice.events.join(', ')} for ${choice.models.join(', ')}`
  const next = await lookAhead(client, url, {
    wanted: choice,
    stored: kept.subscription,
    secretConfigured: config.webhook.secrets.length > 0,
  })
  const surplus = next.surplus.map(({ id }) => id).join(', ')
  if (next.step === 'create') {
    return surplus === ''
      ? ok(what, `none yet for ${url}; serve will make one: ${desired}`)
      : fail(what, `${next.why} serve will replace it.`)
  }
  const { webhook, flaw } = next
  if (flaw?.kind === 'inactive') return fail(what, flaw.why)
  if (surplus !== '') {
    return fail(what, `there are several for ${url}; serve will delete ${surplus} and keep ${webhook.id}`)
  }
  const standing = webhook.status === null ? 'shows no status and counts as active' : 'is active'
  const remark = flaw === undefined ? '' : `. ${flaw.why}`
  return ok(what, `${webhook.id} ${standing} for ${url}: ${desired}${remark}`)
}
