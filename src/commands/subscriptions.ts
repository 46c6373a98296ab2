import { deliveryUrl, desiredAlerts } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import { address } from '../config/values.ts'
import { givenSecret } from '../intake/subscribe/plan.ts'
import { lookUpSecret, type SubscriptionClient } from '../intake/subscribe/service.ts'
import { type CommandOptions, configFile, configOf } from './configuration.ts'
import { CommandFailure } from './failure.ts'
import { peopleClient } from './people-client.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

interface SubscriptionsOptions extends CommandOptions {
  url?: string
}

export async function list(options: SubscriptionsOptions, terminal: Terminal): Promise<void> {
  const rows = await client(await configOf(options), options).listWebhooks()
  if (options.json) {
    return terminal.out(
      `${JSON.stringify(
        rows.map(({ secret: _hidden, ...shown }) => shown),
        null,
        2,
      )}\n`,
    )
  }
  if (rows.length === 0) return terminal.note('The service has no subscriptions for this key.\n')
  terminal.out(
    table(
      rows.map(({ id, status, url, events, models }) => [
        id,
        status ?? '(no status)',
        url ?? '(no url)',
        `${events?.join(', ') ?? 'events not shown'} · ${models?.join(', ') ?? 'models not shown'}`,
      ]),
    ),
  )
}

/**
 * Shows the secret, because nothing else will ever show it again. It fails if the service does not return the secret:
 * nobody could verify its deliveries.
 */
export async function create(options: SubscriptionsOptions, terminal: Terminal): Promise<void> {
  const config = await configOf(options)
  const { publicUrl } = config.webhook
  const url = options.url ?? (publicUrl === undefined ? undefined : deliveryUrl(config, publicUrl))
  if (url === undefined)
    throw new CommandFailure('no address for deliveries: give --url, or set webhook.publicUrl', 2)
  const wrong = address('https://desk.example/webhook').safeParse(url).error?.issues[0]
  if (wrong !== undefined) throw new CommandFailure(`--url ${wrong.message}`, 2)
  const service = client(config, options)
  const created = await service.createWebhook({ url, ...desiredAlerts(config) })
  const { id } = created
  const secret = givenSecret(created) ?? (await shownLater(service, id))
  if (options.json) terminal.out(`${JSON.stringify({ ...created, url, secret: secret ?? null })}\n`)
  else terminal.out(`${id} delivers to ${url}.\n`)
  if (secret === undefined) {
    throw new CommandFailure(
      `the service did not show the secret of ${id}, so its deliveries cannot be verified. Copy the secret from the ` +
        `service’s dashboard to webhook.secrets, or delete the subscription: bluepencil subscriptions delete ${id}`,
    )
  }
  if (!options.json) {
    terminal.out(`Its signing secret, for webhook.secrets. It is shown only once:\n${secret}\n`)
  }
}

/** That it cannot be asked for is no reason to hide that the subscription was made. */
async function shownLater(service: SubscriptionClient, id: string): Promise<string | undefined> {
  return await lookUpSecret(service, id).catch(() => undefined)
}

export async function remove(id: string, options: SubscriptionsOptions, terminal: Terminal): Promise<void> {
  await client(await configOf(options), options).deleteWebhook(id)
  terminal.out(options.json ? `${JSON.stringify({ deleted: id })}\n` : `${id} is deleted.\n`)
}

function client(config: Config, options: SubscriptionsOptions) {
  if (config.monitor === undefined) {
    throw new CommandFailure(
      `${configFile(options)}: monitor: is missing; set monitor.baseUrl and monitor.apiKey or monitor.oauth`,
      2,
    )
  }
  return peopleClient(config, config.monitor)
}
