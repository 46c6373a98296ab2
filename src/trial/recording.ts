import type { Channel } from '../channels/channel.ts'
import type { Message } from '../message/message.ts'
import type { Clock } from '../platform/clock.ts'

/** What a channel was given. */
export interface RecordedMessage {
  channel: string
  /** Milliseconds since the epoch. */
  at: number
  message: Message
  isEdit: boolean
}

/**
 * The channel at its own pace and with its own abilities, but everything that it is given goes to `record` and nowhere
 * else, and is accepted at once.
 */
export function recording(
  channel: Channel,
  clock: Pick<Clock, 'now'>,
  record: (recorded: RecordedMessage) => void,
): Channel {
  const { name, type, paceMs, destination, edit } = channel
  const given = (message: Message, isEdit: boolean) =>
    record({ channel: name, at: clock.now(), message, isEdit })
  return {
    name,
    type,
    paceMs,
    destination,
    async send(message) {
      given(message, false)
      return { result: 'sent', receipt: { place: name, id: message.id, text: 'recorded' } }
    },
    ...(edit !== undefined && {
      async edit(message, receipt) {
        given(message, true)
        return { result: 'sent', receipt }
      },
    }),
    check: async () => [],
    async close() {},
  }
}
