import { describe } from 'vitest'
import { playScenes } from './held-scenes.ts'

// test/night/app/held.test.ts plays them with two, in memory and on Postgres.
describe('one application', () => {
  playScenes({ count: 1 })
})
