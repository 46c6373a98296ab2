/** "1 message", "2 messages", "1 try", "2 tries". */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** A length of time, no more exact than people say it: "1 minute", "119 minutes", "2 hours", "3 days". */
export function span(minutes: number): string {
  if (minutes < 120) return counted(minutes, 'minute')
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`
}
