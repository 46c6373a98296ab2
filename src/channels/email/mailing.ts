import type { Message } from '../../message/message.ts'
import { counted } from '../../platform/text.ts'
import type { Attempt, SendResult } from '../channel.ts'
import type { EmailAccount, EmailSettings, MailReaders, RestingReason } from './config.ts'
import { envelopeOf, formatEmail, messageRoot } from './format.ts'
import type { SmtpTransport } from './post.ts'
import {
  isOfMailbox,
  isUncertain,
  quoted,
  type SmtpVerdict,
  sendResult,
  sentence,
  verdict,
  where,
} from './verdict.ts'

export interface MailingParts {
  post: SmtpTransport
  account: EmailAccount
  channel: EmailSettings
  readers: MailReaders
  unsubscribeAt: string | undefined
}

/** Where one message stands with all its recipients. */
interface MailRound {
  parts: MailingParts
  message: Message
  resting: ReadonlyMap<string, RestingReason>
}

/**
 * Sends the next mail: each recipient's is one of its own, and a try. What is done is written down before
 * the next begins, so that a process which ends leaves one mail uncertain at the most. Never throws.
 */
export async function mailNext(parts: MailingParts, message: Message, attempt: Attempt): Promise<SendResult> {
  const progress = progressOf(attempt.progress)
  const resting = await restingOf(parts)
  if (resting === undefined) {
    const why = 'The list of unsubscribed readers cannot be read from the store'
    return { result: 'retry', why, uncertain: false, progress: attempt.progress }
  }
  const round: MailRound = { parts, message, resting }
  const pending = pendingOf(round, progress)
  const next = pending.find((address) => !progress.later.has(address)) ?? pending[0]
  if (next === undefined) return endOf(round, progress)
  const result = await mailOne(round, next, { attempt, progress })
  const arrived = result.result === 'retry' && progressOf(result.progress ?? []).has.size > 0
  return arrived ? { ...result, arrived } : result
}

/** Undefined if it cannot be read. */
function restingOf({ readers, channel, account }: MailingParts) {
  const place = { channel: channel.name, server: where(account.smtp) }
  return readers.resting(place, channel.to).catch(() => undefined)
}

async function mailOne(
  round: MailRound,
  address: string,
  { attempt, progress }: { attempt: Attempt; progress: MailProgress },
): Promise<SendResult> {
  const { post, account, channel, readers, unsubscribeAt } = round.parts
  const token = unsubscribeAt === undefined ? undefined : await readers.token(channel.name, address)
  const payload = formatEmail(round.message, {
    ...envelopeOf(account, channel, address),
    ...(token === undefined ? {} : { unsubscribe: `${unsubscribeAt}${token}` }),
    ...(attempt.picture && { picture: attempt.picture }),
  })
  const posted = await post.send(payload, attempt.signal)
  if (posted.isAccepted) {
    await readers.accepted(address)
    return onward(round, withOne(progress, 'has', address))
  }
  const { failure, bodyBegun } = posted
  if (attempt.signal.aborted) {
    const why = 'Bluepencil stopped while it was sending the mail'
    const cut = sendResult({ about: 'server', result: 'retry', why }, bodyBegun, linesOf(progress))
    return orWithout(round, { address, progress }, cut)
  }
  const reading = verdict(failure, account)
  const what = markOf(reading, failure.responseCode, bodyBegun)
  if (what === undefined) {
    const again = sendResult(reading, isUncertain(failure, bodyBegun), linesOf(progress))
    return orWithout(round, { address, progress }, again)
  }
  if (what !== 'rejected' || !isOfMailbox(failure))
    return onward(round, withOne(progress, what, address), reading)
  await readers.refused({ address, server: where(account.smtp), said: quoted(failure, account) })
  const resting = (await restingOf(round.parts)) ?? round.resting
  return onward({ ...round, resting }, withOne(progress, 'refused', address), reading)
}

/** A reader whose mail is never answered does not keep it from the others. */
function orWithout(
  round: MailRound,
  { address, progress }: { address: string; progress: MailProgress },
  result: SendResult,
): SendResult {
  if (result.result !== 'retry' || result.unanswered !== true) return result
  const without = withOne(progress, 'unanswered', address)
  const areOthers = without.has.size > 0 || pendingOf(round, without).length > 0
  return areOthers ? { ...result, without: linesOf(without) } : result
}

/** What a failure says of the one recipient; undefined if it is about more than that. */
function markOf(
  { about, result }: SmtpVerdict,
  code: number | undefined,
  bodyBegun: boolean,
): 'rejected' | 'later' | undefined {
  if (about !== 'recipients' && about !== 'message') return undefined
  if (result === 'permanent') return 'rejected'
  // The server is closing the connection, for every mail (RFC 5321, 3.8).
  if (code === 421) return undefined
  // What a server says of one reader's mail, when it has it, holds up no other's. Without an answer nothing is known.
  return about === 'recipients' || (bodyBegun && code !== undefined) ? 'later' : undefined
}

/** The next recipient, or the end of this round. */
function onward(round: MailRound, progress: MailProgress, reading?: SmtpVerdict): SendResult {
  const { to } = round.parts.channel
  const pending = pendingOf(round, progress)
  if (pending.length === 0) return endOf(round, progress, reading)
  const done = to.length - pending.length
  if (pending.some((address) => !progress.later.has(address))) {
    return {
      result: 'more',
      why: `${done} of ${to.length} readers have it so far`,
      progress: linesOf(progress),
    }
  }
  const all = `${where(round.parts.account.smtp)} does not accept mail for ${pending.length} of ${to.length} addresses yet: ${pending.join(', ')}`
  const why = [...(pending.length > 1 ? [all] : []), reading?.why ?? all].join('. The last answer: ')
  return { result: 'retry', why: sentence(why), uncertain: false, progress: linesOf(anew(progress)) }
}

function pendingOf(
  { parts, resting }: MailRound,
  { has, refused, rejected, unanswered }: MailProgress,
): string[] {
  const done = [has, refused, rejected, unanswered, resting]
  return parts.channel.to.filter((address) => !done.some((those) => those.has(address)))
}

/**
 * What became of a message when nobody is left to be tried. A refused address is reported by who remembers it, once;
 * that this mail was refused is a remark.
 */
function endOf(
  { parts, message, resting }: MailRound,
  progress: MailProgress,
  reading?: SmtpVerdict,
): SendResult {
  const { name, to } = parts.channel
  const has = to.filter((address) => progress.has.has(address))
  const without = to.filter((address) => !progress.has.has(address))
  const left = without.flatMap((address) => {
    const rest = resting.get(address)
    return rest === undefined ? [] : [`${address} ${inWords(rest)}`]
  })
  const rejected = without.filter((address) => progress.rejected.has(address))
  const refused = without.filter((address) => progress.refused.has(address) && !resting.has(address))
  const unanswered = without.filter((address) => progress.unanswered.has(address))
  const others = [
    ...refused.map((address) => `the server rejects ${address}`),
    ...rejected.map((address) => `the server rejects this mail for ${address}`),
    ...unanswered.map((address) => `the server never confirmed a mail to ${address}`),
  ]
  if (has.length > 0 || to.length === 0) {
    const root = messageRoot(message, name)
    const text = [`${root} to ${has.length} of ${to.length}`, ...left, ...others].join('; ')
    const remarks = [
      ...(rejected.length > 0
        ? [`the server rejects this mail for ${rejected.join(', ')}${because(reading)}`]
        : []),
      ...(unanswered.length > 0
        ? [
            `the server did not confirm the mail to ${unanswered.join(', ')}. It may have arrived, so it is not sent again`,
          ]
        : []),
    ]
    return {
      result: 'sent',
      receipt: { id: root, text },
      ...(remarks.length > 0 && { remark: sentence(remarks.join('; ')) }),
    }
  }
  const areAllAway = to.every((address) => resting.get(address)?.why === 'unsubscribed')
  if (areAllAway) {
    const who = to.length === 1 ? 'The only reader has' : `All ${counted(to.length, 'reader')} have`
    return { result: 'unwanted', why: `${who} unsubscribed` }
  }
  const why = reading?.why ?? [...left, ...others].join('; ')
  return { result: 'permanent', why: sentence(`no reader can get this mail: ${why}`) }
}

function inWords(rest: RestingReason): string {
  return rest.why === 'unsubscribed'
    ? `unsubscribed on ${rest.since}`
    : `rejected by the server since ${rest.since} (${rest.said}), next attempt after ${rest.until}`
}

function because(reading: SmtpVerdict | undefined): string {
  return reading === undefined ? '' : `: ${reading.why}`
}

/** What became of each recipient of one message. An address has no colon, so that a mark is never taken for one. */
interface MailProgress {
  /** Have their copy. */
  has: ReadonlySet<string>
  /** The server refuses them: no such mailbox. */
  refused: ReadonlySet<string>
  /** The server refuses this mail for them, and perhaps not the next. */
  rejected: ReadonlySet<string>
  /** No try was answered: they may have it, and get no further copy. */
  unanswered: ReadonlySet<string>
  /** Put off: the others come first. */
  later: ReadonlySet<string>
}

type RecipientMark = 'refused' | 'rejected' | 'unanswered' | 'later'

function progressOf(lines: readonly string[]): MailProgress {
  const marked = (mark: RecipientMark) =>
    new Set(lines.flatMap((line) => (line.startsWith(`${mark}:`) ? [line.slice(mark.length + 1)] : [])))
  return {
    has: new Set(lines.filter((line) => !line.includes(':'))),
    refused: marked('refused'),
    rejected: marked('rejected'),
    unanswered: marked('unanswered'),
    later: marked('later'),
  }
}

function linesOf({ has, refused, rejected, unanswered, later }: MailProgress): string[] {
  const marked = (mark: RecipientMark, addresses: ReadonlySet<string>) =>
    [...addresses].map((address) => `${mark}:${address}`)
  return [
    ...has,
    ...marked('refused', refused),
    ...marked('rejected', rejected),
    ...marked('unanswered', unanswered),
    ...marked('later', later),
  ]
}

function withOne(progress: MailProgress, what: keyof MailProgress, address: string): MailProgress {
  const later = new Set([...progress.later].filter((other) => other !== address))
  return { ...progress, later, [what]: new Set([...(what === 'later' ? later : progress[what]), address]) }
}

/** The next round: those who were put off are tried again. */
function anew(progress: MailProgress): MailProgress {
  return { ...progress, later: new Set() }
}
