import { alertPath, publicRoot } from './console.ts'
import type { Config } from './schema.ts'

/** What the pipeline is made of that stands in the configuration alone: the same in service and where it is tried out. */
export function configuredParts(config: Config) {
  const root = config.console && publicRoot(config.console)
  return {
    routing: { channels: config.channels, operators: config.operators, retentionMs: config.retention },
    service: config.monitor?.name ?? 'Censorship Monitoring Service',
    pageOf: root === undefined ? undefined : (id: string) => alertPath(root, id),
  }
}
