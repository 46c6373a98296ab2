import type { CheckRow } from '../../channels/channel.ts'
import { deliveryUrl } from '../../config/derived.ts'
import { parseConfigFile } from '../../config/load.ts'
import type { Config } from '../../config/schema.ts'
import { type AnswerId, type Answers, channelSetup } from '../../config/setup/answers.ts'
import { compose } from '../../config/setup/config-from-answers.ts'
import type { RunningService, SetupTrialResult } from '../../console/setup-trials.ts'
import { knownModels } from '../../event/event.ts'
import { counted } from '../../platform/text.ts'
import type { MonitorClient } from '../../service/client/client.ts'
import { MissingScope, Unauthenticated } from '../../service/client/errors.ts'
import { fail, ok, warn } from '../check/row.ts'
import { peopleClient } from '../people-client.ts'
import { askAddress, askOurselves } from './reach.ts'

const noChannel = {
  channel: 'slack-webhook',
  slackWebhook: 'https://hooks.slack.com/services/T0/B0/none',
} as const satisfies Answers

/** A configuration needs a channel; what is tried of the service has nothing to do with it. */
const anyChannel: Answers = { channel: 'slack-webhook', slackWebhook: 'https://slack.example/stands-in' }

/** What the answers so far make, with what was not asked yet as it would be by default. */
export function configOf(answers: Answers): Config {
  // The service can be tried before there is a channel.
  const { yaml, variables } = compose({ ...(channelSetup(answers) === undefined && noChannel), ...answers })
  return parseConfigFile(yaml, 'the answers', variables).compose({})
}

/** The key must be good for subscriptions: `serve` makes one, and `check` asks for them. */
export async function tryService(answers: Answers, around?: RunningService): Promise<SetupTrialResult> {
  const config =
    around === undefined
      ? configOf(answers)
      : { ...configOf({ ...answers, ...anyChannel }), store: around.config.store }
  if (config.monitor === undefined) throw new Error('the monitoring service is not set')
  const { baseUrl } = config.monitor
  try {
    const client = peopleClient(config, config.monitor)
    const webhooks = await client.listWebhooks()
    const made = webhooks.length === 0 ? 'none yet' : `${webhooks.length} so far`
    return {
      findings: [
        ...(around === undefined ? [] : [await published(client, config.monitor)]),
        ok('key', `${baseUrl} accepts it, also for webhooks`),
        ok('subscriptions', `${made}; serve makes its own where it has a public address`),
      ],
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const isKey = error instanceof Unauthenticated || error instanceof MissingScope
    const wrong: AnswerId[] = [isKey ? 'serviceKey' : 'service']
    // Without that scope the figures can be polled all the same; and another key may take a while to get.
    return { findings: [fail(isKey ? 'key' : 'service', detail)], wrong, canStay: isKey }
  }
}

/** One request: whether the figures can be read, too. */
async function published(
  client: Pick<MonitorClient, 'compare'>,
  { tier }: NonNullable<Config['monitor']>,
): Promise<CheckRow> {
  try {
    const { models } = await client.compare(knownModels)
    const plan = typeof tier === 'number' ? `${tier} requests an hour` : `plan ${tier}`
    return ok('figures', `found ${counted(models.length, 'model')}; ${plan}, as you chose it`)
  } catch (error) {
    return warn('figures', error instanceof Error ? error.message : String(error))
  }
}

export async function tryOwnAddress(answers: Answers, around?: RunningService): Promise<SetupTrialResult> {
  const { url, why } = await (around === undefined ? askAlone(answers) : askRunning(answers, around))
  const what = 'public address'
  if (why === undefined) return { findings: [ok(what, `${url} leads to this machine`)] }
  return {
    findings: [warn(what, why)],
    wrong: ['publicUrl'],
    canStay: true,
    isDoubtful: true,
  }
}

async function askAlone(answers: Answers) {
  const config = configOf(answers)
  const url = deliveryUrl(config, config.webhook.publicUrl ?? '')
  return { url, why: await askOurselves(url, config.server) }
}

/** Our own listener is there already. */
async function askRunning({ publicUrl = '' }: Answers, { config, probeKey }: RunningService) {
  const url = deliveryUrl(config, publicUrl.replace(/\/+$/, ''))
  return { url, why: await askAddress(url, probeKey, config.server.port) }
}
