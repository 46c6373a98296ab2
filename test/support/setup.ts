import { afterAll, vi } from 'vitest'
import './patience.ts'

const realDate = Date

// Vitest runs this before each test file. Files share a process: what a failed test replaced and left behind is restored for the next file.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  // A clock that stays moved makes another file fail, and only in some orders.
  if (globalThis.Date !== realDate) {
    globalThis.Date = realDate
    throw new Error('This file leaves a clock behind that is not the real one.')
  }
})
