import { createHash } from 'node:crypto'

/** `ntc_…`: the same key, phase and episode are the same notice, stored and sent once. */
export function noticeId(key: string, phase: string, episode: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([key, phase, episode]))
    .digest('hex')
  return `ntc_${hash.slice(0, 24)}`
}
