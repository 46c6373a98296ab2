import { dayMs } from '../platform/durations.ts'
import type { Incidents } from './incidents.ts'

/** Somebody wants no more mail of a channel. Times are ISO 8601, UTC. */
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

/** What operators hear of single readers: once for each, since readers come and go, and one of them is no outage. */
export interface ReaderReports {
  left(one: UnsubscribedAddress): void
  refused(one: RefusedAddress): void
  /** A process that ended at once may have reported nothing; what was reported is not reported again. */
  again(
    known: { unsubscribed: readonly UnsubscribedAddress[]; refused: readonly RefusedAddress[] },
    now: number,
  ): void
}

/** Well within retention, so that what was reported is still known. */
const againMs = 7 * dayMs

export function createReaderReports(
  incidents: Pick<Incidents, 'once'>,
  onError: (error: unknown) => void,
): ReaderReports {
  function left({ channel, address, at }: UnsubscribedAddress): void {
    const report = {
      title: `${address} wants no more mail of ${channel}`,
      text: `The link in a mail was used, and no more is sent there. Take the address out of the channel, or take it back if it was a mistake: bluepencil readers restore ${address} ${channel}`,
    }
    incidents.once(`unsubscribed:${channel}:${address}`, at, report).catch(onError)
  }

  function refused({ address, server, said, since, until }: RefusedAddress): void {
    const report = {
      title: `${address} gets no mail: the server refuses it`,
      text: `Of it ${server} says: ${said}. The others get theirs. It is tried again with the first alert after ${until}, and then less often; correct it, or have it tried at once: bluepencil readers restore ${address}`,
    }
    incidents.once(`refused:${address}`, since, report).catch(onError)
  }

  return {
    left,
    refused,
    again(known, now) {
      const isRecent = (at: string) => now - Date.parse(at) < againMs
      for (const one of known.unsubscribed) if (isRecent(one.at)) left(one)
      for (const one of known.refused) if (isRecent(one.since)) refused(one)
    },
  }
}
