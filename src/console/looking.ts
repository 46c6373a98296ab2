import { svgOf } from '../chart/svg.ts'
import { type AlertEvent, isFinding } from '../event/event.ts'
import { fileNameOf } from '../evidence/file.ts'
import { explained } from '../explain/explained.ts'
import { sentMessages } from '../explain/sent-messages.ts'
import { title } from '../explain/title.ts'
import type { StoredEntry } from '../store/store.ts'
import { english } from '../words/words.ts'
import { citationText } from './export/citation.ts'
import { citedOf } from './export/citing.ts'
import { html } from './html.ts'
import { maskedConfiguration } from './masked.ts'
import { alertPage } from './pages/alert.ts'
import { AlertsQuery, alertsOnPage, alertsPage, filterOf } from './pages/alerts.ts'
import { channelsPage } from './pages/channels.ts'
import { chartPage } from './pages/chart.ts'
import { configurationPage } from './pages/configuration.ts'
import { failedPage } from './pages/failed.ts'
import { logPage } from './pages/log.ts'
import { overviewPage } from './pages/overview.ts'
import { silencesPage, type WantedSilence } from './pages/silences.ts'
import type { ConsoleParts } from './parts.ts'
import type { PageContext } from './parts-of-pages.ts'
import { notFound, type Reply } from './reply.ts'

/** What a page is asked with. */
export interface Looked {
  context: PageContext
  mayAct: boolean
  /** The console's own address, for what is read elsewhere. */
  root: string
  query: Record<string, unknown>
}

const newestOnOverview = 6
const mostFailed = 100

/** Every page, as it is now. Nothing is changed by looking. */
export function createLooking(parts: ConsoleParts) {
  const { control, listing, config, clock } = parts
  const channelNames = () => config().channels.map(({ name }) => name)

  async function overview({ context }: Looked): Promise<Reply> {
    const [ready, budgetLeft, silences] = await Promise.all([
      parts.ready(),
      parts.budgetLeft(),
      control.acts.silences(),
    ])
    const { rows } = await listing.page({ kind: 'alert' }, { limit: newestOnOverview })
    const tier = config().monitor?.tier
    const standing = {
      ready,
      budgetLeft,
      tier: tier === undefined ? undefined : String(tier),
      lastReload: parts.lastReload(),
      newest: rows,
      silences: silences.length,
      now: clock.now(),
    }
    return { page: overviewPage(standing, context) }
  }

  async function alerts({ context, query }: Looked): Promise<Reply> {
    const asked = AlertsQuery.parse(query)
    const page = await listing.page(filterOf(asked), { limit: alertsOnPage, before: asked.before })
    const list = { query: asked, page, channels: channelNames(), isWhole: listing.isWhole() }
    return { page: alertsPage(list, context) }
  }

  async function alert({ context, mayAct, root }: Looked, id: string): Promise<Reply> {
    const stored = await control.event(id)
    if (stored === undefined) return gone
    const { entry } = stored
    const [known, later, message, cited] = await Promise.all([
      explained(stored, control),
      control.later(id),
      entry.kind === 'act' ? undefined : parts.message(entry),
      entry.kind === 'alert' ? citedOf(entry, root, parts) : undefined,
    ])
    const { acts = [] } = later
    const hasChart = entry.kind === 'alert' && mayHaveChart(entry)
    const messages = sentMessages(stored.outcomes)
    return {
      page: alertPage(
        {
          entry,
          message,
          explained: known,
          acts,
          messages,
          hasChart,
          citation: cited && citationText(cited),
          mayAct,
        },
        context,
      ),
    }
  }

  function mayHaveChart({ model, revises, ...alert }: AlertEvent): boolean {
    const isWithdrawal = revises !== undefined && isFinding(alert)
    return config().monitor !== undefined && model !== null && !isWithdrawal
  }

  /** Or why there is none. */
  async function seriesOf(stored: StoredEntry | undefined) {
    if (stored?.entry.kind !== 'alert') return 'this is no alert'
    return parts
      .series(stored.entry)
      .catch((error: unknown) => (error instanceof Error ? error.message : 'it could not be drawn'))
  }

  async function chart({ context }: Looked, id: string): Promise<Reply> {
    const stored = await control.event(id)
    if (stored === undefined) return gone
    const series = await seriesOf(stored)
    return { page: chartPage({ id, headline: title(stored.entry), series }, context) }
  }

  async function chartImage(id: string, look: 'light' | 'dark'): Promise<Reply> {
    const series = await seriesOf(await control.event(id))
    return { image: typeof series === 'string' ? noChart(series, look) : svgOf(series, look, english) }
  }

  async function evidence(id: string): Promise<Reply> {
    const made = await control.evidence(id)
    return 'problem' in made
      ? notFound(`There can be no evidence: ${made.problem}.`)
      : { file: { name: fileNameOf(id), json: made.file } }
  }

  async function channels(
    { context, mayAct }: Looked,
    tested?: Parameters<typeof channelsPage>[0]['tested'],
  ) {
    const { channels: all, operators } = config()
    const [ready, { resting }] = await Promise.all([parts.ready(), control.status()])
    const { filtersAt } = parts
    const shown = { channels: all, operators, ready, resting, mayAct, tested, filtersAt }
    return { page: channelsPage(shown, context) }
  }

  async function silences(
    { context, mayAct }: Looked,
    { wanted, problem }: { wanted: WantedSilence; problem?: string },
  ): Promise<Reply> {
    const all = await control.acts.silences()
    return {
      page: silencesPage({ silences: all, channels: channelNames(), wanted, problem, mayAct }, context),
    }
  }

  async function failed({ context, mayAct }: Looked): Promise<Reply> {
    const found = await listing.failed(mostFailed + 1)
    const hasMore = found.length > mostFailed
    const list = { failed: found.slice(0, mostFailed), hasMore, isWhole: listing.isWhole() }
    return { page: failedPage({ ...list, mayAct }, context) }
  }

  async function log({ context, query }: Looked): Promise<Reply> {
    const { before } = AlertsQuery.parse(query)
    const page = await listing.page({ kind: 'act' }, { limit: alertsOnPage, before })
    return { page: logPage({ page, before, isWhole: listing.isWhole() }, context) }
  }

  async function configuration({ context }: Looked): Promise<Reply> {
    const yaml = maskedConfiguration(config())
    return { page: configurationPage({ yaml, lastReload: parts.lastReload() }, context) }
  }

  return {
    overview,
    alerts,
    alert,
    chart,
    chartImage,
    evidence,
    channels,
    silences,
    failed,
    log,
    configuration,
  }
}

export type Looking = ReturnType<typeof createLooking>

const gone = notFound('No such alert is stored: it was never here, or is older than the retention.')

/** In the place of a chart, why there is none. */
function noChart(why: string, look: 'light' | 'dark'): string {
  const [background, ink] = look === 'light' ? ['#ffffff', '#59636e'] : ['#1e1f22', '#b5bac1']
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60" viewBox="0 0 400 60" font-family="sans-serif" font-size="11"><rect width="400" height="60" fill="${background}"/><text x="12" y="34" fill="${ink}">There is no chart: ${why}.</text></svg>`.toString()
}
