import { hash } from 'node:crypto'
import * as z from 'zod'
import { keyOf, whyNoSecret, whyWeak } from '../../config/signing-secret.ts'

/** What of a secret is the key: its text, its text after `whsec_`, or the bytes which that text encodes. */
export interface SigningKey {
  key: 'whole' | 'without-prefix' | 'base64-decoded'
  bytes: Buffer
}

/** The keys that a secret may stand for. None if others can guess it: anybody could sign with it. */
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

/** What each delivery needs of a secret, computed once. */
export function createKeyring() {
  return { keysOf: onceEach(signingKeys), fingerprintOf: onceEach(fingerprint) }
}

/** There are as many results as secrets, which are few. */
function onceEach<T>(compute: (secret: string) => T): (secret: string) => T {
  const results = new Map<string, T>()
  return (secret) => {
    const result = results.get(secret) ?? compute(secret)
    results.set(secret, result)
    return result
  }
}

/** Twelve hex digits of its SHA-256. They identify the secret and don't reveal it. */
function fingerprint(secret: string): string {
  return hash('sha256', secret).slice(0, 12)
}

/** Either alphabet, with or without padding. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '')
  return /^(?:[A-Za-z\d+/]{2,}|[\w-]{2,})$/.test(digits) && digits.length % 4 !== 1
}

const Form = z.object({
  hash: z.enum(['sha256', 'sha512', 'sha384', 'sha1']),
  encoding: z.enum(['hex', 'base64', 'base64url']),
  key: z.enum(['whole', 'without-prefix', 'base64-decoded']),
})
// Each gets an object of its own, since forms are added to it.
const Forms = z.record(z.string(), Form).catch(() => ({}))

export type SignatureForms = Awaited<ReturnType<typeof recallForms>>

/**
 * The signature form that verified last for each secret. It is kept over restarts, and shown by `check`. Secrets are stored as
 * fingerprints, which reveal nothing of them.
 */
export async function recallForms(state: {
  read(): Promise<unknown>
  change(change: (before: unknown) => unknown): Promise<void>
  onError(error: unknown): void
}) {
  const forms = Forms.parse(await state.read())
  const { fingerprintOf } = createKeyring()
  return {
    get: (secret: string): z.infer<typeof Form> | undefined => forms[fingerprintOf(secret)],
    set(secret: string, form: z.infer<typeof Form>): void {
      const fingerprint = fingerprintOf(secret)
      forms[fingerprint] = form
      state.change((before) => ({ ...Forms.parse(before), [fingerprint]: form })).catch(state.onError)
    },
  }
}
