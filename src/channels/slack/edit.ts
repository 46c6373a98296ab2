import type { webApi } from '@slack/bolt'
import type { Receipt } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import type { SendResult } from '../channel.ts'
import { withoutMentions } from '../mentions.ts'
import { formatSlack } from './format.ts'
import type { SlackPayload } from './payload.ts'
import { troubleOf } from './trouble.ts'
import { type SlackPlace, verdictOn } from './verdict.ts'

/** chat.update takes a channel's id, not its name. A message in a thread, too, is found by its own `ts`. */
export async function editPosted(
  client: webApi.WebClient,
  message: Message,
  receipt: Receipt,
  place: SlackPlace,
): Promise<SendResult> {
  if (receipt.place === undefined || receipt.id === undefined) return notNamed
  try {
    const changed = changeable(formatSlack(withoutMentions(message)))
    await client.chat.update({ channel: receipt.place, ts: receipt.id, ...changed })
    return { result: 'sent', receipt }
  } catch (error) {
    const trouble = troubleOf(error)
    const isLost = trouble.kind === 'refused' && unchangeable.has(trouble.code)
    return isLost
      ? { result: 'permanent', why: `Slack does not let the message be changed (${trouble.code}).` }
      : verdictOn(trouble, place)
  }
}

/** In the thread of what was posted, and not in the channel besides (`reply_broadcast`). */
export async function replyTo(
  client: webApi.WebClient,
  message: Message,
  receipt: Receipt,
  place: SlackPlace,
): Promise<SendResult> {
  const { place: channel, id, thread = id } = receipt
  if (channel === undefined || thread === undefined) return notNamed
  try {
    const payload = formatSlack(withoutMentions(message))
    const answer = await client.chat.postMessage({ channel, thread_ts: thread, ...payload })
    return { result: 'sent', receipt: { place: channel, thread, text: answer.ts ?? '' } }
  } catch (error) {
    return verdictOn(troubleOf(error), place)
  }
}

const notNamed: SendResult = {
  result: 'permanent',
  why: 'Slack did not say which message it is, so it cannot be changed.',
}

/** From the table of errors at https://docs.slack.dev/reference/methods/chat.update. */
const unchangeable = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed'])

/** What chat.update takes of what was posted. */
function changeable({ text, blocks, metadata, parse, link_names }: SlackPayload) {
  return { text, blocks, metadata, parse, link_names }
}
