import { BlockList, isIP, isIPv4 } from 'node:net'

/** Whether a host is this machine. IPv6 with or without the brackets that a web address needs. */
export function isLoopback(host: string): boolean {
  if (isIPv4(host)) return host.startsWith('127.')
  return ['localhost', '::1', '[::1]'].includes(host.toLowerCase())
}

/** Whether a secret may travel there: https, or this very machine. */
export function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/**
 * What is not reached over the internet (https://www.iana.org/assignments/iana-ipv4-special-registry): this machine,
 * private and link-local networks, carriers' own, tests, documentation, multicast, reserved.
 */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, prefix, 'ipv4')
}

/** Global unicast is all that is public of IPv6 (RFC 4291, 2.4), without what leads elsewhere through a tunnel. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
const tunnelled = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  tunnelled.addSubnet(network, prefix, 'ipv6')
}

/** Whether an IP address, without brackets, is one of the internet's; false for what is none. */
export function isPublicAddress(text: string): boolean {
  const address = text.replace(/%.*$/, '')
  if (isIP(address) === 4) return !special.check(address, 'ipv4')
  if (isIP(address) === 0) return false
  const inner = embedded(address)
  if (inner !== undefined) return isPublicAddress(inner)
  return global.check(address, 'ipv6') && !tunnelled.check(address, 'ipv6')
}

/** The IPv4 address in one that is mapped (`::ffff:0:0/96`), or translated by a network without IPv4 (`64:ff9b::/96`, RFC 6052). */
function embedded(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]`).hostname
  const match = /^\[(?:::ffff:|64:ff9b::)(?:([\da-f]+):)?([\da-f]+)\]$/.exec(canonical)
  if (match === null) return undefined
  const [, high = '0', low = '0'] = match
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}
