const waits: Record<string, string> = {
  quiet: 'quiet hours',
  digest: 'they come as a digest',
  story: 'they belong to another message, which could not be changed',
  burst: 'more than ten alerts came within ten minutes',
}

/** What holds alerts, by `Held.by`. */
export function whatHolds(by: string): string {
  return waits[by] ?? 'a silence'
}
