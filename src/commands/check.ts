import type { Channel, CheckRow } from '../channels/channel.ts'
import { openChannels } from '../channels/registry.ts'
import { desiredAlerts } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import { counted, minuteText } from '../platform/text.ts'
import { whatHolds } from '../record/explain/outcome-reason.ts'
import type { MonitorClient } from '../service/client/client.ts'
import { checkDeliveries } from './check/deliveries.ts'
import { doubts } from './check/doubts.ts'
import { checkCategories, checkPolling, hasUnknown, knownCategories } from './check/figures.ts'
import { checkReaders } from './check/readers.ts'
import { fail, ok, shown, warn } from './check/row.ts'
import { checkConsole, checkRunning } from './check/running.ts'
import { checkService } from './check/service.ts'
import { checkStore, checkWhole, type StoreContents } from './check/store.ts'
import { checkedConfigOf, configFileOf } from './configuration.ts'
import { peopleClient } from './people-client.ts'
import type { Terminal } from './terminal.ts'

interface CheckSection {
  about: string
  rows: AsyncIterable<CheckRow>
}

/**
 * Would it work? Checks everything and sends readers nothing. Shows each row as soon as it and all before it are ready.
 * Returns the exit code: 1 if a row failed.
 */
export async function check(
  options: { config?: string; json?: boolean; store?: boolean },
  terminal: Terminal,
): Promise<0 | 1> {
  const { config, unused } = await checkedConfigOf(options)
  const counts = { ok: 0, warn: 0, fail: 0 }
  const sections = options.store
    ? [section('store', () => checkWhole(config, terminal))]
    : sectionsOf(config, { file: configFileOf(options).path ?? 'what was made in the browser', unused })
  for (const { about, rows } of sections) {
    if (!options.json) terminal.out(`${about}\n`)
    for await (const row of rows) {
      terminal.out(options.json ? `${JSON.stringify({ about, ...row })}\n` : shown(row, terminal))
      counts[row.level] += 1
    }
  }
  if (!options.json) terminal.out(inAll(counts))
  return counts.fail > 0 ? 1 : 0
}

function inAll({ warn: warnings, fail: failures }: Record<CheckRow['level'], number>): string {
  const summary = [
    ...(failures > 0 ? [counted(failures, 'failure')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ].join(', ')
  if (failures > 0) return `Not in order: ${summary}\n`
  return summary === '' ? 'In order\n' : `In order, ${summary}\n`
}

/** Where the configuration is from, and what of it is not in use. */
interface CheckedSources {
  file: string
  unused: readonly string[]
}

function sectionsOf(config: Config, configured: CheckedSources): CheckSection[] {
  const store = checkStore(config)
  const kept = store.then(
    (checked) => checked.kept,
    () => undefined,
  )
  const client = clientOf(config)
  // Each section that needs it says why there is none.
  client.catch(() => undefined)
  return [
    section('configuration', () => checkConfiguration(config, configured)),
    section('store', async function* () {
      yield* (await store).rows
    }),
    section('serve', () => checkRunning(config, kept)),
    section('monitoring service', () => checkService(config, { client, kept })),
    section('figures', () => checkFigures(config, { client, kept })),
    section('deliveries', () => checkDeliveries(config, kept)),
    section('polling', async function* () {
      yield* checkPolling(config, await kept)
    }),
    ...(config.console === undefined ? [] : [section('console', () => checkConsole(config, kept))]),
    ...config.channels.map((settings) =>
      section(`${settings.name} (${settings.type})`, () => checkChannel(config, settings, kept)),
    ),
  ]
}

async function clientOf(config: Config): Promise<MonitorClient | undefined> {
  return config.monitor && peopleClient(config, config.monitor)
}

async function* checkConfiguration(
  config: Config,
  { file, unused }: CheckedSources,
): AsyncGenerator<CheckRow, void> {
  for (const why of unused) yield fail('made in the browser', why)
  yield ok('file', `${file} is right; ${counted(config.channels.length, 'channel')}`)
  yield* doubts(config)
}

/** Whether the figures can be read. The same request shows which categories have figures. */
async function* checkFigures(
  config: Config,
  parts: { client: Promise<MonitorClient | undefined>; kept: Promise<StoreContents | undefined> },
): AsyncGenerator<CheckRow, void> {
  const client = await parts.client
  const categories = knownCategories((await parts.kept)?.events ?? [])
  const [model] = desiredAlerts(config).models
  const { polling, webhook } = config
  const isAsked = polling.mode !== 'off' || hasUnknown(config, categories)
  let named: string[] = []
  if (client !== undefined && model !== undefined && isAsked) {
    try {
      named = await client.categories(model)
      yield ok('metrics', `those of ${model} can be read`)
    } catch (error) {
      const isOnlyWay = webhook.publicUrl === undefined && webhook.secrets.length === 0
      const rowOf = isOnlyWay ? fail : warn
      yield rowOf('metrics', `those of ${model} could not be read: ${messageOf(error)}`)
    }
  } else
    yield ok(
      'metrics',
      `not asked for: ${client === undefined ? 'monitor is not set' : 'polling.mode is off'}`,
    )
  yield* checkCategories(config, new Set([...categories, ...named]))
}

async function* checkChannel(
  config: Config,
  settings: Config['channels'][number],
  kept: Promise<StoreContents | undefined>,
): AsyncGenerator<CheckRow, void> {
  const out = { write: () => {}, width: 80, colour: false }
  for (const channel of await openChannels({ config: { ...config, channels: [settings] }, out })) {
    yield* await lookAt(channel)
    yield* aboutStories(settings, channel)
  }
  yield* whatIsHeld(settings.name, await kept)
  if (settings.type === 'email') yield* checkReaders(config, settings, await kept)
}

function aboutStories({ stories = 'off' }: Config['channels'][number], { edit }: Channel): CheckRow[] {
  if (stories === 'off' || edit !== undefined) return []
  const text = 'messages here cannot be edited, so each alert is sent by itself'
  return [warn('stories', text, 'leave stories out, or use a bot')]
}

function whatIsHeld(channel: string, kept: StoreContents | undefined): CheckRow[] {
  return (kept?.held?.[channel] ?? []).map(({ count, until, by }) => {
    const text = `${counted(count, 'alert waits', 'alerts wait')} until ${minuteText(until)}: ${whatHolds(by)}`
    return { ...ok('held', text), hint: `send now what waits: bluepencil send-held ${channel}` }
  })
}

async function lookAt(channel: Channel): Promise<CheckRow[]> {
  try {
    return await channel.check()
  } finally {
    await channel.close()
  }
}

/** Begins at once, so that no section waits for those that are shown before it. What it cannot find out is a row, too. */
function section(about: string, find: () => AsyncGenerator<CheckRow, void>): CheckSection {
  async function* guarded(): AsyncGenerator<CheckRow, void> {
    try {
      yield* find()
    } catch (error) {
      yield fail('check', messageOf(error))
    }
  }
  return { about, rows: begun(guarded()) }
}

function begun<T>(source: AsyncGenerator<T, void>): AsyncIterable<T> {
  const results: Promise<IteratorResult<T, void>>[] = []
  async function findNext(): Promise<void> {
    const next = source.next()
    results.push(next)
    if (!(await next).done) await findNext()
  }
  void findNext()
  return {
    async *[Symbol.asyncIterator]() {
      for (const result of results) {
        const { done, value } = await result
        if (done) return
        yield value
      }
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
