import { hashOf } from '../../../src/console/access/password.ts'

/** A hash that takes some milliseconds: the least that a configuration may have. What a real one costs is no matter here. */
export function quickHashOf(password: string): Promise<string> {
  return hashOf(password, { ln: 14, r: 1, p: 1 })
}
