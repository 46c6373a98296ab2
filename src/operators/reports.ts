import type { Logger } from 'pino'
import { dayMs } from '../platform/durations.ts'
import { counted } from '../platform/text.ts'
import { newestFirst } from '../store/pages.ts'
import { mostApartMs, type ProcessClock, type Store } from '../store/store.ts'
import type { Incidents } from './incidents.ts'

/** The title of the end of a channel's incident. */
export function reachedAgain(channel: string): string {
  return `${channel}: messages are getting through again`
}

/** No message waits longer before it is sent or given up. */
const longestWaitMs = 3 * dayMs

/**
 * Ends the incident of a channel if a message has got through since it began. A process that was killed after it recorded that did
 * not report it. To be called when a process takes over the channel.
 */
export async function resolveReached(
  channel: string,
  { store, incidents }: { store: Pick<Store, 'list'>; incidents: Pick<Incidents, 'current' | 'resolves'> },
): Promise<void> {
  const key = `channel:${channel}`
  const open = incidents.current().find((incident) => incident.key === key)
  if (open !== undefined && (await sentSince(store, channel, Date.parse(open.since)))) {
    incidents.resolves(key, reachedAgain(channel))
  }
}

async function sentSince(store: Pick<Store, 'list'>, channel: string, since: number): Promise<boolean> {
  const from = new Date(since - longestWaitMs).toISOString()
  for await (const rows of newestFirst(store, { channel, outcome: 'sent', from })) {
    const isSince = rows.some(({ outcomes: { [channel]: outcome } }) => {
      return outcome?.state === 'sent' && Date.parse(outcome.at) > since
    })
    if (isSince) return true
  }
  return false
}

/** Opens an incident while a process has a wrong clock. One process calls it each minute. */
export async function checkClocks({
  store,
  incidents,
}: {
  store: Pick<Store, 'clocks'>
  incidents: Pick<Incidents, 'opens' | 'resolves'>
}): Promise<void> {
  const clocks = (await store.clocks?.()) ?? []
  const wrong = clocks.filter(({ aheadMs }) => Math.abs(aheadMs) > mostApartMs)
  if (wrong.length === 0) return incidents.resolves('clocks', 'The clocks of all processes are right again')
  incidents.opens('clocks', {
    title: 'A clock is wrong',
    text: `${wrong.map(inWords).join('; ')}. Send times use the database’s clock, but quiet hours and retries use the machine’s. Use NTP on all machines.`,
  })
}

function inWords({ host, aheadMs }: ProcessClock): string {
  const far = counted(Math.round(Math.abs(aheadMs) / 1_000), 'second')
  return `${host}: the clock is ${far} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database’s`
}

/** Somebody unsubscribed from the mail of a channel. Times are ISO 8601, UTC. */
interface UnsubscribedAddress {
  channel: string
  address: string
  at: string
}

interface RefusedAddress {
  address: string
  server: string
  said: string
  since: string
  until: string
}

/** Well within retention, so that earlier reports are still stored. */
const repeatMs = 7 * dayMs

/** Reports single readers, once each: readers come and go, and one of them is no outage. */
export function createReaderReports(incidents: Pick<Incidents, 'once'>, onError: (error: unknown) => void) {
  function unsubscribed({ channel, address, at }: UnsubscribedAddress): void {
    const report = {
      title: `${address} unsubscribed from ${channel}`,
      text: `Bluepencil sends no more mail of this channel there. Remove the address from the channel. If it was a mistake, undo it: bluepencil readers restore ${address} ${channel}`,
    }
    incidents.once(`unsubscribed:${channel}:${address}`, at, report).catch(onError)
  }

  function refused({ address, server, said, since, until }: RefusedAddress): void {
    const report = {
      title: `${address} gets no mail: the server rejects the address`,
      text: `${server} answers: ${said}. Other readers get their mail. Bluepencil tries the address again with the first alert after ${until}, then less often. Correct it, or retry now: bluepencil readers restore ${address}`,
    }
    incidents.once(`refused:${address}`, since, report).catch(onError)
  }

  return {
    unsubscribed,
    refused,
    /** An earlier process may have ended before it reported these. What was reported is not reported again. */
    repeat(
      stored: { unsubscribed: readonly UnsubscribedAddress[]; refused: readonly RefusedAddress[] },
      now: number,
    ): void {
      const isRecent = (at: string) => now - Date.parse(at) < repeatMs
      for (const reader of stored.unsubscribed) if (isRecent(reader.at)) unsubscribed(reader)
      for (const reader of stored.refused) if (isRecent(reader.since)) refused(reader)
    },
  }
}

const damaged = 'A file of the store was damaged'
const inDoubt = 'The clock of this machine may be wrong'
const believed = {
  title: 'The clock of this machine is right again',
  text: 'Bluepencil deletes old events again after their retention.',
}

/** What the store reports goes to the log at once. Operators are alerted as soon as they can be reached. */
export function createStoreReports(log: Logger, folder: string) {
  const damage: string[] = []
  const doubts: (string | null)[] = []
  let incidents: Incidents | undefined

  function reportDoubt(text: string | null, reachable: Incidents): void {
    if (text === null) reachable.happened('clock-believed', believed)
    else reachable.happened('clock', { title: inDoubt, text })
  }

  return {
    /** A file was damaged; perhaps it was mended. */
    onTrouble(sentence: string): void {
      log.error({ store: folder }, sentence)
      if (incidents === undefined) damage.push(sentence)
      else incidents.happened('damage', { title: damaged, text: sentence })
    },
    /** Our clock is in doubt, so no old event is dropped; null: it no longer is. */
    onDoubt(sentence: string | null): void {
      if (sentence === null) log.info(believed.title)
      else log.error(sentence)
      if (incidents === undefined) doubts.push(sentence)
      else reportDoubt(sentence, incidents)
    },
    /** Operators can be reached now. Alerts them to what was reported before: all damage in one notice. */
    alertBy(reachable: Incidents): void {
      incidents = reachable
      if (damage.length > 0) reachable.happened('damage', { title: damaged, text: damage.join('; ') })
      for (const sentence of doubts) reportDoubt(sentence, reachable)
    },
  }
}
