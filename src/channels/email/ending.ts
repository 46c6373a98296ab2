import type { Message } from '../../message/message.ts'
import { counted } from '../../platform/text.ts'
import type { SendResult } from '../channel.ts'
import type { EmailSettings } from './config.ts'
import { messageRoot } from './format.ts'
import type { MailProgress } from './progress.ts'
import type { RestingReason } from './readers.ts'
import { type SmtpVerdict, sentence } from './verdict.ts'

interface FinishedMail {
  parts: { channel: EmailSettings }
  message: Message
  resting: ReadonlyMap<string, RestingReason>
}

/**
 * What became of a message when nobody is left to be tried. A refused address is reported by who remembers it, once;
 * that this mail was refused is a remark.
 */
export function endOf(
  { parts, message, resting }: FinishedMail,
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
    ...refused.map((address) => `${address} is refused`),
    ...rejected.map((address) => `this mail is refused for ${address}`),
    ...unanswered.map((address) => `no mail to ${address} was answered`),
  ]
  if (has.length > 0 || to.length === 0) {
    const root = messageRoot(message, name)
    const text = [`${root} to ${has.length} of ${to.length}`, ...left, ...others].join('; ')
    const remarks = [
      ...(rejected.length > 0 ? [`this mail is refused for ${rejected.join(', ')}${because(reading)}`] : []),
      ...(unanswered.length > 0
        ? [
            `no mail to ${unanswered.join(', ')} was answered: it may have arrived, and is not sent there again`,
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
  return { result: 'permanent', why: sentence(`nobody on the list can be sent it: ${why}`) }
}

function inWords(rest: RestingReason): string {
  return rest.why === 'unsubscribed'
    ? `unsubscribed on ${rest.since}`
    : `is refused since ${rest.since} (${rest.said}) and tried again after ${rest.until}`
}

function because(reading: SmtpVerdict | undefined): string {
  return reading === undefined ? '' : `: ${reading.why}`
}
