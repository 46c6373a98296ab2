import { keyOf, whyNoSecret, whyWeak } from '../config/signing-secret.ts'

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

/** The same, judged once for each secret and not for each delivery; there are as many as there are secrets. */
export function rememberedKeys(): typeof signingKeys {
  const known = new Map<string, readonly SigningKey[]>()
  return (secret) => {
    const keys = known.get(secret) ?? signingKeys(secret)
    known.set(secret, keys)
    return keys
  }
}

/** Either alphabet, with or without padding. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '')
  return /^(?:[A-Za-z\d+/]{2,}|[\w-]{2,})$/.test(digits) && digits.length % 4 !== 1
}
