import * as z from 'zod'
import { cut, oneLine } from '../../platform/text.ts'
import type { SendResult } from '../channel.ts'
import type { EmailAccount, SmtpServer } from './config.ts'

/** What is read of the errors that Nodemailer hands out (its ERROR_CODES, and the server's reply). */
const Reply = z.object({
  message: z.string().default(''),
  code: z.string().optional(),
  /** The code of the system or of OpenSSL behind Nodemailer's own. */
  originalCode: z.string().optional(),
  /** The SMTP command that was refused; `CONN` if it was the connection. */
  command: z.string().optional(),
  responseCode: z.number().optional(),
  response: z.string().optional(),
  recipient: z.string().optional(),
})
export const SmtpFailure = Reply.extend({ rejectedErrors: z.array(Reply).default([]) })
export type SmtpFailure = z.infer<typeof SmtpFailure>

/** What the trouble is about, and whether it passes by itself, concerns this mail, or needs a person. */
export interface SmtpVerdict {
  about: 'user' | 'TLS' | 'server' | 'sender' | 'recipients' | 'message'
  result: 'retry' | 'permanent' | 'blocked'
  /** A sentence for people, without a secret. */
  why: string
}

/** Reads an error that ended a whole try. Anything unknown is tried again. */
export function verdict(failure: SmtpFailure, account: EmailAccount): SmtpVerdict {
  return (
    login(failure, account) ??
    encryption(failure, account.smtp) ??
    refused(failure, account) ?? {
      about: 'server',
      result: 'retry',
      why: `${where(account.smtp)} cannot be reached, or the connection broke: ${quoted(failure, account)}`,
    }
  )
}

/** An answer of 5xx is for good (RFC 5321, 4.2.1), except 503: that is the session, not the mail. */
function isPermanent(code: number | undefined): boolean {
  return code !== undefined && code >= 500 && code < 600 && code !== 503
}

/** Of addressing and of mailboxes (RFC 3463, 3.2 and 3.3), without what is about the sender or the size of this mail. */
const ofMailbox = new Set(['1.0', '1.1', '1.2', '1.3', '1.4', '1.6', '1.10', '2.0', '2.1', '2.2', '2.4'])

/**
 * Whether a refusal is about the mailbox, so it applies to the next mail too. Its enhanced code shows that, or else a code
 * for mailboxes in answer to RCPT. 5.7 is policy: it is about us.
 */
export function isOfMailbox({ command, rejectedErrors, response, responseCode }: SmtpFailure): boolean {
  if (command === 'MAIL FROM') return false
  const [reply = { response, responseCode }] = rejectedErrors
  const { response: text = '', responseCode: code = 0 } = reply
  const detail = /^\d{3}[ -]5\.(\d{1,3}\.\d{1,3})\b/.exec(text)?.[1]
  if (detail !== undefined) return ofMailbox.has(detail)
  return command === 'RCPT TO' && [550, 551, 552, 553, 556].includes(code)
}

/** A try without the server's answer to the mail's end may have reached the reader. */
export function isUncertain(failure: SmtpFailure, bodyBegun: boolean): boolean {
  return bodyBegun && failure.responseCode === undefined
}

/** What the server said, in one short line and with the password struck out, should it repeat it. */
export function quoted(
  reply: { message: string; response?: string | undefined },
  account: EmailAccount,
): string {
  const line = oneLine(reply.response ?? reply.message)
  return cut(
    secretsOf(account.smtp).reduce((text, secret) => text.replaceAll(secret, '***'), line),
    200,
  )
}

function login(failure: SmtpFailure, account: EmailAccount): SmtpVerdict | undefined {
  const code = failure.responseCode
  const needsLogin = code !== undefined && [530, 534, 535, 538].includes(code)
  if (failure.code !== 'EAUTH' && !needsLogin) return undefined
  const answer = quoted(failure, account)
  if (failure.code === 'EAUTH' && code !== undefined && !isPermanent(code)) {
    return {
      about: 'user',
      result: 'retry',
      why: `${where(account.smtp)} cannot check the password now: ${answer}`,
    }
  }
  const advice =
    account.smtp.auth === undefined
      ? `${where(account.smtp)} asks for a user and a password; add them to email.smtp`
      : `${where(account.smtp)} rejects the user or the password in email.smtp; correct them (some providers need an app password)`
  return { about: 'user', result: 'blocked', why: `${advice}: ${answer}` }
}

function encryption(failure: SmtpFailure, server: SmtpServer): SmtpVerdict | undefined {
  const blocked = (why: string): SmtpVerdict => ({
    about: 'TLS',
    result: 'blocked',
    why: `${where(server)} ${why}`,
  })
  const upgrade = failure.code === 'ETLS' || (failure.code === 'ECONNECTION' && failure.command === 'EHLO')
  if (upgrade && isPermanent(failure.responseCode)) {
    return blocked(
      'offers no encryption (STARTTLS); write smtps:// and its port in email.smtp, or email.requireTls: false to send mail unencrypted',
    )
  }
  const cause = failure.originalCode ?? failure.code ?? ''
  if (cause === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return blocked('has a certificate for another name; write that name in email.smtp')
  }
  if (cause === 'CERT_HAS_EXPIRED') return blocked('has a certificate that has expired; have it renewed')
  if (
    /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/.test(cause)
  ) {
    return blocked(
      `has a certificate that cannot be verified (${cause}); if a private authority signed it, name the authority’s certificate file in email.ca${
        server.secure ? '' : ', or write email.requireTls: false to send mail unprotected'
      }`,
    )
  }
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(cause) && server.secure) {
    return blocked('does not begin with TLS; write smtp:// instead of smtps:// to use STARTTLS')
  }
  if (
    /^ERR_SSL_(UNSUPPORTED_PROTOCOL|NO_PROTOCOLS|.*ALERT_(PROTOCOL_VERSION|HANDSHAKE_FAILURE))/.test(cause)
  ) {
    return blocked(
      `and this program have no version or cipher of TLS in common (${cause}); the server needs TLS 1.2 or newer`,
    )
  }
  return undefined
}

function refused(failure: SmtpFailure, account: EmailAccount): SmtpVerdict | undefined {
  const answer = quoted(failure, account)
  const server = where(account.smtp)
  if (failure.code !== 'EENVELOPE' && failure.code !== 'EMESSAGE') return undefined
  const permanent = isPermanent(failure.responseCode)
  if (failure.command === 'MAIL FROM' && permanent && failure.responseCode !== 552) {
    return {
      about: 'sender',
      result: 'blocked',
      why: `${server} does not let you send as ${account.from.address}; write an address that it allows in email.from: ${answer}`,
    }
  }
  if (failure.command === 'RCPT TO' && failure.rejectedErrors.length > 0) {
    const all = failure.rejectedErrors.every(({ responseCode }) => isPermanent(responseCode))
    return {
      about: 'recipients',
      result: all ? 'permanent' : 'retry',
      why: `${server} does not accept mail for ${refusals(failure.rejectedErrors, account)}${all ? '' : ' yet'}`,
    }
  }
  const tooLarge =
    failure.code === 'EMESSAGE' && failure.responseCode === undefined && failure.command === 'MAIL FROM'
  if (permanent || tooLarge)
    return { about: 'message', result: 'permanent', why: `${server} rejects this mail: ${answer}` }
  return {
    about: 'message',
    result: 'retry',
    why: `${server} does not accept the mail at the moment: ${answer}`,
  }
}

function refusals(errors: SmtpFailure['rejectedErrors'], account: EmailAccount): string {
  return errors.map((error) => `${error.recipient ?? 'an address'} (${quoted(error, account)})`).join(', ')
}

export function where({ host, port }: SmtpServer): string {
  return `the mail server ${host.includes(':') ? `[${host}]` : host}:${port}`
}

function secretsOf({ auth }: SmtpServer): string[] {
  if (auth === undefined) return []
  const { user, pass } = auth
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [base64(`\0${user}\0${pass}`), base64(pass), encodeURIComponent(pass), pass]
}

/** The same as an answer of `send`. */
export function sendResult(reading: SmtpVerdict, uncertain: boolean, progress: string[]): SendResult {
  const why = sentence(reading.why)
  if (reading.result !== 'retry') return { result: reading.result, why }
  return {
    result: 'retry',
    why,
    uncertain,
    ...(uncertain && { unanswered: true }),
    ...(progress.length === 0 ? {} : { progress }),
  }
}

export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
