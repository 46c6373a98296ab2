import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import { isLoopback, isPublicAddress } from '../../platform/outbound/address.ts'

/** Where a request comes from. */
export interface RequestOrigin {
  /** Of the connection. */
  address: string
  headers: IncomingHttpHeaders
}

/** Headers that a proxy adds: a request that has one is from another machine, also if its host says otherwise. */
const ofProxies = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/**
 * Whether somebody at this machine asks, by the name that this machine has for itself. A page of somebody else's that the
 * browser was led to by another name (DNS rebinding) has that name as its host.
 */
export function isFromHere({ address, headers }: RequestOrigin): boolean {
  const { host = '' } = headers
  const name = host.replace(/:\d+$/, '')
  return isLoopback(plainAddress(address)) && isLoopback(name) && !ofProxies.some((one) => one in headers)
}

/** Whether a form was sent by a page of this very address, as the browser says it; one that says nothing is believed. */
export function isSameOrigin(
  { headers }: Pick<RequestOrigin, 'headers'>,
  publicUrl: string | undefined,
): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const { origin, host } = headers
  if (origin === undefined) return true
  const ownOrigins = [`http://${host}`, `https://${host}`, publicUrl && new URL(publicUrl).origin]
  return ownOrigins.includes(origin)
}

/** `proxies`: their networks. */
export function isTrustedProxy(
  { address }: Pick<RequestOrigin, 'address'>,
  proxies: readonly string[],
): boolean {
  return listOf(proxies).check(plainAddress(address), familyOf(address))
}

/**
 * Who is behind the proxies that are trusted: the last address that none of them has. Undefined if none is named and the
 * connection comes from a machine close by: it may be a proxy, and everybody is behind it.
 */
export function addressOf(came: RequestOrigin, proxies: readonly string[]): string | undefined {
  const nearest = plainAddress(came.address)
  if (proxies.length === 0 && !isPublicAddress(nearest)) return undefined
  if (!isTrustedProxy(came, proxies)) return nearest
  const list = listOf(proxies)
  const hops = String(came.headers['x-forwarded-for'] ?? '').split(',')
  let address = nearest
  for (const hop of hops.map(addressIn).toReversed()) {
    // What stands before it may be anybody's word.
    if (hop === undefined) return address
    address = hop
    if (!list.check(hop, familyOf(hop))) return hop
  }
  return address
}

/** Some proxies write the port as well: 203.0.113.7:5555, [2001:db8::1]:5555. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim()
  const [, bare = text] = /^\[(.*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? []
  const address = plainAddress(bare)
  return isIP(address) === 0 ? undefined : address
}

/** Of the network that somebody has to themselves: in IPv6 that is a /64, or the one of so many bits around it. */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  if (!isIPv6(address)) return address
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(8 - before.length - after.length, 0)).fill('0')
  return [...before, ...zeros, ...after].slice(0, bits / 16).join(':')
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(plainAddress(address)) ? 'ipv6' : 'ipv4'
}

/** Where IPv6 is listened on, IPv4 comes as `::ffff:127.0.0.1`. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
