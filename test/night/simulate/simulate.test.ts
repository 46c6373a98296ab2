import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { simulate } from '../../system/simulate/lives.ts'
import { mends } from '../../system/simulate/mends.ts'

const timeout = 900_000

// By day there are the lives 1 to 60.
test.each(['61..180', '181..300'])(
  'the lives %s of a desk, with faults at every boundary, break none of the seven rules',
  { timeout },
  (seeds) => {
    const { status, printed } = simulate('--seeds', seeds)
    expect(printed).toContain('no rule broken')
    expect(status).toBe(0)
  },
)

test('the same seed is the same life, to the byte, even after other lives', { timeout }, () => {
  const { printed } = simulate('--seeds', '301..330', '--again', '30')
  expect(printed).not.toContain('is not the same run twice')
  expect(printed).toContain('60 seeds:')
})

test('what simulate:without takes out of the program stands in its file, once', () => {
  const elsewhere = mends.flatMap(({ name, edits }) =>
    edits
      .map(({ file, mended }) => ({ name, file, times: readFileSync(file, 'utf8').split(mended).length - 1 }))
      .filter(({ times }) => times !== 1),
  )
  expect(elsewhere).toEqual([])
})
