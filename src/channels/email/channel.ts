import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Channel } from '../channel.ts'
import { findings } from './check.ts'
import { type EmailAccount, type EmailSettings, type MailReaders, unknownReaders } from './config.ts'
import { mailNext } from './mailing.ts'
import { openPost, type SmtpTimeouts, usualLimits } from './post.ts'

interface EmailParts {
  readers?: MailReaders | undefined
  /** The address that a token completes to the link which ends a channel's mail; https. */
  unsubscribeAt?: string | undefined
  limits?: SmtpTimeouts
}

/**
 * The e-mail channels of one account; they share a pool of connections. Throws if the account is missing or
 * its `ca` cannot be read: a person must correct the configuration.
 */
export async function openEmail(
  account: EmailAccount | undefined,
  channels: readonly EmailSettings[],
  { readers = unknownReaders, unsubscribeAt, limits = usualLimits }: EmailParts = {},
): Promise<Channel[]> {
  const first = channels[0]
  if (first === undefined) return []
  if (account === undefined) {
    throw new Error(`the channel ${first.name} is of type email; write email: with smtp and from`)
  }
  const ca = account.ca === undefined ? undefined : await readAuthority(account.ca)
  const post = openPost(account, ca, { limits, users: channels.length })
  return channels.map((channel) => ({
    name: channel.name,
    type: 'email',
    paceMs,
    tryMs: limits.before + limits.data + limits.answer + spareMs,
    cannotVerifyDelivery: true,
    pictures: channel.pictures === true ? 'light' : undefined,
    send: (message, attempt) =>
      mailNext({ post, account, channel, readers, unsubscribeAt }, message, attempt),
    check: () => findings(account, channel.to, post.verify),
    close: post.leave,
  }))
}

/** Few servers take offence at four mails a second; one that does answers 421 or 450, which is obeyed. */
const paceMs = 250

/** For what a try does beside its parts. */
const spareMs = 5_000

async function readAuthority(file: string): Promise<string> {
  try {
    const pem = await readFile(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch (cause) {
    throw new Error(`email.ca: ${file} cannot be read as a certificate in PEM format`, {
      cause,
    })
  }
}
