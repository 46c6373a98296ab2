import type { Entry } from './event.ts'

/** Whether it names others, whose messages may have to read otherwise. Nearly none does, so that nothing is read for most. */
export function isAboutOthers(entry: Entry): boolean {
  if (entry.kind === 'act') return true
  if (entry.kind !== 'alert') return false
  const { sameAs, revises, confirms, story = {} } = entry
  return sameAs !== null || revises !== undefined || confirms !== undefined || Object.keys(story).length > 0
}
