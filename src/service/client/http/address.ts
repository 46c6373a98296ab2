import { isLoopback } from '../../../platform/outbound/loopback.ts'

/** Whether a secret may travel there: https, or this very machine. */
export function isSafe(url: URL): boolean {
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && isLoopback(url.hostname)
}
