import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Clock } from '../../platform/clock.ts'
import { hourMs } from '../../platform/durations.ts'
import type { SandboxDataset } from './datasets.ts'
import type { ServiceDialect } from './dialect.ts'

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json' }

/**
 * Sends a data set, or one range of it (RFC 9110, 14). The whole goes out for several ranges at once, for a range that
 * cannot be read, and for one of an older version (If-Range).
 */
export function sendDataset(
  request: Request,
  response: Response,
  { id, format, content, updatedAt }: SandboxDataset,
  ranges: ServiceDialect['ranges'],
): void {
  const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`
  response.set({
    'Content-Type': types[format],
    'Content-Disposition': `attachment; filename="${id.slice(0, id.lastIndexOf('-'))}.${format}"`,
    ETag: etag,
    'Last-Modified': new Date(updatedAt).toUTCString(),
    'Accept-Ranges': ranges === 'yes' ? 'bytes' : 'none',
  })
  const range = ranges === 'yes' ? rangeOf(request, content.length, etag) : undefined
  if (range === 'unsatisfiable') {
    response.status(416).set('Content-Range', `bytes */${content.length}`).end()
    return
  }
  const part = range === undefined ? content : content.subarray(range.start, range.end + 1)
  if (range !== undefined) {
    response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${content.length}`)
  }
  response.set('Content-Length', String(part.length)).end(part)
}

/** Positions of the first and last byte; undefined for the whole. */
function rangeOf(
  request: Request,
  size: number,
  etag: string,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const ifRange = request.get('if-range')
  if (ifRange !== undefined && ifRange !== etag) return undefined
  const ranges = request.range(size)
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length > 1) return undefined
  return ranges[0]
}

/** Links that are remembered; the oldest end. */
const mostLinks = 1_000

export type DownloadLinks = ReturnType<typeof createDownloadLinks>

/** Addresses of data sets that need no key, for an hour each. */
export function createDownloadLinks(clock: Clock, random: (bytes: number) => Buffer) {
  const byToken = new Map<string, { datasetId: string; expiresAt: number }>()
  return {
    /** `path` is relative to the origin; `expiresAt` is milliseconds since the epoch. */
    make(datasetId: string): { path: string; expiresAt: number } {
      const token = random(16).toString('hex')
      const expiresAt = clock.now() + hourMs
      byToken.set(token, { datasetId, expiresAt })
      const [oldest] = byToken.keys()
      if (oldest !== undefined && byToken.size > mostLinks) byToken.delete(oldest)
      return { path: `/files/${token}`, expiresAt }
    },
    /** The id of the data set; undefined for a link that is unknown or has ended. */
    find(token: string): string | undefined {
      const link = byToken.get(token)
      return link !== undefined && link.expiresAt > clock.now() ? link.datasetId : undefined
    },
  }
}
