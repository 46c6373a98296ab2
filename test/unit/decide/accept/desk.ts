import { setImmediate as turn } from 'node:timers/promises'
import type { Attempt, Channel, Picture, SendResult } from '../../../../src/channels/channel.ts'
import type { MentionRule } from '../../../../src/channels/mentions.ts'
import { CommonSettings } from '../../../../src/channels/settings.ts'
import type { CompareWithFigures } from '../../../../src/decide/accept/accept.ts'
import { keepDigests } from '../../../../src/decide/digest/release.ts'
import type { PictureResult, Pictures, SettledTry } from '../../../../src/deliver/parts.ts'
import type { StandingSilence } from '../../../../src/event/act.ts'
import type { Entry } from '../../../../src/event/event.ts'
import type { Receipt } from '../../../../src/event/outcome.ts'
import type { Message } from '../../../../src/message/message.ts'
import { createPipeline, holdsOf } from '../../../../src/pipeline.ts'
import type { Store } from '../../../../src/store/store.ts'
import { createManualClock, type ManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const start = Date.parse('2026-11-21T13:10:00Z')

export interface DeskOptions {
  store?: Store
  clock?: ManualClock
  /** What it asks for, beside its name. */
  settings?: Partial<CommonSettings>
  /** Whom its messages mention. */
  mentions?: MentionRule[]
  /** Other channels, by name, whose provider lets no message be changed. */
  others?: Record<string, Partial<CommonSettings>>
  seen?: CompareWithFigures
  /** True if the channel cannot be searched for a message that may have arrived. */
  cannotVerifyDelivery?: boolean
  /** How an attempt to send, or to edit, ends. */
  sends?: (message: Message, attempt: Attempt) => SendResult | Promise<SendResult>
  /** Null if the provider cannot edit messages. */
  edits?: ((signal: AbortSignal) => SendResult | Promise<SendResult>) | null
  /** How an attempt to post in a thread ends, if there are threads. */
  replies?: () => SendResult
  /** If alerts get a picture: inside, or added by an attempt that ends like this. */
  picture?: Pictures
  adds?: (signal: AbortSignal) => SendResult | Promise<SendResult>
  /** Channels as they are in service. */
  real?: Channel[]
  /** What is held goes out when its wait ends. */
  digests?: true
  /** In force, when an escalation is due. */
  silences?: StandingSilence[]
  /** Messages on the others can be edited too: `edited` has them all. */
  editsOthers?: true
}

/**
 * A whole pipeline with one channel `desk`, whose readers see `sent`, and then `edited` in its place. What the readers
 * of the others see is in `elsewhere`.
 */
export async function openDesk(options: DeskOptions = {}) {
  const { clock = createManualClock(start), store = createMemoryBacking(clock).open() } = options
  const sent: Message[] = []
  const attempts: (Attempt & { id: string; at: number })[] = []
  const edited: { receipt: Receipt; message: Message }[] = []
  const desk: Channel = {
    name: 'desk',
    type: 'console',
    paceMs: 0,
    cannotVerifyDelivery: options.cannotVerifyDelivery ?? false,
    pictures: options.picture && 'dark',
    async send(message, attempt) {
      sent.push(message)
      attempts.push({ ...attempt, id: message.id, at: clock.now() })
      return (
        (await options.sends?.(message, attempt)) ?? {
          result: 'sent',
          receipt: { text: `receipt of ${message.id}` },
        }
      )
    },
    check: async () => [],
    close: async () => {},
  }
  const edit: NonNullable<Channel['edit']> = async (message, receipt, signal) => {
    edited.push({ message, receipt })
    return (await options.edits?.(signal)) ?? { result: 'sent', receipt }
  }
  if (options.edits !== null) desk.edit = edit
  const replied: { receipt: Receipt; message: Message }[] = []
  const { replies } = options
  if (replies !== undefined) {
    desk.reply = async (message, receipt) => {
      replied.push({ message, receipt })
      return replies()
    }
  }
  const added: { receipt: Receipt; picture: Picture }[] = []
  const { adds } = options
  if (adds !== undefined) {
    desk.addPicture = async (picture, receipt, signal) => {
      added.push({ picture, receipt })
      return adds(signal)
    }
  }
  const elsewhere: Record<string, Message[]> = {}
  const others = Object.keys(options.others ?? {}).map((name): Channel => {
    const seen: Message[] = []
    elsewhere[name] = seen
    return {
      name,
      type: 'console',
      paceMs: 0,
      async send(message) {
        seen.push(message)
        return { result: 'sent', receipt: { text: `receipt of ${message.id}` } }
      },
      ...(options.editsOthers && { edit }),
      check: async () => [],
      close: async () => {},
    }
  })
  const { real = [] } = options
  const settings = Object.entries({
    desk: options.settings,
    ...options.others,
    ...Object.fromEntries(real.map(({ name }) => [name, {}])),
  })
  const settled: SettledTry[] = []
  const pictured: PictureResult[] = []
  const failures: unknown[] = []
  const reused: { id: string; contents: number; isEarlier?: true }[] = []
  const accepted: string[] = []
  const onError = (failure: unknown) => void failures.push(failure)
  const routed = settings.map(([name, more]) => ({
    ...CommonSettings.parse({ name }),
    ...more,
    ...(name === 'desk' && { mentions: options.mentions }),
  }))
  const pipeline = createPipeline({
    store,
    horizon: store.horizon,
    isOpen: () => true,
    silences: () => [],
    seen: options.seen ?? (() => ({ state: 'unknown' })),
    channels: [desk, ...others, ...real],
    routing: {
      channels: routed,
      operators: [],
      retentionMs: 30 * 24 * 60 * 60_000,
    },
    service: 'Service',
    clock,
    random: () => 0,
    picture: options.picture,
    onEvent(event) {
      if (event.type === 'accepted') accepted.push(event.entry.id)
      else if (event.type === 'id-reused') {
        const { type: _, ...report } = event
        reused.push(report)
      } else if (event.type === 'settled') settled.push(event)
      else if (event.type === 'pictured') pictured.push(event)
      else if (event.type === 'failed') onError(event)
    },
  })
  const ending = new AbortController()
  const digesting =
    options.digests &&
    keepDigests(
      {
        store,
        clock,
        channels: () => settings.map(([name]) => name),
        onSilences: () => {},
        silence: () => undefined,
        stillHeld: () => undefined,
        holdsNow: holdsOf({
          silences: { find: () => undefined, inForce: () => options.silences ?? [] },
          now: clock.now,
          channels: () => routed,
        }).holdsNow,
        accept: pipeline.accept,
        wake: pipeline.wake,
        onError,
      },
      ending.signal,
    )
  pipeline.send()
  await clock.advance(0)
  return {
    store,
    clock,
    sent,
    attempts,
    settled,
    edited,
    replied,
    added,
    pictured,
    elsewhere,
    failures,
    reused,
    /** Ids of the entries that were reported as new. */
    accepted,
    pipeline,
    async take(...entries: Entry[]) {
      const verdicts: string[] = []
      for (const entry of entries) {
        verdicts.push(await pipeline.accept(entry))
        await quiet()
      }
      return verdicts
    },
    quiet,
    outcome: async (id: string, channel = 'desk') => (await store.find(id))?.outcomes[channel],
    async stop() {
      ending.abort()
      const stopped = Promise.all([pipeline.stop(1_000), digesting])
      await clock.advance(2_000)
      await stopped
    },
  }

  /** Lets what is due now be done. */
  async function quiet(): Promise<void> {
    for (let turns = 0; turns < 5; turns++) {
      await clock.advance(0)
      await turn()
    }
  }
}
