import type { Config } from './schema.ts'

/** Where readers come to unsubscribe: a token is put behind it. */
export type UnsubscribeAddress =
  | { url: string }
  /** Why there is none, in words. */
  | { url: undefined; why: string }

/**
 * Without a path, an address is completed with `server.basePath`; with one it is used as it is (decision 6). Mail programs
 * unsubscribe by https alone (RFC 8058, 3.1).
 */
export function unsubscribeAddress({
  server,
  webhook,
}: Pick<Config, 'server' | 'webhook'>): UnsubscribeAddress {
  const key = server.publicUrl === undefined ? 'webhook.publicUrl' : 'server.publicUrl'
  const address = server.publicUrl ?? webhook.publicUrl
  if (address === undefined)
    return { url: undefined, why: 'neither server.publicUrl nor webhook.publicUrl is set' }
  const { protocol, pathname } = new URL(address)
  if (protocol !== 'https:') return { url: undefined, why: `${key} is not https` }
  const hasPath = pathname !== '/'
  if (hasPath && key === 'webhook.publicUrl') {
    return { url: undefined, why: 'webhook.publicUrl has a path of its own, and server.publicUrl is not set' }
  }
  return { url: `${address}${hasPath ? '' : server.basePath.replace(/\/+$/, '')}/unsubscribe/` }
}
