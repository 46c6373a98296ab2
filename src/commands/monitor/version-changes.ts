import type { History } from '../../service/client/endpoints/history.ts'

/** Where the version label is another than in the reading before; times are ISO 8601. */
export function versionChanges(found: History): { at: string; from: string; to: string }[] {
  const changes: { at: string; from: string; to: string }[] = []
  let before: string | null = null
  for (const { at, version } of found.points) {
    if (version === null) continue
    if (before !== null && before !== version) changes.push({ at, from: before, to: version })
    before = version
  }
  return changes
}
