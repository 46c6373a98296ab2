import { minuteMs } from '../../platform/durations.ts'
import type { EmailAccount } from './config.ts'

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
 * RFC 5321, 4.5.3.2: five minutes for the greeting, MAIL and each RCPT, two for DATA, three for a block of the body
 * (ours is one or two), ten for the answer to the final dot. Before the body they are not counted apart: a server that
 * needs more than 15 minutes for all of them is asked anew.
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

export function hurried(limits: SmtpTimeouts): SmtpTimeouts {
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
 * Nodemailer's options for the account. Where TLS is not required and no authority is named, STARTTLS is still
 * used if offered, without verifying the certificate: the clear text that was allowed protects less.
 */
export function transportOptions(account: EmailAccount, ca: string | undefined, limits: SmtpTimeouts) {
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
