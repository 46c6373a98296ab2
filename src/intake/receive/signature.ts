import { createHmac, timingSafeEqual } from 'node:crypto'
import { secretPrefix } from '../../config/signing-secret.ts'
import { type Encoding, type Hash, type PresentedSignature, readPresented } from './signature-header.ts'
import { type SigningKey, signingKeys } from './signing-keys.ts'

/**
 * How the service signs. The interface specification leaves all three open ("Events": "Hash function and
 * encoding of the signature: not shown").
 */
export interface SignatureForm {
  hash: Hash
  encoding: Encoding
  key: SigningKey['key']
}

/** What an operator has fixed of the form; the rest is found out. */
export type PinnedForm = { [Part in keyof SignatureForm]?: SignatureForm[Part] | undefined }

export interface VerifiedSignature {
  secret: string
  form: SignatureForm
}

/** One HMAC that may be worth computing. */
interface HmacCandidate extends SigningKey {
  secret: string
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
  known: {
    pinned?: PinnedForm
    remembered(secret: string): SignatureForm | undefined
    keysOf?: typeof signingKeys
  },
): VerifiedSignature | null {
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
): Generator<HmacCandidate> {
  const { pinned, keysOf = signingKeys } = known
  const others: HmacCandidate[] = []
  for (const secret of new Set(secrets)) {
    const remembered = known.remembered(secret)
    for (const { key, bytes } of keysOf(secret)) {
      if (!isWanted(key, secret, pinned?.key)) continue
      for (const hash of hashes) {
        const one = { secret, key, bytes, hash, remembered }
        if (remembered?.key === key && remembered.hash === hash) yield one
        else others.push(one)
      }
    }
  }
  yield* others
}

/** Without a prefix, two keys are the same. */
function isWanted(key: SigningKey['key'], secret: string, pinned: SigningKey['key'] | undefined): boolean {
  return pinned === undefined ? key !== 'without-prefix' || secret.startsWith(secretPrefix) : key === pinned
}

function agrees({ hash, encodings }: PresentedSignature, pinned: PinnedForm): boolean {
  if (pinned.hash !== undefined && pinned.hash !== hash) return false
  return pinned.encoding === undefined || encodings.includes(pinned.encoding)
}

/** Where a signature reads alike in base64 and base64url, what was known before stays. */
function formOf(
  { hash, key, remembered }: HmacCandidate,
  { encodings }: PresentedSignature,
  pinned: PinnedForm,
): SignatureForm {
  const known = pinned.encoding ?? remembered?.encoding
  const encoding = encodings.find((one) => one === known) ?? encodings[0] ?? 'hex'
  return { hash, encoding, key }
}
