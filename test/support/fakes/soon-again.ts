/**
 * `node --import soon-again.ts src/main.js serve`: what was in flight at a kill, and cannot be asked for, comes again
 * after a second and not after minutes, for tests that wait for it.
 */
import { retryPolicy } from '../../../src/deliver/policy.ts'

Object.assign(retryPolicy, { repeatAfterMs: [1_000, 1_000, 1_000] })
