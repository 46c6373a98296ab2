import { afterAll, afterEach, vi } from 'vitest'
import { judge } from '../contract/hold.ts'
import './patience.ts'

// Vitest runs this before each test file.
afterEach(judge)
afterAll(judge)

// Files share a process: whatever a test replaced, and left behind since it failed, is as before for the next file.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
