import { type AlertEvent, isFinding } from '../event/event.ts'
import { chartSize, svgOf } from '../message/chart/svg.ts'
import { english } from '../message/words/words.ts'
import { wrap } from '../platform/terminal.ts'
import { fileNameOf } from '../record/evidence/file.ts'
import { explained } from '../record/explain/explained.ts'
import { sentMessages } from '../record/explain/sent-messages.ts'
import { title } from '../record/explain/title.ts'
import type { StoredEntry } from '../store/store.ts'
import { citationText } from './export/citation.ts'
import { citedOf } from './export/citing.ts'
import { html } from './html.ts'
import { readPage } from './list-page.ts'
import { maskedConfiguration } from './masked.ts'
import { alertPage } from './pages/alert.ts'
import { AlertsQuery, alertsOnPage, alertsPage, filterOf } from './pages/alerts.ts'
import { channelsPage } from './pages/channels.ts'
import { chartPage } from './pages/chart.ts'
import { configurationPage } from './pages/configuration.ts'
import { failedPage } from './pages/failed.ts'
import { logPage } from './pages/log.ts'
import { overviewPage } from './pages/overview.ts'
import { type SilenceDraft, silencesPage } from './pages/silences.ts'
import type { ConsoleParts } from './parts.ts'
import { asOf, type PageContext } from './parts-of-pages.ts'
import { type ConsoleReply, notFound } from './reply.ts'

/** What a page is asked with. */
export interface PageRequest {
  context: PageContext
  mayAct: boolean
  /** The console's own address, for what is read elsewhere. */
  root: string
  query: Record<string, unknown>
}

const newestOnOverview = 6
const mostFailed = 100
/** So many fit on a line of a chart's width. */
const charactersInLine = 64

/** Every page, as it is now. Nothing is changed by looking. */
export function createLooking(parts: ConsoleParts) {
  const { control, config, clock } = parts
  const channelNames = () => config().channels.map(({ name }) => name)

  async function overview({ context, mayAct }: PageRequest): Promise<ConsoleReply> {
    const hasService = config().monitor !== undefined
    const [ready, heardAt, budgetLeft, silences] = await Promise.all([
      parts.ready(),
      hasService ? parts.heardAt() : undefined,
      parts.budgetLeft(),
      control.acts.silences(),
    ])
    const { rows } = await readPage(control, { kind: 'alert', limit: newestOnOverview })
    const tier = config().monitor?.tier
    const standing = {
      ready,
      hasService,
      heardAt,
      budgetLeft,
      tier: tier === undefined ? undefined : String(tier),
      lastReload: parts.lastReload(),
      newest: rows,
      silences: silences.length,
      mayAct,
      now: clock.now(),
    }
    return { page: overviewPage(standing, context) }
  }

  async function alerts({ context, query }: PageRequest): Promise<ConsoleReply> {
    const asked = AlertsQuery.parse(query)
    const page = await readPage(control, { ...filterOf(asked), limit: alertsOnPage, before: asked.before })
    return { page: alertsPage({ query: asked, page, channels: channelNames() }, context) }
  }

  async function alert({ context, mayAct }: PageRequest, id: string): Promise<ConsoleReply> {
    const stored = await control.event(id)
    if (stored === undefined) return gone
    const { entry } = stored
    const [known, later, message, cited] = await Promise.all([
      explained(stored, control),
      control.later(id),
      entry.kind === 'act' ? undefined : parts.message(entry),
      entry.kind === 'alert' ? citedOf(entry, parts) : undefined,
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
  async function figuresOf(stored: StoredEntry | undefined) {
    if (stored?.entry.kind !== 'alert') return 'this is no alert'
    return parts
      .series(stored.entry)
      .catch((error: unknown) => (error instanceof Error ? error.message : 'it could not be drawn'))
  }

  async function chart({ context }: PageRequest, id: string): Promise<ConsoleReply> {
    const stored = await control.event(id)
    if (stored === undefined) return gone
    const figures = await figuresOf(stored)
    return { page: chartPage({ id, headline: title(stored.entry), figures }, context) }
  }

  async function chartImage(
    { context }: PageRequest,
    id: string,
    look: 'light' | 'dark',
  ): Promise<ConsoleReply> {
    const figures = await figuresOf(await control.event(id))
    if (typeof figures === 'string') return { image: noteImage(`There is no chart: ${figures}.`, look) }
    const chart = svgOf(figures.series, look, english)
    const isNew = figures.outdated === undefined
    return { image: isNew ? chart : noteImage(asOf(figures, context.timeZone), look, chart) }
  }

  async function evidence(id: string, signal: AbortSignal): Promise<ConsoleReply> {
    const made = await control.evidence(id, signal)
    return 'problem' in made
      ? notFound(`There can be no evidence: ${made.problem}.`)
      : { file: { name: fileNameOf(id), json: made.file } }
  }

  async function channels(
    { context, mayAct }: PageRequest,
    tested?: Parameters<typeof channelsPage>[0]['tested'],
  ) {
    const { channels: all, operators } = config()
    const [ready, { resting }] = await Promise.all([parts.ready(), control.status()])
    const { filtersAt } = parts
    const shown = { channels: all, operators, ready, resting, mayAct, tested, filtersAt }
    return { page: channelsPage(shown, context) }
  }

  async function silences(
    { context, mayAct }: PageRequest,
    { wanted, problem }: { wanted: SilenceDraft; problem?: string },
  ): Promise<ConsoleReply> {
    const all = await control.acts.silences()
    return {
      page: silencesPage({ silences: all, channels: channelNames(), wanted, problem, mayAct }, context),
    }
  }

  async function failed({ context, mayAct }: PageRequest): Promise<ConsoleReply> {
    const { rows, before } = await readPage(control, { outcome: 'failed', limit: mostFailed })
    return { page: failedPage({ rows, hasMore: before !== undefined, mayAct }, context) }
  }

  async function log({ context, query }: PageRequest): Promise<ConsoleReply> {
    const { before } = AlertsQuery.parse(query)
    const page = await readPage(control, { kind: 'act', limit: alertsOnPage, before })
    return { page: logPage({ page, before }, context) }
  }

  async function configuration({ context }: PageRequest): Promise<ConsoleReply> {
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

export type ConsolePages = ReturnType<typeof createLooking>

const gone = notFound('No such alert is stored: it was never here, or is older than the retention.')

/** A sentence in the place of a chart, or below it. */
function noteImage(note: string, look: 'light' | 'dark', chart = ''): string {
  const [background, ink] = look === 'light' ? ['#ffffff', '#59636e'] : ['#1e1f22', '#b5bac1']
  const { width } = chartSize
  const top = chart === '' ? 0 : chartSize.height
  const lines = wrap(note, charactersInLine)
  const height = top + 30 + 15 * lines.length
  const text = lines.map((line, index) => html`<text x="12" y="${top + 25 + 15 * index}">${line}</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="${ink}"><rect width="${width}" height="${height}" fill="${background}"/>${chart}${text.join('')}</svg>`
}
