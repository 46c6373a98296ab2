import type { Response } from 'express'

/** Work for an answer that ends when nobody waits for the answer any more; undefined then. Rejects as the work does. */
export async function whileItIsOpen<T>(
  response: Response,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const left = new AbortController()
  const leave = () => left.abort()
  response.once('close', leave)
  try {
    return await work(left.signal)
  } catch (error) {
    if (left.signal.aborted) return undefined
    throw error
  } finally {
    response.off('close', leave)
  }
}
