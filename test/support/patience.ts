import { vi } from 'vitest'

// Waiting ends after 25 seconds by default. Vitest's one second is too little for a process or a disk on a
// machine that does other things too.
const timeout = 25_000

const { waitFor, waitUntil } = vi
vi.waitFor = (callback, options) => waitFor(callback, patient(options))
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))

function patient<T extends { timeout?: number }>(
  options: number | T | undefined,
): number | T | { timeout: number } {
  return typeof options === 'number' ? options : { timeout, ...options }
}
