import { createHmac, timingSafeEqual } from 'node:crypto'
import { keyOf, whyNoSecret, whyWeak } from '../config/signing-secret.ts'
import { type Encoding, type Hash, type PresentedSignature, readPresented } from './signature-header.ts'

/**
 * How the service signs. The interface specification leaves all three open ("Events": "Hash function and
 * encoding of the signature: not shown").
 */
export interface SignatureForm {
  hash: Hash
  encoding: Encoding
  /** What of the secret is the key: its text, its text after `whsec_`, or the bytes which that text encodes. */
  key: 'whole' | 'without-prefix' | 'base64-decoded'
}

/** What an operator has fixed of the form; the rest is found out. */
export type PinnedForm = { [Part in keyof SignatureForm]?: SignatureForm[Part] | undefined }

export interface Verified {
  secret: string
  form: SignatureForm
}

/** One HMAC that may be worth computing. */
interface Try {
  secret: string
  key: SignatureForm['key']
  bytes: Buffer
  hash: Hash
  remembered: SignatureForm | undefined
}

/**
 * The secret and form by which a header signs the raw body, or null where none does.
 *
 * A forgery costs at most one HMAC for each secret, treatment of the key and hash whose length was presented;
 * of several hashes in one header each is tried. The form that a secret is remembered for comes first, so a
 * genuine delivery costs one. Digests are compared in constant time.
 */
export function verify(
  body: Uint8Array,
  header: string,
  secrets: readonly string[],
  known: { pinned?: PinnedForm; remembered(secret: string): SignatureForm | undefined },
): Verified | null {
  const { pinned = {} } = known
  const presented = readPresented(header).filter((one) => agrees(one, pinned))
  if (presented.length === 0) return null
  const hashes = new Set(presented.map(({ hash }) => hash))

  for (const one of triesOf(secrets, hashes, known)) {
    const digest = createHmac(one.hash, one.bytes).update(body).digest()
    const match = presented.find(
      ({ hash, digest: theirs }) => hash === one.hash && timingSafeEqual(digest, theirs),
    )
    if (match !== undefined) return { secret: one.secret, form: formOf(one, match, pinned) }
  }
  return null
}

/** What is worth trying, as it is asked for: the remembered forms first. */
function* triesOf(
  secrets: readonly string[],
  hashes: ReadonlySet<Hash>,
  known: Parameters<typeof verify>[3],
): Generator<Try> {
  const others: Try[] = []
  for (const secret of new Set(secrets)) {
    const remembered = known.remembered(secret)
    for (const { key, bytes } of keysOf(secret, known.pinned?.key)) {
      for (const hash of hashes) {
        const one = { secret, key, bytes, hash, remembered }
        if (remembered?.key === key && remembered.hash === hash) yield one
        else others.push(one)
      }
    }
  }
  yield* others
}

function agrees({ hash, encodings }: PresentedSignature, pinned: PinnedForm): boolean {
  if (pinned.hash !== undefined && pinned.hash !== hash) return false
  return pinned.encoding === undefined || encodings.includes(pinned.encoding)
}

/** Where a signature reads alike in base64 and base64url, what was known before stays. */
function formOf(
  { hash, key, remembered }: Try,
  { encodings }: PresentedSignature,
  pinned: PinnedForm,
): SignatureForm {
  const known = pinned.encoding ?? remembered?.encoding
  const encoding = encodings.find((one) => one === known) ?? encodings[0] ?? 'hex'
  return { hash, encoding, key }
}

/** The keys that a secret may stand for, made as they are asked for. None where others can guess it: anybody could sign with it. */
function* keysOf(
  secret: string,
  pinned: SignatureForm['key'] | undefined,
): Generator<{ key: SignatureForm['key']; bytes: Buffer }> {
  if (whyNoSecret(secret) !== undefined) return
  const bare = keyOf(secret)
  const may = (key: SignatureForm['key']) => pinned === undefined || pinned === key
  if (may('whole')) yield { key: 'whole', bytes: Buffer.from(secret) }
  if (may('without-prefix') && (bare !== secret || pinned !== undefined)) {
    yield { key: 'without-prefix', bytes: Buffer.from(bare) }
  }
  if (may('base64-decoded') && isBase64(bare)) {
    const bytes = Buffer.from(bare, 'base64')
    if (whyWeak(bytes) === undefined) yield { key: 'base64-decoded', bytes }
  }
}

/** Either alphabet, with or without padding. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '')
  return /^(?:[A-Za-z\d+/]{2,}|[\w-]{2,})$/.test(digits) && digits.length % 4 !== 1
}
