import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type * as nodemailer from 'nodemailer'
import type { Attempt, Channel, SendResult } from '../channel.ts'
import type { Message } from '../message.ts'
import { findings } from './check.ts'
import type { EmailAccount, EmailSettings } from './config.ts'
import { type EmailPayload, formatEmail } from './format.ts'
import { followPhases, type Phases } from './phases.ts'
import { hurried, type Limits, transportOptions, usualLimits } from './transport.ts'
import {
  isPermanent,
  isUncertain,
  refusals,
  SmtpFailure,
  sendResult,
  sentence,
  verdict,
  where,
} from './verdict.ts'

/**
 * The e-mail channels of one account; they share a pool of connections. Throws where the account is missing or
 * its `ca` cannot be read: a person must correct the configuration. Nodemailer is loaded only here.
 */
export async function openEmail(
  account: EmailAccount | undefined,
  channels: EmailSettings[],
  limits: Limits = usualLimits,
): Promise<Channel[]> {
  const first = channels[0]
  if (first === undefined) return []
  if (account === undefined) {
    throw new Error(`the channel ${first.name} is of type email; write email: with smtp and from`)
  }
  const ca = account.ca === undefined ? undefined : await readAuthority(account.ca)
  const post = await openPost(account, ca, limits, channels.length)
  return channels.map((channel) => ({
    name: channel.name,
    type: 'email',
    paceMs,
    tryMs: limits.before + limits.data + limits.answer + spareMs,
    blind: true,
    pictures: channel.pictures === true ? 'light' : undefined,
    send: (message, attempt) => send(post, account, channel, message, attempt),
    check: () => findings(account, channel.to, post.verify),
    close: post.leave,
  }))
}

/** Few servers take offence at four mails a second; one that does answers 421 or 450, which is obeyed. */
const paceMs = 250

/** What a try takes beside its parts. */
const spareMs = 5_000

/** What one try on the wire came to. */
type Posted =
  | { accepted: 'some'; refused: SmtpFailure['rejectedErrors'] }
  | { accepted: 'none'; failure: SmtpFailure; bodyBegun: boolean }

interface Post {
  /** Sends one mail to some of its recipients. Never throws. */
  send(payload: EmailPayload, to: readonly string[], signal: AbortSignal): Promise<Posted>
  /** Connects, and logs in where the account has a user, with other options of TLS where given. */
  verify(tls: { requireTLS?: boolean }): Promise<SmtpFailure | undefined>
  /** One channel less; the last one closes the connections. */
  leave(): Promise<void>
}

/** Nodemailer's other form imports node:http, which costs megabytes: see src/server/http.ts. */
const require = createRequire(import.meta.url)

async function openPost(
  account: EmailAccount,
  ca: string | undefined,
  limits: Limits,
  users: number,
): Promise<Post> {
  const { createTransport }: typeof nodemailer = require('nodemailer')
  const options = transportOptions(account, ca, limits)
  // A connection that the server closed while it was idle is replaced once; that is no try of the mail.
  const pool = createTransport({ ...options, pool: true, maxConnections: 3, maxRequeues: 1 })
  // What is wrong with a connection reaches the mails that were on it; unheard, it would end the process.
  pool.on('error', () => {})
  const tries = new WeakMap<object, Phases>()
  pool.use('stream', (mail, done) => {
    mail.message.processFunc((body) => {
      if (mail.data.headers !== undefined) tries.get(mail.data.headers)?.follow(body)
      return body
    })
    done()
  })
  let left = users
  return {
    async send(payload, to, signal) {
      const headers = { ...payload.headers }
      const phases = followPhases(limits)
      tries.set(headers, phases)
      try {
        const info = await pool.sendMail({
          ...payload,
          headers,
          envelope: { from: account.from.address, to: [...to] },
          signal: AbortSignal.any([signal, phases.signal]),
        })
        return { accepted: 'some', refused: (info.rejectedErrors ?? []).map(failureOf) }
      } catch (error) {
        const slow = phases.tooSlow()
        const failure = slow === undefined ? failureOf(error) : { message: slow, rejectedErrors: [] }
        return { accepted: 'none', failure, bodyBegun: phases.isBodyBegun() }
      } finally {
        phases.end()
      }
    },
    async verify(tls) {
      const probe = createTransport({ ...transportOptions(account, ca, hurried(limits)), ...tls })
      try {
        await probe.verify()
        return undefined
      } catch (error) {
        return failureOf(error)
      } finally {
        probe.close()
      }
    },
    async leave() {
      left -= 1
      if (left === 0) pool.close()
    },
  }
}

async function send(
  post: Post,
  account: EmailAccount,
  channel: EmailSettings,
  message: Message,
  attempt: Attempt,
): Promise<SendResult> {
  const { from, replyTo } = account
  const payload = formatEmail(message, {
    from,
    ...(replyTo === undefined ? {} : { replyTo }),
    to: channel.to,
    channel: channel.name,
    domain: from.address.slice(from.address.lastIndexOf('@') + 1),
    ...(attempt.picture && { picture: attempt.picture }),
  })
  const has = channel.to.filter((address) => attempt.progress.includes(address))
  const owed = channel.to.filter((address) => !has.includes(address))
  const sent = (remark?: string, refused = 0): SendResult => ({
    result: 'sent',
    receipt: {
      id: payload.messageId,
      text: `${payload.messageId} to ${channel.to.length - refused} of ${channel.to.length}`,
    },
    ...(remark === undefined ? {} : { remark }),
  })
  if (owed.length === 0) return sent()

  const posted = await post.send(payload, owed, attempt.signal)
  if (posted.accepted === 'none') {
    if (attempt.signal.aborted) {
      return sendResult(
        { about: 'server', result: 'retry', why: 'the try was ended while the mail was on its way' },
        posted.bodyBegun,
        has,
      )
    }
    const reading = verdict(posted.failure, account)
    // The others have their copy, and these will never take theirs: that is as far as this mail can get.
    if (reading.result === 'permanent' && has.length > 0) return sent(sentence(reading.why), owed.length)
    return sendResult(reading, isUncertain(posted.failure, posted.bodyBegun), has)
  }

  const { refused } = posted
  if (refused.length === 0) return sent()
  const why = `${where(account.smtp)} refuses ${refused.length} of ${channel.to.length} addresses: ${refusals(refused, account)}`
  if (refused.every(({ responseCode }) => isPermanent(responseCode)))
    return sent(sentence(why), refused.length)
  const without = new Set(refused.map(({ recipient }) => recipient?.toLowerCase()))
  const took = owed.filter((address) => !without.has(address.toLowerCase()))
  return sendResult({ about: 'recipients', result: 'retry', why }, false, [...has, ...took])
}

function failureOf(error: unknown): SmtpFailure {
  const parsed = SmtpFailure.safeParse(error)
  return parsed.success ? parsed.data : { message: String(error), rejectedErrors: [] }
}

async function readAuthority(file: string): Promise<string> {
  try {
    const pem = await readFile(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch (cause) {
    throw new Error(`email.ca: ${file} is not a file with a certificate in PEM form that can be read`, {
      cause,
    })
  }
}
