import { describe } from 'vitest'
import { playScenes } from './held-scenes.ts'

describe('one application', () => {
  playScenes({ count: 1 })
})

// test/night/app/held.test.ts plays all of them there.
describe('two applications on one Postgres', () => {
  playScenes({ count: 2, onPostgres: true }, [
    'what comes in a night of quiet hours is one digest in the morning, over a restart',
  ])
})
