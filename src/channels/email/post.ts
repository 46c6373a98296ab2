import { createRequire } from 'node:module'
import type * as nodemailer from 'nodemailer'
import type { EmailAccount } from './config.ts'
import type { EmailPayload } from './format.ts'
import { followPhases, type SmtpPhases } from './phases.ts'
import { hurried, type SmtpTimeouts, transportOptions } from './transport.ts'
import { SmtpFailure } from './verdict.ts'

/** What one try on the wire came to. */
type SmtpResult = { isAccepted: true } | { isAccepted: false; failure: SmtpFailure; bodyBegun: boolean }

export interface SmtpTransport {
  /** Sends one mail to its one recipient. Never throws. */
  send(payload: EmailPayload, signal: AbortSignal): Promise<SmtpResult>
  /** Connects, and logs in where the account has a user, with other options of TLS where given. */
  verify(tls: { requireTLS?: boolean }): Promise<SmtpFailure | undefined>
  /** One channel less; the last one closes the connections. */
  leave(): Promise<void>
}

/** Nodemailer's other form imports node:http, which costs megabytes: see src/platform/server/http.ts. */
const require = createRequire(import.meta.url)

/** The way to the mail server that `users` channels share. Nodemailer is loaded only here. */
export function openPost(
  account: EmailAccount,
  ca: string | undefined,
  { limits, users }: { limits: SmtpTimeouts; users: number },
): SmtpTransport {
  const { createTransport }: typeof nodemailer = require('nodemailer')
  const options = transportOptions(account, ca, limits)
  // A connection that the server closed while it was idle is replaced once; that is no try of the mail.
  const pool = createTransport({ ...options, pool: true, maxConnections: 3, maxRequeues: 1 })
  // What is wrong with a connection reaches the mails that were on it; unheard, it would end the process.
  pool.on('error', () => {})
  const tries = new WeakMap<object, SmtpPhases>()
  pool.use('stream', (mail, done) => {
    mail.message.processFunc((body) => {
      if (mail.data.headers !== undefined) tries.get(mail.data.headers)?.follow(body)
      return body
    })
    done()
  })
  let left = users
  return {
    async send(payload, signal) {
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

function failureOf(error: unknown): SmtpFailure {
  const parsed = SmtpFailure.safeParse(error)
  return parsed.success ? parsed.data : { message: String(error), rejectedErrors: [] }
}
