/** Bytes of each hash function's digest. No two are equal, so a signature's length tells its hash. */
const digestBytes = { sha256: 32, sha512: 64, sha384: 48, sha1: 20 } as const
export type Hash = keyof typeof digestBytes
export type Encoding = 'hex' | 'base64' | 'base64url'

/** A signature that a header presents, and all the ways in which it may have been written. */
export interface PresentedSignature {
  hash: Hash
  /** Two where no character tells base64 from base64url. */
  encodings: readonly Encoding[]
  digest: Buffer
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
 * The signatures in a header, in whatever frame: bare, `sha256=…`, `v1=…`, `v1,…`, `t=…,v1=…`, several of them.
 * No frame is assumed. Every character of hex, base64 and base64url is one of `A-Z a-z 0-9 + / - _`, none of
 * the separators is, and `=` only ends: so each run of those characters that has the length of a digest is a
 * signature, and everything else (labels, times, padding) is not. Empty where there are too many to try.
 */
export function readPresented(header: string): PresentedSignature[] {
  if (header.length > longestHeader) return []
  const runs = header.match(/[\w+/-]+/g) ?? []
  const presented = runs.map(readRun).filter((one) => one !== undefined)
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
