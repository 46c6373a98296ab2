import type { EmailAccount } from './config.ts'

/** How long the parts of a try may take, in milliseconds. */
export interface Limits {
  connect: number
  greeting: number
  /** Silence of the server. */
  silence: number
  /** The whole try: no silence shows in a server that trickles its answers. */
  whole: number
}

export const usualLimits: Limits = { connect: 10_000, greeting: 10_000, silence: 30_000, whole: 120_000 }

/**
 * Nodemailer's options for the account. Where TLS is not required and no authority is named, STARTTLS is still
 * used if offered, without verifying the certificate: the clear text that was allowed protects less.
 */
export function transportOptions(account: EmailAccount, ca: string | undefined, limits: Limits) {
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
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
