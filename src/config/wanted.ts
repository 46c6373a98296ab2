import { isForTroubleAlone } from '../channels/settings.ts'
import { knownModels, knownTypes } from '../event/event.ts'
import type { Config } from './schema.ts'

/** The address that the service is told: `publicUrl` itself where it has a path, else with our own path behind it. */
export function deliveryUrl(config: Config, publicUrl: string): string {
  const hasPath = new URL(publicUrl).pathname !== '/'
  return hasPath ? publicUrl : `${publicUrl}${config.server.basePath}${config.webhook.path}`
}

/** The union of what the channels want to hear; a channel for trouble alone wants no alerts. */
export function wanted(config: Config): { events: string[]; models: string[] } {
  const union = (
    all: readonly string[],
    of: (channel: Config['channels'][number]) => string[] | undefined,
  ) => {
    const readers = config.channels.filter((channel) => !isForTroubleAlone(channel))
    const named = new Set(readers.flatMap((channel) => of(channel) ?? [...all]))
    return all.filter((value) => named.has(value))
  }
  return {
    events: union(knownTypes, (channel) => channel.events),
    models: union(knownModels, (channel) => channel.models),
  }
}

/** Whether the published figures are read. */
export function polls({ monitor, polling }: Config): boolean {
  return monitor !== undefined && polling.mode !== 'off'
}
