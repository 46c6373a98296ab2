import { recipientsOf, toldOf } from '../decide/route/recipients.ts'
import type { RoutedChannel } from '../decide/route/route.ts'
import type { Notice } from '../event/event.ts'
import type { Store } from '../store/store.ts'
import type { Incident } from './incident.ts'
import { noticeId } from './notice-id.ts'

/** The part of a configuration that says who is notified. */
export interface OperatorsConfig {
  operators: readonly string[]
  channels: readonly Pick<RoutedChannel, 'name' | 'mentions'>[]
}

export interface AddressParts {
  /** Where the beginning of what is resolved is found, with those it was sent to. */
  store: Pick<Store, 'find'>
  /** What is wrong now. */
  wrong(): readonly Pick<Incident, 'key' | 'title'>[]
  onError: (error: unknown) => void
}

/** The keys of incidents of channels begin with it. */
const ofChannel = 'channel:'

/** By the keys of what is wrong now: the channels that are. */
export function unreachableBy(open: readonly { key: string }[]): string[] {
  return open.flatMap(({ key }) => (key.startsWith(ofChannel) ? [key.slice(ofChannel.length)] : []))
}

/** Who gets a notice is decided when it is sent: by the configuration in force then, and by what can be reached. */
export interface Addressing {
  /** The notice with the channels that it goes to, where they are not simply those under `operators`. */
  addressed(notice: Notice, config: OperatorsConfig): Promise<Notice>
  /** It was sent past the store, which will not know to whom. */
  wentStraight(notice: Notice): void
  /** Of what is resolved nothing more is to be sent. */
  isTold(notice: Notice): void
}

export function createAddressing({ store, wrong, onError }: AddressParts): Addressing {
  /** Whoever got a beginning past the store, by the id of that notice. */
  const straight = new Map<string, readonly string[]>()

  async function hadBeginning(id: string): Promise<readonly string[]> {
    const went = straight.get(id)
    if (went !== undefined) return went
    try {
      const outcomes = Object.entries((await store.find(id))?.outcomes ?? {})
      return outcomes
        .filter(([, { state }]) => state === 'sent' || state === 'waiting')
        .map(([channel]) => channel)
    } catch (error) {
      onError(error)
      return []
    }
  }

  /** What was wrong before it was sent to a channel that could not be reached any more: who stands in does not know of it. */
  function besides({ phase, channel }: Notice, operators: readonly string[]): string {
    if (phase === 'over' || channel === null || !operators.includes(channel)) return ''
    const others = wrong().flatMap(({ key, title }) => (key === `${ofChannel}${channel}` ? [] : [title]))
    return others.length === 0 ? '' : ` Also wrong when this was written: ${others.join('; ')}.`
  }

  return {
    async addressed(notice, { operators, channels }) {
      const names = channels.map(({ name }) => name)
      const beginning = beginningOf(notice)
      const had = beginning === undefined ? [] : await hadBeginning(beginning)
      const ways = { channels: names, operators, unreachable: unreachableBy(wrong()) }
      const to = recipientsOf(notice, ways, had).filter((name) => names.includes(name))
      if (to.length <= toldOf(notice, operators).length) return notice
      return { ...notice, to, text: `${notice.text}${besides(notice, operators)}` }
    },
    wentStraight(notice) {
      if (notice.phase === 'trouble' && notice.to !== undefined) straight.set(notice.id, notice.to)
    },
    isTold(notice) {
      straight.delete(beginningOf(notice) ?? '')
    },
  }
}

/** By its id; undefined where nothing is resolved. */
function beginningOf({ phase, about }: Notice): string | undefined {
  return phase === 'over' && about !== undefined ? noticeId(about.key, 'trouble', about.since) : undefined
}
