import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import * as z from 'zod'

/** The reader and the channel whose mail a token ends. */
export interface MailSubscription {
  channel: string
  address: string
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/** Authenticated with each token: what is sealed with this key for anything else is no token, nor the other way round. */
const purpose = Buffer.from('bluepencil unsubscribe 1')

/** An address and a channel's name, in base64url and with what seals them. */
const longest = 600

const Sealed = z.tuple([z.string(), z.string()])

/** 256 bits, as they are stored. */
export const Key = z.string().regex(/^[\w-]{43}$/)

export function newKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Letters, digits, - and _: only the key can read the address in it, or make one. It never expires. */
export function sealed({ channel, address }: MailSubscription, key: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, Buffer.from(key, 'base64url'), nonce, { authTagLength: tagBytes })
  cipher.setAAD(purpose)
  const text = Buffer.concat([cipher.update(JSON.stringify([channel, address])), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
}

/** Undefined if this key did not seal it as a token. OpenSSL compares the tag in constant time. */
export function opened(token: string, key: string): MailSubscription | undefined {
  if (token.length > longest || !/^[\w-]+$/.test(token)) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const text = bytes.subarray(nonceBytes + tagBytes)
  if (text.length === 0) return undefined
  try {
    const cipher = createDecipheriv(algorithm, Buffer.from(key, 'base64url'), bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
    cipher.setAAD(purpose)
    cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    const [channel, address] = Sealed.parse(
      JSON.parse(Buffer.concat([cipher.update(text), cipher.final()]).toString()),
    )
    return { channel, address }
  } catch {
    return undefined
  }
}
