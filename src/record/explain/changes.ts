import type { MaskedChange } from '../../event/act.ts'
import { plain } from '../../platform/text.ts'

/** "channel desk: minDelta is 5, was 3": what somebody changed in the configuration, a line for each value. */
export function changeLines({ of, from, to }: MaskedChange): string[] {
  const [before, after] = [from, to].map((value) => new Map(leavesOf(value)))
  const keys = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
  return keys.flatMap((key) => {
    const [was, is] = [before?.get(key), after?.get(key)]
    if (was === is) return []
    const what = plain(key === '' ? of : `${of}: ${key}`)
    if (is === undefined) return [`${what} was ${was}, and is removed`]
    return [was === undefined ? `${what} is ${is}` : `${what} is ${is}, was ${was}`]
  })
}

/** Of nested values, by their path; people and channels in a list by their name. */
function leavesOf(value: unknown, path = ''): [string, string][] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null) {
    return [[path, plain(typeof value === 'string' ? value : JSON.stringify(value), 500)]]
  }
  return Object.entries(value).flatMap(([key, item]) => {
    const name: unknown = Array.isArray(value) ? Object(item).name : undefined
    const part = typeof name === 'string' ? name : key
    return leavesOf(item, path === '' ? part : `${path}.${part}`)
  })
}
