import type { webApi } from '@slack/bolt'
import { minuteMs } from '../../durations.ts'
import type { Attempt, Channel, CheckResult, SendResult } from '../channel.ts'
import { rememberEarlier } from '../earlier.ts'
import type { Message } from '../message.ts'
import { checkBot } from './check.ts'
import { type Author, findConversation, findPosted, isConversationId, whoWeAre } from './conversations.ts'
import { formatSlack, metadataId } from './format.ts'
import type { SlackPayload } from './payload.ts'
import { type Trouble, troubleOf } from './trouble.ts'
import { doesPass, isOfTheToken, type SlackPlace, verdictOn } from './verdict.ts'

export interface BotChannel {
  name: string
  /** `#ai-desk` or an id. */
  to: string
  paceMs: number
  /** A client whose calls end with the signal. */
  connect: (signal: AbortSignal) => webApi.WebClient
}

/** A search may take several requests, each with its own time-out, before the message is posted. */
const tryMs = 10 * minuteMs

/** A channel that a bot posts into. */
export function openBot({ name, to, paceMs, connect }: BotChannel): Channel {
  /** Reading and finding again need an id; a name is looked up once. */
  let id = isConversationId(to) ? to : undefined
  let bot: string | undefined
  let author: Author | undefined
  /** Slack does not let the bot read the channel. */
  let blind = false
  const earlier = rememberEarlier()

  async function send(message: Message, attempt: Attempt): Promise<SendResult> {
    const client = connect(attempt.signal)
    const mark = metadataId(message.id)
    const found = attempt.uncertain ? await lookForEarlier(client, mark, attempt.repeat === true) : undefined
    const result = found ?? (await post(client, message, mark))
    if (result.result !== 'retry' || !result.uncertain) earlier.isCertain(mark)
    return result
  }

  async function post(client: webApi.WebClient, message: Message, mark: string): Promise<SendResult> {
    earlier.trying(mark)
    try {
      const answer = await client.chat.postMessage({ channel: id ?? to, ...formatSlack(message) })
      id = answer.channel ?? id
      if (answer.ts !== undefined) earlier.posted(answer.ts)
      return { result: 'sent', receipt: receipt(id ?? to, answer.ts) }
    } catch (error) {
      const trouble = troubleOf(error)
      const wantsName =
        trouble.kind === 'refused' && /^(not_in_channel|channel_not_found)$/.test(trouble.code)
      return verdictOn(trouble, wantsName ? await placeWithName(client) : place())
    }
  }

  /** chat.update takes no name of a channel, and gives no reader a sound: the alert rang when it came. */
  async function complete(message: Message, written: string, signal: AbortSignal): Promise<SendResult> {
    const [, channel, ts] = /^([A-Z0-9]+)\/(\d+\.\d+)/.exec(written) ?? []
    if (channel === undefined || ts === undefined) return cannotFind
    try {
      await connect(signal).chat.update({ channel, ts, ...changeable(formatSlack(message)) })
      return { result: 'sent', receipt: written }
    } catch (error) {
      const trouble = troubleOf(error)
      const isLost = trouble.kind === 'refused' && unchangeable.has(trouble.code)
      return isLost
        ? { result: 'permanent', why: `Slack does not let the message be changed (${trouble.code}).` }
        : verdictOn(trouble, place())
    }
  }

  /**
   * Answers `sent` where an earlier try did arrive, and `retry` where the search failed in a way that passes. Where
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
      const search = { mark, after: earlier.after(mark), author }
      const { found, newest } = await findPosted(client, channel, search)
      blind = false
      if (found !== undefined) return { result: 'sent', receipt: receipt(channel, found) }
      earlier.isAbsent(mark, newest)
      return undefined
    } catch (error) {
      const trouble = troubleOf(error)
      if (trouble.kind !== 'refused' || doesPass(trouble)) {
        return { ...verdictOn(trouble, place()), result: 'retry', uncertain: true, unanswered: false }
      }
      return isOfTheToken(trouble.code) ? verdictOn(trouble, place()) : cannotRead(trouble, repeat)
    }
  }

  function cannotRead(trouble: Trouble & { kind: 'refused' }, repeat: boolean): SendResult | undefined {
    blind = true
    if (repeat) return undefined
    const why = `An earlier try may have arrived, and Slack does not let the bot read the channel (${trouble.code}).`
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

  function check(): Promise<CheckResult[]> {
    return checkBot(connect(new AbortController().signal), to)
  }

  return {
    name,
    type: 'slack',
    paceMs,
    tryMs,
    get blind() {
      return blind
    },
    // Where one channel is named and another has the id, both are one as soon as the name is looked up.
    get destination() {
      return id ?? to.toLowerCase()
    },
    send,
    complete,
    check,
    close: async () => {},
  }
}

const cannotFind: SendResult = {
  result: 'permanent',
  why: 'Slack did not say which message it is, so it cannot be changed.',
}

/** From the table of errors at https://docs.slack.dev/reference/methods/chat.update. */
const unchangeable = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed'])

/** What chat.update takes of what was posted. */
function changeable({ text, blocks, metadata, parse, link_names }: SlackPayload) {
  return { text, blocks, metadata, parse, link_names }
}

/** `C0123456789/1700000000.000100`: what names a message in Slack. */
function receipt(channel: string, ts: string | undefined): string {
  return `${channel}/${ts ?? ''}`
}
