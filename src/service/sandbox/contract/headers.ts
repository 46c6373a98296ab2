import type { ServiceDialect } from '../dialect.ts'
import { isLinked } from '../lists.ts'
import type { Header } from './document.ts'

type Headers = Record<string, Header>

const digits = { type: 'string', pattern: '^\\d+$' }

/** What every answer says of the limit, once it is known who asks (dialect `rate-headers`). */
export function limitHeaders(dialect: ServiceDialect): Headers {
  switch (dialect['rate-headers']) {
    case 'none':
      return {}
    case 'x-ratelimit':
      return {
        'X-RateLimit-Limit': always('Requests per hour.', digits),
        'X-RateLimit-Remaining': always('Requests that are left.', digits),
        'X-RateLimit-Reset': always('When there are more again; seconds since the epoch.', digits),
      }
    case 'ratelimit':
      return {
        'RateLimit-Policy': always('q requests in w seconds.', text('^"hour";q=\\d+;w=3600$')),
        RateLimit: always(
          'r requests are left; in t seconds there are more again.',
          text('^"hour";r=\\d+;t=\\d+$'),
        ),
      }
  }
}

/** Of a 429 (dialect `retry-after`). */
export function retryHeaders(dialect: ServiceDialect): Headers {
  switch (dialect['retry-after']) {
    case 'body':
      return {}
    case 'header':
    case 'both':
      return { 'Retry-After': always('Seconds until the next request is free.', digits) }
    case 'fractional':
      return {
        'Retry-After': always('Seconds until the next request is free.', text('^\\d+(\\.\\d{1,3})?$')),
      }
  }
}

/** RFC 6750, 3. */
export const challengeHeaders: Headers = {
  'WWW-Authenticate': always('What is missing.', text('^Bearer( |$)')),
}

/** Where a list names its other pages by RFC 8288. */
export function pageHeaders(dialect: ServiceDialect): Headers {
  if (!isLinked(dialect)) return {}
  return { Link: sometimes('Addresses of the previous and the next page.', text('rel="(prev|next)"')) }
}

/** Of a data set, whole or in part. */
export function fileHeaders(ranges: ServiceDialect['ranges']): Headers {
  return {
    'Content-Disposition': always('The name of the file.', text('^attachment; filename="[^"]+"$')),
    ETag: always('Of this version.', text('^"[0-9a-f]{32}"$')),
    'Last-Modified': always('When the last reading in it was taken.', text('GMT$')),
    'Accept-Ranges': always('Whether a part of it can be had.', {
      type: 'string',
      const: ranges === 'yes' ? 'bytes' : 'none',
    }),
  }
}

export const partHeaders: Headers = {
  'Content-Range': always('Which bytes of how many.', text('^bytes \\d+-\\d+/\\d+$')),
}

export const outsideHeaders: Headers = {
  'Content-Range': always('How many bytes there are.', text('^bytes \\*/\\d+$')),
}

export const redirectHeaders: Headers = {
  Location: always('Where the data set is, for an hour.', { type: 'string', format: 'uri' }),
}

/** RFC 6749, 5.1. */
export const uncachedHeaders: Headers = {
  'Cache-Control': always('A token is kept by nobody on the way.', { type: 'string', const: 'no-store' }),
  Pragma: always('The same for HTTP/1.0.', { type: 'string', const: 'no-cache' }),
}

export const basicChallengeHeaders: Headers = {
  'WWW-Authenticate': sometimes('Where the client used that header.', text('^Basic ')),
}

const encoded = { hex: '[0-9a-f]', base64: '[A-Za-z0-9+/=]', base64url: '[A-Za-z0-9_-]' }
const bytes = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }

/** The pattern of an X-Service-Signature. */
export function signaturePattern(dialect: ServiceDialect): string {
  const encoding = dialect['signature.encoding']
  const length = Buffer.alloc(bytes[dialect['signature.hash']]).toString(encoding).length
  const prefix = dialect['signature.prefix'] === 'none' ? '' : dialect['signature.prefix']
  return `^${prefix}${encoded[encoding]}{${length}}$`
}

function always(description: string, schema: Header['schema']): Header {
  return { description, required: true, schema }
}

function sometimes(description: string, schema: Header['schema']): Header {
  return { description, required: false, schema }
}

function text(pattern: string): Header['schema'] {
  return { type: 'string', pattern }
}
