import { type Channel, type SendResult, sendWhole } from '../channels/channel.ts'
import { mentioning, mentionsOf } from '../decide/route/mentions.ts'
import { isStandIn, toldOf } from '../decide/route/recipients.ts'
import { oneTry } from '../deliver/one-try.ts'
import type { RetryPolicy } from '../deliver/policy.ts'
import { asRepeat } from '../deliver/repeat.ts'
import type { Notice } from '../event/event.ts'
import type { Message } from '../message/message.ts'
import { render } from '../message/render/render.ts'
import type { Clock } from '../platform/clock.ts'
import { StoreUnavailable } from '../store/store.ts'
import { type AddressParts, createAddressing, type OperatorsConfig } from './address.ts'

/** What runs, as far as telling the operators needs it. */
interface AlertingApp {
  /** The configuration in force. */
  current(): { config: OperatorsConfig }
  take(notice: Notice): Promise<unknown>
  /** Lends the operators' channels until the work is done; undefined where they are being closed. */
  lend<T>(work: (from: OperatorChannels, cut: AbortSignal) => Promise<T>): Promise<T | undefined>
}

interface OperatorChannels {
  channels: readonly Channel[]
  config: OperatorsConfig
}

interface TellParts extends AddressParts {
  clock: Clock
  running: Promise<AlertingApp>
  policy: Pick<RetryPolicy, 'repeatAfterMs'>
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

/** What goes wrong with the store comes when it may accept nothing. */
const aboutStore: ReadonlySet<string> = new Set(['store', 'damage'])

interface NoticeTry {
  message: Message
  progress: string[]
  cutting: AbortSignal
}

/**
 * Tells the operators: through the store like any event. Straight to their channels where the store takes nothing, and
 * where it is the trouble (`key`): a queue that cannot write down what it sent is stuck until that is over. Rejects
 * where nobody can be told now.
 */
export function operatorsTeller({ clock, running, policy, store, wrong, onError }: TellParts) {
  /** What went past the store and arrived, or may have, by id: it is searched for before the store's queue sends it. */
  const mayBeThere = new Set<string>()
  /** By notice and channel. */
  const unanswered = new Map<string, Map<string, PossibleCopies>>()
  const { addressed, wentStraight, isTold: forget } = createAddressing({ store, wrong, onError })

  /** True as soon as one of the operators' channels has it, or where each may have all the copies that there may be. */
  async function tellStraight(notice: Notice): Promise<boolean> {
    const copies = unanswered.get(notice.id) ?? new Map<string, PossibleCopies>()
    const messageFor = (name: string, { operators, channels }: OperatorsConfig) => {
      const message = render(notice, {
        service: '',
        timeZone: 'UTC',
        isStandIn: isStandIn(notice, name, operators),
      })
      return mentioning(message, mentionsOf(notice, channels.find((one) => one.name === name)?.mentions))
    }
    const { promise: isTold, resolve } = Promise.withResolvers<boolean>()
    const lent = await running
    lent
      .lend(({ channels, config }, cut) => {
        const told = notice.to ?? toldOf(notice, config.operators)
        const tries = channels
          .filter(({ name }) => told.includes(name))
          .map(async (channel) => {
            const before = copies.get(channel.name)
            if (before !== undefined && clock.now() < before.notBefore) return isLast(before)
            const message = messageFor(channel.name, config)
            const isRepeat = before !== undefined && before.count > 0
            const { end, progress } = await endOfTry(channel, {
              message: isRepeat ? asRepeat(message) : message,
              progress: before?.progress ?? [],
              cutting: cut,
            })
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
          })
        return Promise.all(tries)
      })
      .then(
        (areLast = []) => resolve(areLast.length > 0 && areLast.every(Boolean)),
        (error: unknown) => {
          onError(error)
          resolve(false)
        },
      )
    return isTold
  }

  /** The waits between copies are those of a queue. */
  function oneMore(before: PossibleCopies | undefined, progress: string[]): PossibleCopies {
    const count = (before?.count ?? 0) + 1
    const wait = policy.repeatAfterMs[count - 1] ?? Number.POSITIVE_INFINITY
    return { count, notBefore: clock.now() + wait, progress }
  }

  function isLast({ notBefore }: PossibleCopies): boolean {
    return notBefore === Number.POSITIVE_INFINITY
  }

  async function endOfTry(channel: Channel, one: NoticeTry): Promise<{ end: TryEnd; progress: string[] }> {
    // A process that was killed may have sent it just before. Where nobody can be asked, it is sent all the same.
    const attempt = { uncertain: true, repeat: true, progress: one.progress }
    const send = (made: Message, signal: AbortSignal) => sendWhole(channel, made, { ...attempt, signal })
    const make = () => one.message
    const { result } = await oneTry({ clock, channel, cutting: one.cutting, make, send, onError })
    const progress = (result.result === 'retry' ? result.progress : undefined) ?? one.progress
    return { end: endOf(result, channel), progress }
  }

  async function straightTo(notice: Notice): Promise<boolean> {
    const isSent = await tellStraight(notice)
    if (isSent) {
      unanswered.delete(notice.id)
      wentStraight(notice)
    }
    return isSent
  }

  async function tell(notice: Notice, key: string): Promise<void> {
    const isOfStore = key === 'store' && notice.phase === 'trouble'
    if (isOfStore && (await straightTo(notice))) return
    try {
      // A process that could write nothing down may have sent what is about the store; and what it was refused may be on
      // disk all the same.
      const uncertain = aboutStore.has(key) || mayBeThere.has(notice.id)
      await (await running).take(uncertain ? { ...notice, uncertain } : notice)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (isOfStore || !(await straightTo(notice))) throw error
    }
  }

  return async (came: Notice, key: string): Promise<void> => {
    const { config } = (await running).current()
    await tell(await addressed(came, config), key)
    forget(came)
  }
}

function endOf(result: SendResult, channel: Channel): TryEnd {
  if (result.result === 'sent') return 'sent'
  if (result.result !== 'retry') return 'not sent'
  if (result.unanswered === true && channel.cannotVerifyDelivery === true) return 'open'
  return result.uncertain ? 'uncertain' : 'not sent'
}
