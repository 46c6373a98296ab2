import { isIPv4 } from 'node:net'

/** Whether a host is this machine. IPv6 with or without the brackets that a web address needs. */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.')
  return ['localhost', '::1', '[::1]'].includes(host.toLowerCase())
}

/** Whether a secret may travel there: https, or this very machine. */
export function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}
