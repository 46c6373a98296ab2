import { isPlaceholder } from '../platform/text.ts'

/** What stands before the key of a signing secret (interface specification, "Webhook subscription"). */
export const secretPrefix = 'whsec_'

const fewestBytes = 16
const mostCharacters = 1_024
/** Sixteen random digits show fewer than six different ones once in a thousand times; hex and base64 practically never. */
const fewestDifferent = 6

/**
 * Why a text cannot be a signing secret, as the end of a sentence that begins with what it is; undefined if it can. An
 * attacker who can guess the secret can forge alerts, and everybody can guess a mask such as `whsec_****`. The text is not
 * repeated.
 */
export function whyNoSecret(secret: string): string | undefined {
  const key = keyOf(secret)
  if (key.trim() === '') return 'is empty'
  if (key.length > mostCharacters) return `is longer than ${mostCharacters} characters`
  if (isMasked(key)) return 'is masked: the service shows stars, dots or the like in place of the secret'
  if (isPlaceholder(key)) return 'is a placeholder and no secret'
  if (!/^[!-~]+$/.test(key)) return 'has a blank, a line break or a character that is not ASCII in it'
  return whyWeak(Buffer.from(key))
}

/** As `whyNoSecret`, for the bytes that are the key: those which a secret encodes may be fewer than its characters. */
export function whyWeak(key: Uint8Array): string | undefined {
  if (key.byteLength < fewestBytes) return `has fewer than ${fewestBytes} bytes${ofKey}`
  const different = new Set(key).size
  if (different === 1) return 'is one character, repeated'
  if (different < fewestDifferent) return `has fewer than ${fewestDifferent} different characters`
  if (isRepetition(key)) return 'is a shorter text, repeated'
  if (isSequence(key)) return 'is a sequence of neighbouring characters, which anybody can guess'
  return undefined
}

const ofKey = `, ${secretPrefix} not counted`

export function keyOf(secret: string): string {
  return secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret
}

/** Placeholder characters such as `•` or `…`. Characters that a key may have count only if they are repeated. */
function isMasked(key: string): boolean {
  return /[\u2022\u25cf\u25cb\u25aa\u25a0\u2588\u00b7\u2219\u2217\u2026\ufffd]|\*{3}|\.{3}|#{3}|\?{3}|x{5}|X{5}|_{5}|-{5}/.test(
    key,
  )
}

function isRepetition(key: Uint8Array): boolean {
  const text = Buffer.from(key).toString('latin1')
  return (text + text).indexOf(text, 1) < text.length
}

/** `0123456789abcdef`, `abcdefghijklmnop`: three of four steps lead to a neighbour. */
function isSequence(key: Uint8Array): boolean {
  const steps = key.subarray(1).filter((one, at) => Math.abs(one - (key[at] ?? 0)) <= 1)
  return steps.length >= (key.length - 1) * 0.75
}
