import { minuteText as minuteOf } from '../../platform/text.ts'

/** In the place of what the service did not give. */
export const absent = '–'

const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** 1 kB is 1,000 B, as disks and networks count. */
export function bytesText(bytes: number | null): string {
  if (bytes === null) return absent
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1_000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power] ?? ''}`
}

export function countText(count: number | null): string {
  return count === null ? absent : count.toLocaleString('en')
}

/** "2026-11-21 14:00Z". */
export function minuteText(iso: string | null): string {
  return iso === null ? absent : minuteOf(iso)
}

/** "2026-11-21". */
export function dayText(iso: string | null): string {
  return iso === null ? absent : iso.slice(0, 10)
}
