import type { webApi } from '@slack/bolt'
import type { Receipt } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import { minuteMs } from '../../platform/durations.ts'
import type { Attempt, Channel, CheckRow, SendResult } from '../channel.ts'
import { createSearchBounds } from '../search-bounds.ts'
import { checkBot, type SlackInteractions } from './check.ts'
import {
  findConversation,
  findPosted,
  isConversationId,
  type SearchProgress,
  type SlackAuthor,
  whoWeAre,
} from './conversations.ts'
import { addToThread, editPosted, permalinkOf, replyTo } from './edit.ts'
import { formatSlack, metadataId } from './format.ts'
import { isRateLimit, type SlackCallFailure, troubleOf } from './transport.ts'
import { doesPass, isOfTheToken, type SlackPlace, verdictOn } from './verdict.ts'

export interface BotChannel {
  name: string
  /** `#ai-desk` or an id. */
  to: string
  paceMs: number
  /** How what people do at its messages reaches us; undefined if nobody listens. */
  hearing?: SlackInteractions | undefined
  /** A client whose calls end with the signal. */
  connect: (signal: AbortSignal) => webApi.WebClient
  /** Milliseconds that Slack has for a whole answer. */
  timeoutMs: number
  /** Whether alerts get a picture, in their threads. */
  pictures: boolean
}

/** A search may take several requests, each with its own time-out, before the message is posted. */
const tryMs = 10 * minuteMs

/** A channel that a bot posts into. */
export function openBot({ name, to, paceMs, hearing, connect, timeoutMs, pictures }: BotChannel): Channel {
  /** Reading and finding again need an id; a name is looked up once. */
  let id = isConversationId(to) ? to : undefined
  let bot: string | undefined
  let author: SlackAuthor | undefined
  /** Slack does not let the bot read the channel. */
  let mayNotRead = false
  const bounds = createSearchBounds()
  /** Those that a rate limit ended, by mark. */
  const searches = new Map<string, SearchProgress>()

  async function send(message: Message, attempt: Attempt): Promise<SendResult> {
    const client = connect(attempt.signal)
    const mark = metadataId(message.id)
    const earlierCopy = attempt.uncertain
      ? await lookForEarlier(client, mark, attempt.repeat === true)
      : undefined
    const result = earlierCopy ?? (await post(client, message, mark))
    if (result.result !== 'retry' || !result.uncertain) bounds.isCertain(mark)
    return result
  }

  async function post(client: webApi.WebClient, message: Message, mark: string): Promise<SendResult> {
    bounds.trying(mark)
    try {
      const answer = await client.chat.postMessage({ channel: id ?? to, ...formatSlack(message) })
      id = answer.channel ?? id
      if (answer.ts !== undefined) bounds.posted(answer.ts)
      return { result: 'sent', receipt: receiptOf(id ?? to, answer.ts) }
    } catch (error) {
      const trouble = troubleOf(error)
      const wantsName =
        trouble.kind === 'refused' && /^(not_in_channel|channel_not_found)$/.test(trouble.code)
      return verdictOn(trouble, wantsName ? await placeWithName(client) : place())
    }
  }

  /**
   * Returns `sent` if an earlier try did arrive, and `retry` if the search failed in a way that passes. If
   * Slack does not let us read (a missing scope), another copy is sent only as a repeat, whose time has come.
   */
  async function lookForEarlier(
    client: webApi.WebClient,
    mark: string,
    repeat: boolean,
  ): Promise<SendResult | undefined> {
    try {
      const channel = id ?? (await findConversation(client, to))?.id
      if (channel === undefined) return cannotRead({ kind: 'refused', code: 'channel_not_found' }, repeat)
      id = channel
      author ??= await whoWeAre(client)
      const search = searches.get(mark) ?? { pages: 0 }
      searches.set(mark, search)
      const posted = await findPosted(client, channel, { mark, after: bounds.after(mark), author, search })
      mayNotRead = false
      searches.delete(mark)
      if (posted !== undefined) return { result: 'sent', receipt: receiptOf(channel, posted) }
      bounds.isAbsent(mark, search.newest)
      return undefined
    } catch (error) {
      const trouble = troubleOf(error)
      if (!isRateLimit(trouble)) searches.delete(mark)
      if (trouble.kind !== 'refused' || doesPass(trouble)) {
        return { ...verdictOn(trouble, place()), result: 'retry', uncertain: true, unanswered: false }
      }
      return isOfTheToken(trouble.code) ? verdictOn(trouble, place()) : cannotRead(trouble, repeat)
    }
  }

  function cannotRead(
    trouble: SlackCallFailure & { kind: 'refused' },
    repeat: boolean,
  ): SendResult | undefined {
    mayNotRead = true
    if (repeat) return undefined
    const why = `An earlier attempt may have arrived. The bot cannot check, because it may not read the channel (${trouble.code}).`
    return { result: 'retry', why, uncertain: true, unanswered: true }
  }

  function place(): SlackPlace {
    return { channel: to, bot: bot ?? 'the bot', key: 'slack.token' }
  }

  async function placeWithName(client: webApi.WebClient): Promise<SlackPlace> {
    try {
      const { user } = await client.auth.test()
      if (user !== undefined) bot = `@${user}`
    } catch {
      // The name is a courtesy; the verdict stands without it.
    }
    return place()
  }

  function check(): Promise<CheckRow[]> {
    return checkBot(connect(new AbortController().signal), to, { pictures, hearing })
  }

  return {
    name,
    type: 'slack',
    paceMs,
    tryMs,
    isHeard: hearing !== undefined,
    get cannotVerifyDelivery() {
      return mayNotRead
    },
    get place() {
      return id ?? to
    },
    // If one channel has the name and another the id, both are one as soon as the name is looked up.
    get destination() {
      return id ?? to.toLowerCase()
    },
    send,
    edit: (message, receipt, signal) => editPosted(connect(signal), message, receipt, place()),
    linkTo: (receipt, signal) => permalinkOf(connect(signal), receipt),
    reply: (message, receipt, signal) => replyTo(connect(signal), message, receipt, place()),
    ...(pictures && {
      pictures: 'light',
      addPicture: (picture, receipt, signal) =>
        addToThread(picture, receipt, {
          client: connect(signal),
          place: place(),
          patience: { signal, timeoutMs },
        }),
    }),
    check,
    close: async () => {},
  }
}

/** `ts` names a message within its conversation. */
function receiptOf(place: string, ts: string | undefined): Receipt {
  return { place, ...(ts !== undefined && { id: ts }), text: `${place}/${ts ?? ''}` }
}
