import { listNames } from '../names.ts'
import { isFields } from '../readers/fields.ts'

/**
 * The members of a list, bare or wrapped once or twice; `null` in the place of a list is an empty one.
 * Undefined where there is no list.
 */
export function unwrapList(value: unknown, depth = 2): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (value === null) return []
  if (!isFields(value) || depth === 0) return undefined
  for (const name of listNames.members) {
    if (!(name in value)) continue
    const list = unwrapList(value[name], depth - 1)
    if (list !== undefined) return list
  }
  return undefined
}

/** An object, bare or wrapped under one of the names. */
export function unwrapObject(value: unknown, names: readonly string[]): unknown {
  if (!isFields(value)) return value
  const name = names.find((candidate) => isFields(value[candidate]))
  return name === undefined ? value : value[name]
}
