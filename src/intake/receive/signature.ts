import { createHmac, timingSafeEqual } from 'node:crypto'
import { secretPrefix } from '../../config/signing-secret.ts'
import { type SigningKey, signingKeys } from './keyring.ts'

/** Bytes of each hash function's digest. No two are equal, so a signature's length identifies its hash. */
const digestBytes = { sha256: 32, sha512: 64, sha384: 48, sha1: 20 } as const
type Hash = keyof typeof digestBytes
type Encoding = 'hex' | 'base64' | 'base64url'

/** A signature that a header presents, and all the ways in which it may have been written. */
interface PresentedSignature {
  hash: Hash
  /** Two if no character distinguishes base64 from base64url. */
  encodings: readonly Encoding[]
  digest: Buffer
}

/**
 * How the service signs. The interface specification leaves all three open ("Events": "Hash function and
 * encoding of the signature: not shown").
 */
export interface SignatureForm {
  hash: Hash
  encoding: Encoding
  key: SigningKey['key']
}

/** The part of the form that an operator has fixed. */
export type PinnedForm = { [Part in keyof SignatureForm]?: SignatureForm[Part] | undefined }

export interface VerifiedSignature {
  secret: string
  form: SignatureForm
}

interface VerifySettings {
  pinned?: PinnedForm
  remembered(secret: string): SignatureForm | undefined
  keysOf?: typeof signingKeys
}

/** One HMAC that may be worth computing. */
interface HmacCandidate extends SigningKey {
  secret: string
  hash: Hash
  remembered: SignatureForm | undefined
}

/**
 * The secret and form by which a header signs the raw body, or null if none does.
 *
 * A forgery costs at most one HMAC for each secret, treatment of the key and hash whose length was presented;
 * of several hashes in one header each is tried. The form that a secret is remembered for comes first, so a
 * genuine delivery costs one. Digests are compared in constant time.
 */
export function verify(
  body: Uint8Array,
  header: string,
  secrets: readonly string[],
  settings: VerifySettings,
): VerifiedSignature | null {
  const { pinned = {} } = settings
  const presented = readPresented(header).filter((signature) => agrees(signature, pinned))
  if (presented.length === 0) return null
  const hashes = new Set(presented.map(({ hash }) => hash))

  for (const candidate of candidatesOf(secrets, hashes, settings)) {
    const digest = createHmac(candidate.hash, candidate.bytes).update(body).digest()
    const match = presented.find(
      ({ hash, digest: theirs }) => hash === candidate.hash && timingSafeEqual(digest, theirs),
    )
    if (match !== undefined) return { secret: candidate.secret, form: formOf(candidate, match, pinned) }
  }
  return null
}

/** The remembered forms first. */
function* candidatesOf(
  secrets: readonly string[],
  hashes: ReadonlySet<Hash>,
  { pinned, keysOf = signingKeys, remembered: rememberedOf }: VerifySettings,
): Generator<HmacCandidate> {
  const others: HmacCandidate[] = []
  for (const secret of new Set(secrets)) {
    const remembered = rememberedOf(secret)
    for (const { key, bytes } of keysOf(secret)) {
      if (!isWanted(key, secret, pinned?.key)) continue
      for (const hash of hashes) {
        const candidate = { secret, key, bytes, hash, remembered }
        if (remembered?.key === key && remembered.hash === hash) yield candidate
        else others.push(candidate)
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

/** If a signature reads alike in base64 and base64url, the encoding known before stays. */
function formOf(
  { hash, key, remembered }: HmacCandidate,
  { encodings }: PresentedSignature,
  pinned: PinnedForm,
): SignatureForm {
  const before = pinned.encoding ?? remembered?.encoding
  const encoding = encodings.find((possible) => possible === before) ?? encodings[0] ?? 'hex'
  return { hash, encoding, key }
}

const longestHeader = 4096
const mostSignatures = 8

const hashes = ['sha256', 'sha512', 'sha384', 'sha1'] as const satisfies readonly Hash[]
const ofHexLength = new Map<number, Hash>(hashes.map((hash) => [digestBytes[hash] * 2, hash]))
/** Without padding: 43, 86, 64 and 27 characters. */
const ofBase64Length = new Map<number, Hash>(
  hashes.map((hash) => [Math.ceil((digestBytes[hash] * 4) / 3), hash]),
)

/**
 * The signatures in a header: bare, `sha256=…`, `v1=…`, `v1,…`, `t=…,v1=…`, or several of them. No format is assumed.
 * Hex, base64 and base64url use only `A-Z a-z 0-9 + / - _`. Separators are none of these, and `=` only ends a signature.
 * So each run of these characters that has the length of a digest is a signature. Everything else (labels, times,
 * padding) is not. Empty if there are too many to try.
 */
function readPresented(header: string): PresentedSignature[] {
  if (header.length > longestHeader) return []
  const runs = header.match(/[\w+/-]+/g) ?? []
  const presented = runs.flatMap((run) => readRun(run) ?? [])
  return presented.length > mostSignatures ? [] : presented
}

/** 64 hex digits are also the length of a SHA-384 in base64, but that is all hex digits once in 10²⁹. */
function readRun(run: string): PresentedSignature | undefined {
  const hexHash = ofHexLength.get(run.length)
  if (hexHash !== undefined && /^[\da-f]+$/i.test(run)) {
    return { hash: hexHash, encodings: ['hex'], digest: Buffer.from(run, 'hex') }
  }
  const hash = ofBase64Length.get(run.length)
  if (hash === undefined) return undefined
  const digest = Buffer.from(run, 'base64')
  const encodings = (['base64', 'base64url'] as const).filter(
    (encoding) => unpadded(digest, encoding) === run,
  )
  return encodings.length === 0 ? undefined : { hash, encodings, digest }
}

/** Bits that a decoder ignores must be as an encoder writes them: a signature has one spelling. */
function unpadded(digest: Buffer, encoding: 'base64' | 'base64url'): string {
  return digest.toString(encoding).replace(/=+$/, '')
}
