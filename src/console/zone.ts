import type { Config } from '../config/schema.ts'

/** In which times are shown, and read: that of the first channel, as commands have it. */
export function zoneOf({ channels }: Pick<Config, 'channels'>): string {
  return channels[0]?.timeZone ?? 'UTC'
}
