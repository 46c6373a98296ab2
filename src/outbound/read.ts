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

/**
 * The body of an answer, of at most so many bytes after decompression. Undefined where it is longer or packed in a way
 * that was not asked for; it is then not read on. Rejects with what the connection broke with.
 */
export async function readWithin(response: Response, mostBytes: number): Promise<Uint8Array | undefined> {
  if (response.body === null) return new Uint8Array()
  if (!isModest(response.headers)) {
    await response.body.cancel()
    return undefined
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
