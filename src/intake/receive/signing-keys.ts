import { createHash } from 'node:crypto'
import { keyOf, whyNoSecret, whyWeak } from '../../config/signing-secret.ts'

/** What of a secret is the key: its text, its text after `whsec_`, or the bytes which that text encodes. */
export interface SigningKey {
  key: 'whole' | 'without-prefix' | 'base64-decoded'
  bytes: Buffer
}

/** The keys that a secret may stand for. None where others can guess it: anybody could sign with it. */
export function signingKeys(secret: string): readonly SigningKey[] {
  if (whyNoSecret(secret) !== undefined) return []
  const bare = keyOf(secret)
  const decoded = isBase64(bare) ? Buffer.from(bare, 'base64') : undefined
  return [
    { key: 'whole', bytes: Buffer.from(secret) },
    { key: 'without-prefix', bytes: Buffer.from(bare) },
    ...(decoded === undefined || whyWeak(decoded) !== undefined
      ? []
      : [{ key: 'base64-decoded' as const, bytes: decoded }]),
  ]
}

/** What is asked of each secret with every delivery, found out once. */
interface Keyring {
  keysOf: typeof signingKeys
  /** Twelve hex digits of its SHA-256: they tell it from other secrets, and give nothing of it away. */
  fingerprintOf(secret: string): string
}

export function createKeyring(): Keyring {
  return { keysOf: onceEach(signingKeys), fingerprintOf: onceEach(fingerprint) }
}

/** There are as many as there are secrets, which are few. */
function onceEach<T>(find: (secret: string) => T): (secret: string) => T {
  const known = new Map<string, T>()
  return (secret) => {
    const found = known.get(secret) ?? find(secret)
    known.set(secret, found)
    return found
  }
}

function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12)
}

/** Either alphabet, with or without padding. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '')
  return /^(?:[A-Za-z\d+/]{2,}|[\w-]{2,})$/.test(digits) && digits.length % 4 !== 1
}
