import { isIPv4 } from 'node:net'

/** Whether a host is this machine. IPv6 with or without the brackets that a web address needs. */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.')
  return ['localhost', '::1', '[::1]'].includes(host.toLowerCase())
}
