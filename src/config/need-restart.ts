import type { Config } from './schema.ts'

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
