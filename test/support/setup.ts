import { afterAll, afterEach } from 'vitest'
import { judge } from '../contract/hold.ts'
import './patience.ts'

// Vitest runs this before each test file.
afterEach(judge)
afterAll(judge)
