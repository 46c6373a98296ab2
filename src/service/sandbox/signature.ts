import { createHmac } from 'node:crypto'
import type { ServiceDialect } from './dialect.ts'

export const secretPrefix = 'whsec_'

/** The value of `X-Service-Signature`: an HMAC of the raw body with the subscription's secret ("Events", 3). */
export function sign(body: Buffer, secret: string, dialect: ServiceDialect): string {
  const prefix = dialect['signature.prefix'] === 'none' ? '' : dialect['signature.prefix']
  const hmac = createHmac(dialect['signature.hash'], keyOf(secret, dialect)).update(body)
  return prefix + hmac.digest(dialect['signature.encoding'])
}

function keyOf(secret: string, dialect: ServiceDialect): string | Buffer {
  const text = secret.slice(secretPrefix.length)
  switch (dialect['signature.key']) {
    case 'whole':
      return secret
    case 'without-prefix':
      return text
    case 'base64-decoded':
      return Buffer.from(text, 'base64')
  }
}
