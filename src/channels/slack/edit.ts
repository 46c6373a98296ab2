import type { webApi } from '@slack/bolt'
import type { Receipt } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import { isLoopback } from '../../platform/outbound/address.ts'
import { cut } from '../../platform/text.ts'
import type { Picture, SendResult } from '../channel.ts'
import { withoutMentions } from '../mentions.ts'
import { formatSlack, type SlackPayload } from './format.ts'
import { type ExchangeTimeout, exchange, SlackTrouble, troubleOf } from './transport.ts'
import { type SlackPlace, verdictOn } from './verdict.ts'

/** chat.update accepts a channel's id, not its name. A message in a thread, too, is found by its own `ts`. */
export async function editPosted(
  client: webApi.WebClient,
  message: Message,
  receipt: Receipt,
  place: SlackPlace,
): Promise<SendResult> {
  if (receipt.place === undefined || receipt.id === undefined) return notNamed('it cannot be changed')
  try {
    const changed = changeable(formatSlack(withoutMentions(message)))
    await client.chat.update({ channel: receipt.place, ts: receipt.id, ...changed })
    return { result: 'sent', receipt }
  } catch (error) {
    const trouble = troubleOf(error)
    const isLost = trouble.kind === 'refused' && unchangeable.has(trouble.code)
    return isLost
      ? { result: 'permanent', why: `Slack does not let Bluepencil edit the message (${trouble.code}).` }
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
  if (channel === undefined || thread === undefined) return notNamed('nothing can be added to it')
  try {
    const payload = formatSlack(withoutMentions(message))
    const answer = await client.chat.postMessage({ channel, thread_ts: thread, ...payload })
    return { result: 'sent', receipt: { place: channel, thread, text: answer.ts ?? '' } }
  } catch (error) {
    return verdictOn(troubleOf(error), place)
  }
}

function notNamed(consequence: 'it cannot be changed' | 'nothing can be added to it'): SendResult {
  return { result: 'permanent', why: `Slack did not return the id of the message, so ${consequence}.` }
}

/** From the table of errors at https://docs.slack.dev/reference/methods/chat.update. */
const unchangeable = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed'])

/** What chat.update accepts of what was posted. */
function changeable({ text, blocks, metadata, parse, link_names }: SlackPayload) {
  return { text, blocks, metadata, parse, link_names }
}

/** Characters; Slack's own limit is not documented. */
const mostAlt = 1_000

interface PictureParts {
  client: webApi.WebClient
  place: SlackPlace
  patience: ExchangeTimeout
}

/**
 * Uploads the picture and shows it in the thread of the message, in three requests
 * (https://docs.slack.dev/messaging/working-with-files#uploading_files). Only the last of them shows anything: what fails
 * before may be tried again.
 */
export async function addToThread(
  { png, title, alt }: Picture,
  receipt: Receipt,
  { client, place, patience }: PictureParts,
): Promise<SendResult> {
  const { place: channel_id, id, thread = id } = receipt
  if (channel_id === undefined || thread === undefined) return notNamed('nothing can be added to it')
  let fileId: string
  try {
    const words = cut(alt, mostAlt, (text) => text.length)
    // Slack's reference has the one name, its client the other.
    const described = { alt_text: words, alt_txt: words }
    const file = { filename: 'chart.png', length: png.length, ...described }
    const { upload_url: url, file_id } = await client.files.getUploadURLExternal(file)
    if (url === undefined || file_id === undefined || !isProtected(url)) return notSlack
    await upload(url, png, patience)
    fileId = file_id
  } catch (error) {
    const result = verdictOn(troubleOf(error), place)
    return result.result === 'retry' ? { ...result, uncertain: false } : result
  }
  try {
    const files: [{ id: string; title: string }] = [{ id: fileId, title }]
    await client.files.completeUploadExternal({ files, channel_id, thread_ts: thread })
    return { result: 'sent', receipt }
  } catch (error) {
    return verdictOn(troubleOf(error), place)
  }
}

/** The address is for this one file, and needs no token. */
async function upload(url: string, png: Uint8Array, patience: ExchangeTimeout): Promise<void> {
  const headers = { 'content-type': 'image/png' }
  const { status } = await exchange(url, { method: 'POST', headers, body: new Uint8Array(png) }, patience)
  if (status !== 200) throw new SlackTrouble({ kind: 'status', status })
}

function isProtected(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? { protocol: '', hostname: '' }
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

const notSlack: SendResult = {
  result: 'permanent',
  why: 'Slack returned no address for the upload of the picture.',
}

/** Needs no scope (https://docs.slack.dev/reference/methods/chat.getPermalink). */
export async function permalinkOf(
  client: webApi.WebClient,
  { place, id }: Receipt,
): Promise<string | undefined> {
  if (place === undefined || id === undefined) return undefined
  const { permalink } = await client.chat.getPermalink({ channel: place, message_ts: id })
  return permalink?.startsWith('https://') === true ? permalink : undefined
}
