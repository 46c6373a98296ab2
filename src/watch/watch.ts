import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Clock } from '../clock.ts'
import type { Notice } from '../event/event.ts'

/** Something that is wrong now, until it is reported to be right. */
const Trouble = z.object({
  key: z.string(),
  title: z.string(),
  text: z.string(),
  channel: z.string().nullable(),
  /** ISO 8601, UTC. */
  since: z.string(),
  /** Told to the operators. What was not (the store was away) is tried again. */
  told: z.boolean(),
  /** What is to be said of its end, where that has come and could not be told yet. */
  over: z.string().nullable().default(null),
})
type Trouble = z.infer<typeof Trouble>

export interface TroubleReport {
  title: string
  text: string
  /** The channel that it is about, which is not asked to carry the news of it. */
  channel?: string
}

export interface WatchParts {
  clock: Clock
  state: { read(): Promise<unknown>; write(value: unknown): Promise<void> }
  /** Resolves when the operators will hear of it. `key` is the trouble's. */
  tell: (notice: Notice, key: string) => Promise<unknown>
  onError: (error: unknown) => void
}

/** Knows what is wrong, and tells the operators once when it begins and once when it is over, over restarts too. */
export interface Watch {
  /** The thing called `key` is in trouble: told at the first report, the next ones only refresh what readyz shows. */
  begins(key: string, report: TroubleReport): void
  /** The thing called `key` is well; told where it was in trouble. */
  over(key: string, text: string): void
  /**
   * Something that has no end happened (a dead letter). The first is told at once; more of the same key within
   * the hour are counted and told together at its end.
   */
  happened(key: string, report: TroubleReport): void
  /** Told once for each episode, over restarts too. Resolves when that is sure, and rejects where it is not. */
  once(key: string, episode: string, report: TroubleReport): Promise<void>
  troubles(): readonly Trouble[]
  /** Forgets, without a word, the troubles of what is no longer there. */
  keepOnly(isThere: (key: string) => boolean): void
  stop(): Promise<void>
}

const tallyMs = 60 * 60_000
/** Between two tries to tell what could not be told. */
const tellAgainMs = 60_000

export async function startWatch(parts: WatchParts): Promise<Watch> {
  const { clock } = parts
  const remembered = z
    .array(Trouble)
    .catch([])
    .parse(await parts.state.read())
  const troubles = new Map<string, Trouble>(remembered.map((trouble) => [trouble.key, trouble]))
  const tallies = new Map<string, { count: number; report: TroubleReport }>()
  const countDowns = new Set<Promise<void>>()
  let tellsAgain: Promise<void> | undefined
  const stopping = new AbortController()
  /** One after the other, so that an end is never told before its beginning. */
  let telling: Promise<void> = Promise.resolve()

  function inTurn(work: () => Promise<unknown>): Promise<void> {
    const done = telling.then(async () => void (await work()))
    telling = done.catch(() => undefined)
    return done
  }

  /** Tells of a trouble, and where that fails, of all that is untold then in a minute. */
  function tellInTurn(work: () => Promise<void>): void {
    inTurn(work).catch((error: unknown) => {
      parts.onError(error)
      tellsAgain ??= clock.sleep(tellAgainMs, stopping.signal).then(() => {
        tellsAgain = undefined
        if (!stopping.signal.aborted) tellInTurn(tellAll)
      })
    })
  }

  async function tellAll(): Promise<void> {
    for (const key of troubles.keys()) await tellOf(key)
    await save()
  }

  async function tellOf(key: string): Promise<void> {
    const trouble = troubles.get(key)
    if (trouble === undefined) return
    if (trouble.over !== null) return tellEnd(trouble, trouble.over)
    if (trouble.told) return
    await parts.tell(
      { ...notice(key, 'trouble', trouble.since, reportOf(trouble)), about: aboutOf(trouble) },
      key,
    )
    // A report that came meanwhile has put another in its place.
    const now = troubles.get(key)
    if (now?.since === trouble.since) now.told = true
    await save()
  }

  async function tellEnd(trouble: Trouble, text: string): Promise<void> {
    const { key, title, since } = trouble
    if (trouble.told) {
      const report = { ...reportOf(trouble), title: `Over: ${title}`, text }
      await parts.tell({ ...notice(key, 'over', since, report), about: aboutOf(trouble) }, key)
    }
    const now = troubles.get(key)
    if (now === trouble) troubles.delete(key)
    else if (now !== undefined) {
      // It began again while its end was told.
      Object.assign(now, { since: new Date(clock.now()).toISOString(), told: false })
      await tellOf(key)
    }
    await save()
  }

  /** `episode` tells two notices of the same key apart; the same episode is the same notice, stored once. */
  function notice(key: string, phase: Notice['phase'], episode: string, report: TroubleReport): Notice {
    const id = createHash('sha256')
      .update(JSON.stringify([key, phase, episode]))
      .digest('hex')
      .slice(0, 24)
    return {
      kind: 'notice',
      id: `ntc_${id}`,
      phase,
      channel: report.channel ?? null,
      title: report.title,
      text: report.text,
      receivedAt: new Date(clock.now()).toISOString(),
    }
  }

  function tellNow(key: string, report: TroubleReport): void {
    const episode = JSON.stringify([clock.now(), report.title, report.text])
    inTurn(() => parts.tell(notice(key, 'trouble', episode, report), key)).catch(parts.onError)
  }

  function save(): Promise<void> {
    return parts.state.write([...troubles.values()])
  }

  /** Ends early when the process does: what was counted is told all the same. */
  async function countDown(key: string): Promise<void> {
    await clock.sleep(tallyMs, stopping.signal)
    const tally = tallies.get(key)
    tallies.delete(key)
    if (tally === undefined || tally.count === 0) return
    const more = { ...tally.report, title: `${tally.count} more within the hour: ${tally.report.title}` }
    tellNow(key, more)
  }

  if (remembered.some(({ over }) => over !== null)) tellInTurn(tellAll)

  return {
    begins(key, report) {
      const known = troubles.get(key)
      const trouble: Trouble = {
        key,
        title: report.title,
        text: report.text,
        channel: report.channel ?? null,
        since: known?.since ?? new Date(clock.now()).toISOString(),
        told: known?.told ?? false,
        over: null,
      }
      troubles.set(key, trouble)
      if (!trouble.told) tellInTurn(() => tellOf(key))
    },
    over(key, text) {
      if (!troubles.has(key)) return
      tellInTurn(async () => {
        const known = troubles.get(key)
        if (known === undefined) return
        known.over = text
        // What cannot be told now may be told after a restart.
        await tellEnd(known, text).catch(async (error: unknown) => {
          await save()
          throw error
        })
      })
    },
    happened(key, report) {
      const tally = tallies.get(key)
      if (tally !== undefined) {
        tally.count += 1
        tally.report = report
        return
      }
      tallies.set(key, { count: 0, report })
      tellNow(key, report)
      const counting: Promise<void> = countDown(key).finally(() => countDowns.delete(counting))
      countDowns.add(counting)
    },
    once: (key, episode, report) => inTurn(() => parts.tell(notice(key, 'trouble', episode, report), key)),
    troubles: () => [...troubles.values()].filter(({ over }) => over === null),
    keepOnly(isThere) {
      const gone = [...troubles.keys()].filter((key) => !isThere(key))
      if (gone.length === 0) return
      for (const key of gone) troubles.delete(key)
      tellInTurn(save)
    },
    async stop() {
      stopping.abort()
      await Promise.all(countDowns)
      await Promise.all([telling, tellsAgain])
    },
  }
}

function aboutOf({ key, since }: Trouble): { key: string; since: string } {
  return { key, since }
}

function reportOf({ title, text, channel }: Trouble): TroubleReport {
  return channel === null ? { title, text } : { title, text, channel }
}
