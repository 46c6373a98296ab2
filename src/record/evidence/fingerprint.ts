import { hash, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { AlertEvent } from '../../event/event.ts'
import type { ReceivedAlert } from './link.ts'

const derive: (password: string, salt: Buffer, bytes: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt)

/** Some 40 ms and 16 MiB for each guess. */
const cost = { N: 2 ** 14, r: 8, p: 1 }
const bytes = 16

/** What the store has of a secret: the first twelve hex digits of its SHA-256. */
export function shortHashOf(secret: string): string {
  return hash('sha256', secret, 'hex').slice(0, 12)
}

/** Names a secret to people who have it. It is slow to guess, and another in each installation. */
export async function fingerprintOf(shortHash: string, salt: string): Promise<string> {
  return (await derive(shortHash, Buffer.from(salt, 'hex'), bytes, cost)).toString('hex')
}

/** Made once for each key: there are few. */
export function createFingerprints(): (
  alert: AlertEvent,
  salt: string,
) => Promise<ReceivedAlert['signature']> {
  const fingerprints = new Map<string, string>()
  return async ({ evidence }, salt) => {
    if (evidence === undefined) return null
    const { form, secret } = evidence
    const name = `${salt} ${secret}`
    const fingerprint = fingerprints.get(name) ?? (await fingerprintOf(secret, salt))
    fingerprints.set(name, fingerprint)
    const { hash, encoding, key } = form
    return { hash, encoding, key, salt, fingerprint }
  }
}
