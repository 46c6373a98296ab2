/** "2026-11-21 14:00Z", of an ISO 8601 time in UTC. */
export function minuteText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')}Z`
}
