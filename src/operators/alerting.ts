import { type Channel, type SendResult, sendWhole } from '../channels/channel.ts'
import { mentioning, mentionsOf } from '../decide/route/mentions.ts'
import { isStandIn, recipientsOf, toldOf } from '../decide/route/recipients.ts'
import type { RoutedChannel } from '../decide/route/route.ts'
import { tryInTurn } from '../deliver/one-try.ts'
import type { RetryPolicy } from '../deliver/policy.ts'
import { asRepeat } from '../deliver/sent-message.ts'
import type { Notice } from '../event/event.ts'
import type { Message } from '../message/message.ts'
import { render } from '../message/render/render.ts'
import type { Clock } from '../platform/clock.ts'
import { type Store, type StoredEntry, StoreUnavailable } from '../store/store.ts'
import { type Incident, noticeId } from './incident.ts'

/** The part of a configuration that says who is notified. */
interface OperatorsConfig {
  operators: readonly string[]
  channels: readonly Pick<RoutedChannel, 'name' | 'mentions'>[]
}

interface OperatorChannels {
  channels: readonly Channel[]
  config: OperatorsConfig
}

/** The part of the running application that alerts need. */
export interface AlertingApp {
  /** By the effective configuration. */
  current(): { config: OperatorsConfig }
  accept(notice: Notice): Promise<'new' | 'duplicate'>
  /** Lends the operators' channels until the work is done; undefined while they are being closed. */
  lend<T>(work: (opened: OperatorChannels, cut: AbortSignal) => Promise<T>): Promise<T | undefined>
}

interface OperatorAlertsParts {
  clock: Clock
  /** Throws if nothing runs yet. */
  running(): AlertingApp
  policy: Pick<RetryPolicy, 'repeatAfterMs'>
  /** Has the beginning of what is resolved, with those it was sent to, and what was stored without an answer. */
  store: Pick<Store, 'find'>
  /** What is wrong now. */
  openIncidents(): readonly Pick<Incident, 'key' | 'title'>[]
  onError: (error: unknown) => void
}

/** How a try ended. `uncertain`: it may be there; `open`: the same, and nobody can be asked. */
type TryEnd = 'sent' | 'uncertain' | 'open' | 'not sent'

/** Copies of a notice that a channel may have without an answer, and before when there is to be no other. */
interface PossibleCopies {
  count: number
  notBefore: number
  /** What earlier tries finished, as the channel reported it. */
  progress: string[]
}

/** Keys of incidents that begin while the store may accept nothing. */
const aboutStore: ReadonlySet<string> = new Set(['store', 'damage'])

/** Keys of incidents of channels begin with it. */
const channelPrefix = 'channel:'

/** The channels that have an open incident. */
export function unreachableBy(open: readonly { key: string }[]): string[] {
  return open.flatMap(({ key }) => (key.startsWith(channelPrefix) ? [key.slice(channelPrefix.length)] : []))
}

/**
 * Alerts the operators through the store, like any event. It goes straight to their channels if the store accepts nothing, or if
 * the store itself is the trouble (`key`). A queue that cannot record what it sent is stuck until then. Rejects if nobody
 * can be alerted now.
 */
export function createOperatorAlerts(parts: OperatorAlertsParts) {
  const { clock, running, policy, store, openIncidents, onError } = parts
  /** Notices that went past the store and arrived, or may have: they are searched for before the store's queue sends them. */
  const mayBeThere = new Set<string>()
  /** By notice and channel. */
  const unanswered = new Map<string, Map<string, PossibleCopies>>()
  /** Who got a beginning past the store, by the id of that notice. */
  const sentStraight = new Map<string, readonly string[]>()

  /** Undefined also if it cannot be read. */
  async function stored(id: string): Promise<StoredEntry | undefined> {
    try {
      return await store.find(id)
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  async function recipientsOfBeginning(id: string): Promise<readonly string[]> {
    const straight = sentStraight.get(id)
    if (straight !== undefined) return straight
    const outcomes = Object.entries((await stored(id))?.outcomes ?? {})
    return outcomes.flatMap(([channel, { state }]) =>
      state === 'sent' || state === 'waiting' ? [channel] : [],
    )
  }

  /** What was wrong before: a channel that stands in for an unreachable one does not know of it. */
  function alsoWrong({ phase, channel }: Notice, operators: readonly string[]): string {
    if (phase === 'over' || channel === null || !operators.includes(channel)) return ''
    const others = openIncidents().filter(({ key }) => key !== `${channelPrefix}${channel}`)
    if (others.length === 0) return ''
    return ` Other problems at that time: ${others.map(({ title }) => title).join('; ')}.`
  }

  /** The notice, with the channels that it goes to if they are not simply those under `operators`. */
  async function addressed(notice: Notice, { operators, channels }: OperatorsConfig): Promise<Notice> {
    const names = channels.map(({ name }) => name)
    const beginning = beginningOf(notice)
    const hadBeginning = beginning === undefined ? [] : await recipientsOfBeginning(beginning)
    const unreachable = unreachableBy(openIncidents())
    const to = recipientsOf(notice, { channels: names, operators, unreachable }, hadBeginning).filter(
      (name) => names.includes(name),
    )
    if (to.length <= toldOf(notice, operators).length) return notice
    return { ...notice, to, text: `${notice.text}${alsoWrong(notice, operators)}` }
  }

  /** True as soon as one of the operators' channels has it, or if each may have all the copies that there may be. */
  async function sendStraight(notice: Notice): Promise<boolean> {
    const copies = unanswered.get(notice.id) ?? new Map<string, PossibleCopies>()
    const { promise: isSent, resolve } = Promise.withResolvers<boolean>()

    /** Whether there may be no other copy on this channel. */
    async function tryOn(channel: Channel, config: OperatorsConfig, cut: AbortSignal): Promise<boolean> {
      const before = copies.get(channel.name)
      if (before !== undefined && clock.now() < before.notBefore) return isLast(before)
      const message = messageFor(notice, channel.name, config)
      const isRepeat = before !== undefined && before.count > 0
      const { end, progress } = await attempt(
        channel,
        isRepeat ? asRepeat(message) : message,
        before?.progress ?? [],
        cut,
      )
      if (end !== 'not sent') mayBeThere.add(notice.id)
      if (end === 'sent') resolve(true)
      if (end !== 'open') {
        const { count, notBefore } = before ?? { count: 0, notBefore: 0 }
        if (progress.length > 0)
          unanswered.set(notice.id, copies.set(channel.name, { count, notBefore, progress }))
        return false
      }
      const next = oneMore(before, progress)
      unanswered.set(notice.id, copies.set(channel.name, next))
      return isLast(next)
    }

    running()
      .lend(({ channels, config }, cut) => {
        const recipients = notice.to ?? toldOf(notice, config.operators)
        return Promise.all(
          channels
            .filter(({ name }) => recipients.includes(name))
            .map((channel) => tryOn(channel, config, cut)),
        )
      })
      .then(
        (areLast = []) => resolve(areLast.length > 0 && areLast.every(Boolean)),
        (error: unknown) => {
          onError(error)
          resolve(false)
        },
      )
    if (!(await isSent)) return false
    unanswered.delete(notice.id)
    if (notice.phase === 'trouble' && notice.to !== undefined) sentStraight.set(notice.id, notice.to)
    return true
  }

  /** The waits between copies are those of a queue. */
  function oneMore(before: PossibleCopies | undefined, progress: string[]): PossibleCopies {
    const count = (before?.count ?? 0) + 1
    const wait = policy.repeatAfterMs[count - 1] ?? Number.POSITIVE_INFINITY
    return { count, notBefore: clock.now() + wait, progress }
  }

  async function attempt(channel: Channel, message: Message, earlier: string[], cutting: AbortSignal) {
    // A process that was killed may have sent it just before. If nobody can be asked, it is sent all the same.
    const how = { uncertain: true, repeat: true, progress: earlier }
    const send = (made: Message, signal: AbortSignal) => sendWhole(channel, made, { ...how, signal })
    const { result } = await tryInTurn({ clock, channel, cutting, make: () => message, send, onError })
    const progress = (result.result === 'retry' ? result.progress : undefined) ?? earlier
    return { end: endOf(result, channel), progress }
  }

  async function alert(notice: Notice, key: string): Promise<void> {
    const isStoreTrouble = key === 'store' && notice.phase === 'trouble'
    if (isStoreTrouble && (await sendStraight(notice))) return
    try {
      // A process that could record nothing may have sent what is about the store. What it was refused may be on disk.
      const uncertain = aboutStore.has(key) || mayBeThere.has(notice.id)
      await running().accept(uncertain ? { ...notice, uncertain } : notice)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      // The answer was lost and the notice is there: its queue sends it.
      if (error.mayBeStored && (await stored(notice.id)) !== undefined) return
      if (isStoreTrouble || !(await sendStraight(notice))) throw error
    }
  }

  return async (notice: Notice, key: string): Promise<void> => {
    const { config } = running().current()
    await alert(await addressed(notice, config), key)
    sentStraight.delete(beginningOf(notice) ?? '')
  }
}

function messageFor(notice: Notice, name: string, { operators, channels }: OperatorsConfig): Message {
  const message = render(notice, {
    service: '',
    timeZone: 'UTC',
    isStandIn: isStandIn(notice, name, operators),
  })
  return mentioning(message, mentionsOf(notice, channels.find((channel) => channel.name === name)?.mentions))
}

/** The id of the notice that reported the beginning; undefined if nothing is resolved. */
function beginningOf({ phase, about }: Notice): string | undefined {
  return phase === 'over' && about !== undefined ? noticeId(about.key, 'trouble', about.since) : undefined
}

function isLast({ notBefore }: PossibleCopies): boolean {
  return notBefore === Number.POSITIVE_INFINITY
}

function endOf(result: SendResult, channel: Channel): TryEnd {
  if (result.result === 'sent') return 'sent'
  if (result.result !== 'retry') return 'not sent'
  if (result.unanswered === true && channel.cannotVerifyDelivery === true) return 'open'
  return result.uncertain ? 'uncertain' : 'not sent'
}
