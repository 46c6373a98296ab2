import * as z from 'zod'
import { storeFolder } from '../app/app.ts'
import type { Channel, CheckResult } from '../channels/channel.ts'
import { openChannels } from '../channels/registry.ts'
import { tierOf } from '../client/budget/bucket.ts'
import type { Config } from '../config/schema.ts'
import { deliveryUrl, wanted } from '../config/wanted.ts'
import type { Status } from '../control/control.ts'
import { connectControl } from '../control/socket.ts'
import { judged } from '../poll/judged.ts'
import { planFor, planInWords } from '../poll/plan.ts'
import { servedOf } from '../poll/state.ts'
import { openLowdbStore } from '../store/lowdb/open.ts'
import { lookAhead, type SubscriptionClient } from '../subscribe/service.ts'
import { painted } from '../text/painted.ts'
import { configFile, configOf } from './configuration.ts'
import { peopleClient } from './people-client.ts'
import type { Terminal } from './terminal.ts'

interface Section {
  about: string
  findings: CheckResult[]
}

/** Would it work? Looks at everything without telling a reader anything. Answers the exit code. */
export async function check(
  options: { config?: string; json?: boolean },
  terminal: Terminal,
): Promise<0 | 1> {
  const config = configOf(options)
  const store = checkStore(config)
  const sections = await Promise.all([
    about('configuration', async () => [
      {
        ok: true,
        what: 'file',
        detail: `${configFile(options)} is right; ${channelsIn(config)}`,
      },
    ]),
    about('store', async () => (await store).findings),
    about('monitoring service', async () => checkService(config, await store.catch(() => undefined))),
    about('polling', async () => checkPolling(config, await store.catch(() => undefined))),
    ...checkChannels(config),
  ])
  if (options.json) terminal.out(`${JSON.stringify(sections, null, 2)}\n`)
  else for (const section of sections) terminal.out(shown(section, terminal))
  return sections.every(({ findings }) => findings.every(({ ok }) => ok)) ? 0 : 1
}

function channelsIn({ channels }: Config): string {
  return channels.length === 1 ? '1 channel' : `${channels.length} channels`
}

async function about(name: string, find: () => Promise<CheckResult[]>): Promise<Section> {
  try {
    return { about: name, findings: await find() }
  } catch (error) {
    return { about: name, findings: [bad('check', error instanceof Error ? error.message : String(error))] }
  }
}

async function checkStore(
  config: Config,
): Promise<{ findings: CheckResult[]; polling: unknown; subscription: unknown }> {
  const folder = storeFolder(config)
  const running = await connectControl(folder)
  if (running !== undefined) {
    const status = await running.status()
    const findings = [good('disk', `${folder} is in use by the running service`), ...statusFindings(status)]
    return { findings, polling: status.polling, subscription: status.subscription }
  }
  const trouble: CheckResult[] = []
  const store = await openLowdbStore(folder, {
    now: Date.now,
    onTrouble: (sentence) => trouble.push(bad('files', sentence)),
  })
  try {
    await store.probe()
    const status = {
      subscription: await store.readState('subscription'),
      signatures: await store.readState('signatures'),
      troubles: await store.readState('troubles'),
    }
    const findings = [
      good('disk', `${folder} can be written; no service is running on it`),
      ...trouble,
      ...statusFindings(status),
    ]
    return { findings, polling: await store.readState('polling'), subscription: status.subscription }
  } finally {
    await store.close()
  }
}

const Signatures = z
  .record(z.string(), z.object({ hash: z.string(), encoding: z.string(), key: z.string() }))
  .catch({})
const Troubles = z.array(z.object({ title: z.string(), text: z.string(), since: z.string() })).catch([])

function statusFindings(status: Pick<Status, 'signatures' | 'troubles'>): CheckResult[] {
  const forms = Object.entries(Signatures.parse(status.signatures)).map(([secret, { hash, encoding, key }]) =>
    good('signature', `secret ${secret}: deliveries verified as ${hash}, ${encoding}, key ${key}`),
  )
  const troubles = Troubles.parse(status.troubles).map(({ title, text, since }) =>
    bad('trouble', `${title} (since ${since}): ${text}`),
  )
  return [
    ...(forms.length > 0 ? forms : [good('signature', 'no delivery has been verified yet')]),
    ...troubles,
  ]
}

async function checkService(
  config: Config,
  store: { subscription: unknown } | undefined,
): Promise<CheckResult[]> {
  const { monitor, webhook } = config
  const byHand = webhook.secrets.length > 0
  if (monitor === undefined) {
    if (byHand)
      return [
        good('secrets', `${webhook.secrets.length} from the configuration; the subscription is kept by hand`),
      ]
    return [
      bad(
        'subscription',
        'no delivery can be verified: set monitor and webhook.publicUrl, or webhook.secrets',
      ),
    ]
  }
  const client = peopleClient(config, monitor)
  const found = [good('key', `${monitor.baseUrl} accepts it, also for webhooks`)]
  if (webhook.publicUrl === undefined || store === undefined) await client.listWebhooks()
  if (webhook.publicUrl === undefined) {
    const without = 'webhook.publicUrl is not set: Bluepencil does not subscribe by itself'
    if (byHand) return [...found, good('subscription', without)]
    return [
      ...found,
      config.polling.mode === 'off'
        ? bad('subscription', `${without}, there are no webhook.secrets, and polling.mode is off`)
        : good('subscription', `${without}; changes are found by polling alone`),
    ]
  }
  if (store === undefined) {
    return [...found, bad('subscription', 'cannot be judged, since its secret is in the store')]
  }
  return [
    ...found,
    await checkSubscription(config, deliveryUrl(config, webhook.publicUrl), { client, store }),
  ]
}

/** By the same judgement as that of `serve`. */
async function checkSubscription(
  config: Config,
  url: string,
  { client, store }: { client: SubscriptionClient; store: { subscription: unknown } },
): Promise<CheckResult> {
  const choice = wanted(config)
  const asked = `${choice.events.join(', ')} for ${choice.models.join(', ')}`
  const next = await lookAhead(client, url, {
    wanted: choice,
    stored: store.subscription,
    secretConfigured: config.webhook.secrets.length > 0,
  })
  const surplus = next.surplus.map(({ id }) => id).join(', ')
  if (next.step === 'create') {
    return surplus === ''
      ? good('subscription', `none yet for ${url}; serve will make one: ${asked}`)
      : bad('subscription', `${next.why} serve will replace it.`)
  }
  const { webhook, flaw } = next
  if (flaw?.kind === 'inactive') return bad('subscription', flaw.why)
  if (surplus !== '') {
    return bad(
      'subscription',
      `there are several for ${url}; serve will delete ${surplus} and keep ${webhook.id}`,
    )
  }
  const standing = webhook.status === null ? 'shows no status and counts as active' : 'is active'
  const remark = flaw === undefined ? '' : `. ${flaw.why}`
  return good('subscription', `${webhook.id} ${standing} for ${url}: ${asked}${remark}`)
}

/** What is asked of the service, how soon a change is seen and whether it can be, by what is known of the service so far. */
function checkPolling(config: Config, store: { polling: unknown } | undefined): CheckResult[] {
  const { monitor, polling } = config
  if (monitor === undefined) return [good('plan', 'none: monitor is not set, so there is no service to ask')]
  if (polling.mode === 'off') return [good('plan', 'none: polling.mode is off')]
  const { models } = wanted(config)
  const [plan, ...delays] = planInWords(
    planFor({
      tier: tierOf(monitor.tier),
      models: models.length,
      fastestMs: polling.interval,
      ...servedOf(store?.polling),
    }),
    models,
  )
  const figures = judged(store?.polling, models).map(({ model, isJudged, detail }) =>
    (isJudged ? good : bad)('figures', `${model}: ${detail}`),
  )
  return [good('plan', plan ?? ''), ...delays.map((delay) => good('delay', delay)), ...figures]
}

function checkChannels(config: Config): Promise<Section>[] {
  return config.channels.map((settings) =>
    about(`${settings.name} (${settings.type})`, async () => {
      const out = { write: () => {}, width: 80, colour: false }
      const channels = await openChannels({ config: { ...config, channels: [settings] }, out })
      return (await Promise.all(channels.map(lookAt))).flat()
    }),
  )
}

async function lookAt(channel: Channel): Promise<CheckResult[]> {
  try {
    return await channel.check()
  } finally {
    await channel.close()
  }
}

function shown({ about, findings }: Section, terminal: Terminal): string {
  const mark = ({ ok }: CheckResult) => painted(ok ? 'green' : 'red', ok ? 'ok  ' : 'FAIL', terminal.colour)
  return `${about}\n${findings.map((one) => `  ${mark(one)}  ${one.what}: ${one.detail}\n`).join('')}`
}

function good(what: string, detail: string): CheckResult {
  return { ok: true, what, detail }
}

function bad(what: string, detail: string): CheckResult {
  return { ok: false, what, detail }
}
