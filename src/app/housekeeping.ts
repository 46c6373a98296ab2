import { sameChangeMs } from '../decide/accept/correlate.ts'
import { checkClocks } from '../operators/clocks.ts'
import { hourMs, minuteMs } from '../platform/durations.ts'
import { keepLedger } from '../record/ledger/daily.ts'
import { createChaining } from './chaining.ts'
import { startDuty } from './leadership.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './shared-services.ts'
import { createStatusReports } from './status-reports.ts'

const retentionEveryMs = hourMs
/** How often we see whether the store can be written, the service has been away for too long, or a report is due. */
const lookEveryMs = minuteMs
/** A batch of the chain a minute at most: a file of evidence has all heads since. */
const chainEveryMs = minuteMs

interface HousekeepingParts {
  reloadable: Pick<RunningApp, 'current' | 'subscription' | 'take'>
  /** Rejects where the store cannot be written. */
  probe(): Promise<void>
  /** Reads anew what other processes and people change. */
  reread(): Promise<void>
  /** What is done for the store's files, so often, and first after so long. */
  care: readonly { everyMs: number; work(): Promise<void> }[]
}

/** What is done each minute, hour and day while the service runs. Begins at once; answers what ends it. */
export function startHousekeeping(
  services: SharedServices,
  { reloadable, probe, reread, care }: HousekeepingParts,
): () => Promise<void> {
  const { clock, store, log, alarms, serviceTime } = services
  const stopping = new AbortController()

  async function every(milliseconds: number, work: () => Promise<void>, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      await work().catch((error: unknown) => log.error({ error }, 'while keeping house'))
      await clock.sleep(milliseconds, ended)
    }
  }

  async function dropOld(): Promise<void> {
    const before = clock.now() - reloadable.current().config.retention
    const dropped = await store.retain(before, { serviceTime: serviceTime.now() })
    if (dropped > 0) log.info({ dropped }, 'events older than the retention were dropped')
    await dropFigures()
  }

  /** By the earlier of both clocks: one that is ahead of the other drops nothing. */
  async function dropFigures(): Promise<void> {
    const serviceTime = services.serviceTime.now()
    if (serviceTime === undefined) return
    const { retention } = reloadable.current().config.figures
    const dropped = await store.figures.dropBefore(Math.min(clock.now(), serviceTime) - retention)
    if (dropped > 0) log.info({ dropped }, 'figures older than the retention were dropped')
  }

  async function look(): Promise<void> {
    await probe().then(alarms.storeProbed, alarms.storeFails)
    const status = reloadable.subscription()
    if (status !== undefined && status.state !== 'kept by another process') alarms.subscription(status)
  }

  /** Not at the start. */
  async function afterEach(
    milliseconds: number,
    work: () => Promise<void>,
    ended: AbortSignal,
  ): Promise<void> {
    await clock.sleep(milliseconds, ended)
    await every(milliseconds, work, ended)
  }

  function accountForDays(ended: AbortSignal): Promise<void> {
    return keepLedger(
      {
        clock,
        store,
        windowMs: sameChangeMs,
        onDay: ({ from, total, hoursWithout }) =>
          log.info({ day: from, ...total, hoursWithout }, 'changes of the day'),
        onError: (error) => log.error({ error }, 'while keeping the ledger'),
      },
      ended,
    )
  }

  const looking = every(lookEveryMs, look, stopping.signal)
  const rereading = afterEach(lookEveryMs, reread, stopping.signal)
  const duty = startDuty({
    role: 'retention',
    store,
    clock,
    async begin() {
      const ending = new AbortController()
      const chain = createChaining(services)
      const loops = [
        every(retentionEveryMs, dropOld, ending.signal),
        every(lookEveryMs, createStatusReports(services, reloadable), ending.signal),
        every(lookEveryMs, () => checkClocks(services), ending.signal),
        accountForDays(ending.signal),
        every(chainEveryMs, () => chain(ending.signal), ending.signal),
        ...care.map(({ everyMs, work }) => afterEach(everyMs, work, ending.signal)),
      ]
      return () => {
        ending.abort()
        return Promise.all(loops)
      }
    },
    onError: (error) => log.error({ error }, 'while keeping house'),
  })
  return async () => {
    stopping.abort()
    await Promise.all([looking, rereading, duty.stop()])
  }
}
