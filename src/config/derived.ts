import { isForTroubleAlone } from '../channels/settings.ts'
import { knownModels, knownTypes } from '../event/event.ts'
import { alertPath, hasSignIn, publicRoot } from './console.ts'
import type { Config } from './schema.ts'

/** What the configuration says to a pipeline, in service and in a trial. */
export function pipelineSettings(config: Config) {
  const root = config.console && publicRoot(config.console)
  return {
    routing: { channels: config.channels, operators: config.operators, retentionMs: config.retention },
    service: config.monitor?.name ?? 'Censorship Monitoring Service',
    pageOf: root === undefined ? undefined : (id: string) => alertPath(root, id),
  }
}

/** Somebody can sign in, or the file has channels: those of the browser are made by somebody who has signed in. */
export function isSetUp({ channels, console }: Config): boolean {
  return channels.length > 0 || (console !== undefined && hasSignIn(console))
}

/** The webhook URL that we register: `publicUrl` itself if it has a path, else with our own path behind it. */
export function deliveryUrl(config: Config, publicUrl: string): string {
  const hasPath = new URL(publicUrl).pathname !== '/'
  return hasPath ? publicUrl : `${publicUrl}${config.server.basePath}${config.webhook.path}`
}

/** What the channels want to get between them. A channel for trouble alone wants no alerts. */
export function desiredAlerts(config: Config): { events: string[]; models: string[] } {
  const channels = config.channels.filter((channel) => !isForTroubleAlone(channel))
  const union = (all: readonly string[], filter: 'events' | 'models') =>
    all.filter((value) => channels.some(({ [filter]: values }) => values?.includes(value) ?? true))
  return { events: union(knownTypes, 'events'), models: union(knownModels, 'models') }
}

/** Whether the published figures are read. */
export function polls({ monitor, polling }: Config): boolean {
  return monitor !== undefined && polling.mode !== 'off'
}

/** Where readers unsubscribe: a token is put behind it. */
type UnsubscribeAddress =
  | { url: string }
  /** Why there is none, in words. */
  | { url: undefined; why: string }

/**
 * Without a path, an address is completed with `server.basePath`; with one it is used as it is, since proxies map paths. Mail programs
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

/** What a running process cannot change: the keys that differ and stay as they were. */
export function needRestart(before: Config, after: Config): string[] {
  const fixed: [string, (config: Config) => unknown][] = [
    ['store', (config) => config.store],
    ['server', ({ server }) => ({ ...server, publicUrl: undefined })],
    ['webhook.path', (config) => config.webhook.path],
    ['console', ({ console }) => console && [console.listen, console.publicUrl]],
    ['log', (config) => config.log],
  ]
  return fixed.flatMap(([key, of]) => (JSON.stringify(of(before)) === JSON.stringify(of(after)) ? [] : [key]))
}
