import { after, type Clock } from '../../platform/clock.ts'
import { dayMs, minuteMs } from '../../platform/durations.ts'
import type { MonitorClient } from '../../service/client/client.ts'
import type { History, HistoryQuery } from '../../service/client/endpoints/history.ts'
import {
  MonitorError,
  NotFound,
  RateLimited,
  ServiceFailed,
  Unreachable,
} from '../../service/client/errors.ts'
import { type RateUnit, rateNamed } from '../../service/client/readers/rates.ts'
import type { FigureStore, KnownSpan } from '../../store/figures.ts'
import type { Archiving } from './archiving.ts'
import { periodMs } from './published.ts'
import { historyOf } from './readings.ts'
import { createRecent } from './recent.ts'

/** A model's published figures, and when they were read; milliseconds since the epoch. */
interface ReadHistory {
  history: History
  readAt: number
  /** In which its rates are; missing if it was not known when they were read. */
  unit?: RateUnit
  /** Why they could not be read anew. */
  outdated?: string
}

/** Rejects as the client does, or with `None`, if nothing is known. */
export type ReadFigures = (model: string, query: Required<HistoryQuery>) => Promise<ReadHistory>

export interface ReaderParts {
  client: Pick<MonitorClient, 'history'>
  figures: Pick<FigureStore, 'read' | 'spans'>
  archiving: Pick<Archiving, 'written'>
  service: string
  /** Whether a request may be spent on it. */
  maySpend: () => Promise<boolean>
  clock: Clock
}

interface ReadingTerms {
  /** What was read so long ago is read anew; milliseconds. */
  freshMs: number
  /** An answer that has not come by then is done without; milliseconds. */
  patienceMs: number
}

/** A history is read once a day at least if newer figures come by polling: those may have missed some. */
const historyFreshMs = dayMs
/** Five models in four categories, and some that the service has beside. */
const requests = { most: 40, failedForMs: 5 * minuteMs }

/**
 * Reads a history from what is stored, and asks the service only for what is not known or no longer fresh. While the service cannot
 * be asked, it answers what is known.
 */
export function createFigureReader(
  { client, figures, archiving, service, maySpend, clock }: ReaderParts,
  { freshMs, patienceMs }: ReadingTerms,
): ReadFigures {
  /** An answer that cannot be stored, or was not whole, serves the next request. */
  const answers = createRecent<Promise<ReadHistory>>({ ...requests, forMs: freshMs }, clock)

  async function ask(model: string, query: Required<HistoryQuery>): Promise<ReadHistory> {
    if (!(await maySpend())) throw noneLeft()
    const late = new AbortController()
    const inTime = after(clock, patienceMs, () => late.abort())
    const tooLate = new Promise<never>((_, reject) => {
      const none = new None('no history came in time', { isPassing: true })
      late.signal.addEventListener('abort', () => reject(none), { once: true })
    })
    const readAt = clock.now()
    try {
      const history = await Promise.race([client.history(model, query, late.signal), tooLate])
      await Promise.race([archiving.written(), tooLate.catch(() => undefined)])
      return { history, readAt }
    } finally {
      inTime()
    }
  }

  async function stored(
    model: string,
    query: Required<HistoryQuery>,
  ): Promise<(ReadHistory & { isWhole: boolean; isFresh: boolean }) | undefined> {
    const now = clock.now()
    const { past, newestAt, ...read } = await readStored(model, query, { figures, service, now })
    if (past === undefined) return undefined
    // A service may have no overall rate, and answer with each category.
    const isShown = query.category !== 'all' || read.history.points.length > 0
    const isFollowed = isWithin(historyFreshMs, past.to, now) && isWithin(freshMs, newestAt, now)
    return {
      ...read,
      isWhole: isShown && past.from <= now - periodMs[query.period],
      isFresh: isFollowed || isWithin(freshMs, past.to, now),
    }
  }

  /** A store that cannot be read costs a request, and nothing else. */
  const fromStore = (model: string, query: Required<HistoryQuery>) =>
    stored(model, query).catch(() => undefined)

  return async (model, query) => {
    const before = await fromStore(model, query)
    if (before?.isWhole && before.isFresh) return shown(before)
    try {
      const key = JSON.stringify([model, query])
      const answer = await answers(key, () => ask(model, query))
      const now = await fromStore(model, query)
      return now?.isWhole && now.readAt >= answer.readAt ? shown(now) : answer
    } catch (error) {
      const outdated = outdatedBy(error)
      if (before === undefined || before.history.points.length === 0 || outdated === undefined) throw error
      return { ...shown(before), outdated }
    }
  }
}

/** Reads as much as is stored, however old it is, and spends no request. */
export function createStoredReader({
  figures,
  service,
  clock,
}: Pick<ReaderParts, 'figures' | 'service'> & { clock: Pick<Clock, 'now'> }): ReadFigures {
  return async (model, query) => {
    const read = await readStored(model, query, { figures, service, now: clock.now() })
    if (read.history.points.length === 0) throw new None('no figures are stored yet')
    return shown(read)
  }
}

/** With the history that was read last, and when a newest figure was; 0 if none was. */
async function readStored(
  model: string,
  { period, category }: Required<HistoryQuery>,
  { figures, service, now }: Pick<ReaderParts, 'figures' | 'service'> & { now: number },
): Promise<ReadHistory & { past: KnownSpan | undefined; newestAt: number }> {
  const of = { service, model: model.toLowerCase() }
  const rate = rateNamed(category) ?? 'overall'
  const spans = (await figures.spans(of)).filter((one) => one.category === rate)
  const past = spans.find(({ source }) => source === 'history')
  const newestAt = spans.find(({ source }) => source === 'newest')?.to ?? 0
  const rows = await figures.read({ ...of, category: rate, from: now - periodMs[period] })
  const { history, unit } = historyOf(rows, { model, category: rate })
  const readAt = Math.max(past?.to ?? 0, newestAt)
  return { history, ...(unit !== null && { unit }), readAt, past, newestAt }
}

function shown({ history, readAt, unit }: ReadHistory): ReadHistory {
  return { history, readAt, ...(unit !== undefined && { unit }) }
}

/** Also of a clock that was set back: what was read in the future was not read lately. */
function isWithin(milliseconds: number, time: number, now: number): boolean {
  return Math.abs(now - time) < milliseconds
}

/** There are no figures, or no picture of them, and why: in words for readers. */
export class None extends Error {
  override readonly name = 'None'
  /** It passes by itself: what was read before is worth showing meanwhile. */
  readonly isPassing: boolean

  constructor(message: string, { isPassing = false, cause }: { isPassing?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isPassing = isPassing
  }
}

function noneLeft(): None {
  const why = 'the remaining requests are reserved for polling; more become available every few minutes'
  return new None(why, { isPassing: true })
}

/** What a reader can do nothing with, such as an address or a code of the network, is for the log. */
export function noneFor(error: unknown): None {
  if (error instanceof None) return error
  const isAway = [RateLimited, ServiceFailed, Unreachable].some((kind) => error instanceof kind)
  if (isAway) return new None('the service cannot be reached', { isPassing: true, cause: error })
  if (error instanceof NotFound) return new None('the service has no such figures', { cause: error })
  if (!(error instanceof MonitorError)) return new None('they could not be read', { cause: error })
  return new None('the service’s answer cannot be used; run bluepencil check', { cause: error })
}

/** Why figures that were read before are shown; undefined if they are no longer right. */
function outdatedBy(error: unknown): string | undefined {
  if (error instanceof NotFound) return 'the service no longer has these figures'
  const none = noneFor(error)
  return none.isPassing ? none.message : undefined
}
