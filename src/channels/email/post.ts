import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import type * as nodemailer from 'nodemailer'
import { minuteMs } from '../../platform/durations.ts'
import { counted } from '../../platform/text.ts'
import type { EmailAccount } from './config.ts'
import type { EmailPayload } from './format.ts'
import { SmtpFailure } from './verdict.ts'

/** How long the parts of a try may take, in milliseconds. */
export interface SmtpTimeouts {
  /** From the look-up of the name to the greeting, TLS included. */
  connect: number
  greeting: number
  /** Silence of the server, in any part. */
  silence: number
  /** All before the body: greeting, TLS, login, MAIL, RCPT and DATA. */
  before: number
  /** Until the whole body is sent. */
  data: number
  /** From the final dot to its answer. */
  answer: number
}

/**
 * RFC 5321, 4.5.3.2. It allows five minutes for the greeting, MAIL and each RCPT, and two for DATA. A block of the body has three
 * (ours is one or two blocks), the answer to the final dot ten. We have one limit for everything before the body: if a
 * server needs more than 15 minutes for that, we try again.
 */
export const usualLimits: SmtpTimeouts = {
  connect: 5 * minuteMs,
  greeting: 5 * minuteMs,
  silence: 11 * minuteMs,
  before: 15 * minuteMs,
  data: 3 * minuteMs,
  answer: 10 * minuteMs,
}

/** What a person who runs `check` waits for at the most. */
const longestLook = 30_000

function hurried(limits: SmtpTimeouts): SmtpTimeouts {
  const { connect, greeting, silence } = limits
  return {
    ...limits,
    connect: Math.min(connect, longestLook),
    greeting: Math.min(greeting, longestLook),
    silence: Math.min(silence, longestLook),
  }
}

/** A connection that was idle for longer is not used again: what lies in between may have forgotten it. */
const idleMs = minuteMs

/**
 * Nodemailer's options for the account. If TLS is not required and no authority is named, STARTTLS is still
 * used if offered, without verifying the certificate: the clear text that was allowed protects less.
 */
function transportOptions(account: EmailAccount, ca: string | undefined, limits: SmtpTimeouts) {
  const { secure, host, port, auth } = account.smtp
  return {
    host,
    port,
    secure,
    requireTLS: account.requireTls,
    // A server that does not offer AUTH must not silently be used without it.
    ...(auth === undefined ? {} : { auth, forceAuth: true }),
    tls: {
      rejectUnauthorized: secure || account.requireTls || ca !== undefined,
      ...(ca === undefined ? {} : { ca }),
    },
    connectionTimeout: limits.connect,
    greetingTimeout: limits.greeting,
    socketTimeout: limits.silence,
    idleTimeout: idleMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** What one try on the wire came to. */
type SmtpResult = { isAccepted: true } | { isAccepted: false; failure: SmtpFailure; bodyBegun: boolean }

export type SmtpTransport = ReturnType<typeof openPost>

/** Nodemailer's other form imports node:http, which costs megabytes: see src/platform/server/http.ts. */
const require = createRequire(import.meta.url)

/** The way to the mail server that `users` channels share. Nodemailer is loaded only here. */
export function openPost(
  account: EmailAccount,
  ca: string | undefined,
  { limits, users }: { limits: SmtpTimeouts; users: number },
) {
  const { createTransport }: typeof nodemailer = require('nodemailer')
  const options = transportOptions(account, ca, limits)
  // A connection that the server closed while it was idle is replaced once; that is no try of the mail.
  const pool = createTransport({ ...options, pool: true, maxConnections: 3, maxRequeues: 1 })
  // What is wrong with a connection reaches the mails that were on it; unheard, it would end the process.
  pool.on('error', () => {})
  const tries = new WeakMap<object, ReturnType<typeof followPhases>>()
  pool.use('stream', (mail, done) => {
    mail.message.processFunc((body) => {
      if (mail.data.headers !== undefined) tries.get(mail.data.headers)?.follow(body)
      return body
    })
    done()
  })
  let left = users
  return {
    /** Sends one mail to its one recipient. Never throws. */
    async send(payload: EmailPayload, signal: AbortSignal): Promise<SmtpResult> {
      const headers = { ...payload.headers }
      const phases = followPhases(limits)
      tries.set(headers, phases)
      try {
        await pool.sendMail({
          ...payload,
          headers,
          envelope: { from: account.from.address, to: [payload.to] },
          signal: AbortSignal.any([signal, phases.signal]),
        })
        return { isAccepted: true }
      } catch (error) {
        const slow = phases.tooSlow()
        const failure = slow === undefined ? failureOf(error) : { message: slow, rejectedErrors: [] }
        return { isAccepted: false, failure, bodyBegun: phases.isBodyBegun() }
      } finally {
        phases.end()
      }
    },
    /** Connects, and logs in if the account has a user, with other options of TLS if given. */
    async verify(tls: { requireTLS?: boolean }): Promise<SmtpFailure | undefined> {
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
    /** One channel less; the last one closes the connections. */
    async leave() {
      left -= 1
      if (left === 0) pool.close()
    },
  }
}

function failureOf(error: unknown): SmtpFailure {
  const parsed = SmtpFailure.safeParse(error)
  return parsed.success ? parsed.data : { message: String(error), rejectedErrors: [] }
}

/**
 * Each part has its own limit (RFC 5321, 4.5.3.2). Before the body you can cut off a try and repeat it without harm. A
 * server that has the whole mail may need ten minutes to say so; a sender that does not wait sends it twice.
 */
function followPhases(limits: SmtpTimeouts) {
  const cut = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let body: Readable | undefined
  let slow: string | undefined

  function enter(milliseconds: number, what: string): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      slow = `${what} within ${span(milliseconds)}`
      cut.abort()
    }, milliseconds)
  }

  enter(limits.before, 'the server did not ask for the text of the mail')
  return {
    /** Aborts when the part that it is in has lasted too long. */
    signal: cut.signal,
    /** The mail's body, which is read when the server has answered DATA. */
    follow(next: Readable) {
      body = next
      next.once('resume', () => enter(limits.data, 'the mail was not accepted'))
      next.once('end', () => enter(limits.answer, 'the server did not confirm the mail'))
    },
    /** True as soon as the server may have the mail: nothing can have been delivered before. */
    isBodyBegun: () => body?.readableDidRead ?? false,
    /** What took too long, if anything did. */
    tooSlow: () => slow,
    end: () => clearTimeout(timer),
  }
}

function span(milliseconds: number): string {
  const minutes = milliseconds / minuteMs
  return minutes >= 1 ? counted(minutes, 'minute') : counted(milliseconds / 1000, 'second')
}
