import * as z from 'zod'
import { alertPath } from '../../config/console.ts'
import { isUnreached } from '../../event/outcome.ts'
import { fileNameOf } from '../../record/evidence/file.ts'
import type { ConsoleParts } from '../parts.ts'
import {
  type ActionRequest,
  type ConsoleReply,
  noSuchAlert,
  noSuchChannel,
  notFound,
  type PageRequest,
  problemPage,
} from '../reply.ts'
import { sentReceipt } from './alert.ts'

export async function acknowledge(
  { by, key, parameters: { id = '' } }: ActionRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const { result } = await control.acts.acknowledge({ by, key }, id)
  if (result === 'unknown') return noSuchAlert
  return { to: `${alertPath('', id)}?done=${result === 'done' ? 'acknowledged' : 'acknowledged-before'}` }
}

/** Leads to the message where it was sent. The provider is asked only now: nobody waits for it who reads the page. */
export async function openMessage(
  { parameters: { id = '', channel = '' } }: PageRequest,
  { control, messageAddress, onError }: ConsoleParts,
): Promise<ConsoleReply> {
  const stored = await control.event(id)
  if (stored === undefined) return noSuchAlert
  const receipt = sentReceipt(stored, channel)
  if (receipt === undefined) return noSuchMessage
  try {
    const address = await messageAddress(channel, receipt)
    return address === undefined ? noSuchMessage : { away: address }
  } catch (error) {
    onError(error)
    return problemPage(
      502,
      'The message cannot be opened now',
      'The provider did not return its address. Try again in a minute.',
    )
  }
}

const noSuchMessage = notFound('There is no message there that can be opened.')

const Channel = z.object({ channel: z.string().optional().catch(undefined) })

export async function sendAgain(
  { by, key, fields, parameters: { id = '' } }: ActionRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const { channel } = Channel.parse(fields)
  const stored = await parts.control.event(id)
  if (stored === undefined) return noSuchAlert
  if (channel === undefined || !parts.config().channels.some(({ name }) => name === channel)) {
    return noSuchChannel
  }
  const sentBefore: ConsoleReply = { to: `${alertPath('', id)}?done=sent-before` }
  // By an old page, or by somebody else meanwhile.
  if (!isUnreached(stored.outcomes[channel])) return sentBefore
  await parts.sendings.sendAgain({ by, key }, id, [channel])
  // Also if the act was there before: a process may have ended between the act and this.
  const isPending = await parts.sendAgain(id, channel)
  return isPending ? { to: `${alertPath('', id)}?done=sent-again` } : sentBefore
}

export async function evidence(
  id: string,
  { control }: ConsoleParts,
  signal: AbortSignal,
): Promise<ConsoleReply> {
  const made = await control.evidence(id, signal)
  return 'problem' in made
    ? notFound(`There can be no evidence: ${made.problem}.`)
    : { file: { name: fileNameOf(id), type: 'json', content: made.file } }
}
