import { createHmac } from 'node:crypto'

/** The secret that signs deliveries, unless a test needs another. */
export const secret = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw'

/** The signature of a body, made without any code of ours. */
export function sign(body: string | Uint8Array, by = secret): string {
  return createHmac('sha256', by).update(body).digest('hex')
}

/** The headers of a delivery with this body. */
export function signed(body: string | Uint8Array, by = secret): { 'x-service-signature': string } {
  return { 'x-service-signature': sign(body, by) }
}
