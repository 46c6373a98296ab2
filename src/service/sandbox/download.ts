import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import type { SandboxDataset } from './datasets.ts'
import type { ServiceDialect } from './dialect.ts'

const types = { csv: 'text/csv; charset=utf-8', json: 'application/json' }

/**
 * Sends a data set, or the one range of it that was asked for (RFC 9110, 14). Several ranges at once, one that
 * cannot be read, and one of an older version (If-Range) get the whole.
 */
export function sendDataset(
  request: Request,
  response: Response,
  dataset: SandboxDataset,
  ranges: ServiceDialect['ranges'],
): void {
  const { id, format, content, updatedAt } = dataset
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
