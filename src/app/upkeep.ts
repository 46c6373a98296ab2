import { sameChangeMs } from '../decide/accept/correlate.ts'
import { checkClocks } from '../operators/reports.ts'
import { dayMs, hourMs, minuteMs } from '../platform/durations.ts'
import { checkChain, createChainer, endOf, rememberHead } from '../record/evidence/chain.ts'
import { keepLedger } from '../record/ledger/daily.ts'
import { nameOf, type StorePlace } from '../store/place.ts'
import { keepCopy } from '../store/sqlite/copies.ts'
import { runAsLeader } from './leader.ts'
import { createStatusReports } from './reports.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './services.ts'

/** How often it is checked whether the store can be written, the service has been away for too long, or a report is due. */
const checkEveryMs = minuteMs
/** A batch of the chain covers a minute at most: a file of evidence has all heads since. */
const chainEveryMs = minuteMs

interface UpkeepParts {
  running: Pick<RunningApp, 'current' | 'subscription' | 'accept'>
  place: StorePlace
  /** Rejects if the store cannot be written. */
  probe(): Promise<void>
  /** Reads again what other processes and people change. */
  reread(): Promise<void>
}

/** What is done each minute, hour and day while the service runs. Begins at once; answers what ends it. */
export function startUpkeep(
  services: SharedServices,
  { running, place, probe, reread }: UpkeepParts,
): () => Promise<void> {
  const { clock, store, log, alarms } = services
  const stopping = new AbortController()
  const onError = (error: unknown) => log.error({ error }, 'during daily maintenance')

  async function every(milliseconds: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await work().catch(onError)
      await clock.sleep(milliseconds, signal)
    }
  }

  /** Not at the start. */
  async function afterEach(milliseconds: number, work: () => Promise<void>, signal: AbortSignal) {
    await clock.sleep(milliseconds, signal)
    await every(milliseconds, work, signal)
  }

  async function dropOld(): Promise<void> {
    const { retention, figures } = running.current().config
    const serviceTime = services.serviceTime.now()
    const dropped = await store.retain(clock.now() - retention, { serviceTime })
    if (dropped > 0) log.info({ dropped }, 'events older than the retention were dropped')
    if (serviceTime === undefined) return
    // By the earlier of both clocks: one that is ahead of the other drops nothing.
    const before = Math.min(clock.now(), serviceTime) - figures.retention
    const droppedFigures = await store.figures.dropBefore(before)
    if (droppedFigures > 0)
      log.info({ dropped: droppedFigures }, 'figures older than the retention were dropped')
  }

  async function check(): Promise<void> {
    await probe().then(alarms.storeProbed, alarms.storeFails)
    const status = running.subscription()
    if (status !== undefined && status.state !== 'kept by another process') alarms.subscription(status)
  }

  function keepChangesOfDays(signal: AbortSignal): Promise<void> {
    return keepLedger(
      {
        clock,
        store,
        windowMs: sameChangeMs,
        onDay: ({ from, total, hoursWithout }) =>
          log.info({ day: from, ...total, hoursWithout }, 'changes of the day'),
        onError: (error) => log.error({ error }, 'while keeping the ledger'),
      },
      signal,
    )
  }

  const checking = every(checkEveryMs, check, stopping.signal)
  const rereading = afterEach(checkEveryMs, reread, stopping.signal)
  const stopLeading = runAsLeader('retention', {
    store,
    clock,
    lead(signal) {
      const chain = createChaining(services)
      return Promise.all([
        every(hourMs, dropOld, signal),
        every(checkEveryMs, createStatusReports(services, running), signal),
        every(checkEveryMs, () => checkClocks(services), signal),
        keepChangesOfDays(signal),
        every(chainEveryMs, () => chain(signal), signal),
        ...careOfFiles(services, running, place).map(({ everyMs, work }) => afterEach(everyMs, work, signal)),
      ])
    },
    onError,
  })
  return async () => {
    stopping.abort()
    await Promise.all([checking, rereading, stopLeading()])
  }
}

/** For a store in a folder: each hour a copy, each day a check of all of it. */
function careOfFiles(
  { store, incidents, log }: SharedServices,
  running: Pick<RunningApp, 'current'>,
  place: StorePlace,
): { everyMs: number; work(): Promise<void> }[] {
  const { snapshotTo, verify } = store
  if (place.is === 'database' || snapshotTo === undefined || verify === undefined) return []
  const { folder } = place

  async function copy(): Promise<void> {
    const { copies } = running.current().config
    if (copies > 0 && snapshotTo !== undefined) await keepCopy({ snapshotTo }, folder, copies)
  }

  async function check(): Promise<void> {
    for (const damage of (await verify?.()) ?? []) {
      log.error({ store: nameOf(place) }, damage)
      await incidents.once('damaged-rows', damage, {
        title: 'Part of the store is damaged',
        text: `The daily check of the store found: ${damage}. Damaged entries are not shown or sent; the rest works as usual. Check the disk, and see docs/trouble.md.`,
      })
    }
  }

  return [
    { everyMs: hourMs, work: copy },
    { everyMs: dayMs, work: check },
  ]
}

/**
 * No delivery waits for the chain: after each batch it rests for so many times as long as it took, and under load it follows later. It
 * never rests longer than a minute: by then a loss must be noticed.
 */
const restTimes = 20
const longestRestMs = minuteMs
const checkChainEveryMs = dayMs

/** Returns what chains all that is not chained yet, until the signal aborts. It first reports what was lost of the chain. */
export function createChaining({
  store,
  clock,
  incidents,
}: Pick<SharedServices, 'store' | 'clock'> & {
  incidents: Pick<SharedServices['incidents'], 'once'>
}): (signal: AbortSignal) => Promise<void> {
  const chainer = createChainer({ store, now: clock.now })
  let checkedAt = Number.NEGATIVE_INFINITY

  /** Once, even if several processes find it. */
  function report(fault: string, isRestored = false): Promise<void> {
    return incidents.once('chain', fault, {
      title: isRestored
        ? 'The hash chain of evidence continues from a backup'
        : 'The hash chain of evidence was changed or damaged',
      text: `${fault}. Alerts still go out, and new events are added to the chain. Existing evidence files stay valid. A new file for an alert in the lost part gets a later place in the chain, or cannot be made. See: bluepencil chain, and docs/evidence.md`,
    })
  }

  /** Returns what was reported of the end of the chain. */
  async function check(): Promise<string | undefined> {
    if (Math.abs(clock.now() - checkedAt) >= checkChainEveryMs) {
      const { faults } = await checkChain(store)
      for (const fault of faults) await report(fault)
      checkedAt = clock.now()
    }
    const { begins, isLost, newest, isRemembered } = await endOf(store)
    if (begins !== undefined) await report(begins, !isLost)
    // A process that ended right behind a batch, or an earlier version, has not recorded it.
    else if (newest !== undefined && !isRemembered) await rememberHead(store, newest)
    return begins
  }

  return async (signal) => {
    for (let mayBeMore = true; mayBeMore && !signal.aborted; ) {
      const reported = await check()
      const began = clock.now()
      mayBeMore = await chainer.addBatch(reported)
      const tookMs = clock.now() - began
      if (mayBeMore && tookMs > 0) await clock.sleep(Math.min(restTimes * tookMs, longestRestMs), signal)
    }
  }
}
