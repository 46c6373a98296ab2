/**
 * Codings of which one, alone, is unpacked in little memory. A window of zstd takes up to 128 MB, and `fetch` unpacks
 * as many codings on top of each other as an answer names.
 */
const modestCodings = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br'])

/** Whether an answer with these headers is unpacked in little memory. */
export function isModest(headers: Headers): boolean {
  return modestCodings.has(headers.get('content-encoding')?.trim().toLowerCase() ?? '')
}

/** What is asked for where the caller does not say. */
export const acceptedCodings = 'gzip, deflate, br'

/** How much of an answer is read. */
export interface ReadBounds {
  /** Of the body, after decompression. */
  mostBytes: number
  /** Objects, lists and entries of them, if the body is JSON: each takes some 400 bytes when it is parsed, and but two to write. */
  mostValues: number
}

/**
 * The body of an answer, within bounds. Undefined where it goes beyond one, or is packed in a way that was not asked
 * for; it is then not read on. Rejects with what the connection broke with.
 */
export async function readWithin(response: Response, bounds: ReadBounds): Promise<Uint8Array | undefined> {
  if (response.body === null) return new Uint8Array()
  if (!isModest(response.headers)) {
    await response.body.cancel()
    return undefined
  }
  // One buffer, since an answer in chunks of a byte would cost a hundred times its length in objects.
  let body = Buffer.allocUnsafe(64 * 1024)
  let bytes = 0
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body) {
    if (bytes + chunk.byteLength > bounds.mostBytes) return undefined
    if (bytes + chunk.byteLength > body.byteLength) {
      body = Buffer.concat([body.subarray(0, bytes)], Math.max(2 * body.byteLength, bytes + chunk.byteLength))
    }
    body.set(chunk, bytes)
    bytes += chunk.byteLength
  }
  const read = body.subarray(0, bytes)
  return hasMoreValues(read, bounds.mostValues) ? undefined : read
}

const [quote, backslash, comma, bracket, brace] = Buffer.from('"\\,[{')

/** Counts what begins a value in JSON, outside its strings: 16 MB in some 50 ms. */
function hasMoreValues(body: Uint8Array, most: number): boolean {
  let values = 0
  let inString = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) inString = !inString
    else if (inString) at += byte === backslash ? 1 : 0
    else if (byte === comma || byte === bracket || byte === brace) values += 1
  }
  return values > most
}
