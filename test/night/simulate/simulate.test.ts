import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { simulate } from '../../system/simulate/lives.ts'
import { mends } from '../../system/simulate/mends.ts'

// By day there are the lives 1 to 60.
test('the lives 61 to 330 of a desk, with faults at every boundary, break no rule; thirty lived again are the same to the byte', {
  timeout: 1_500_000,
}, () => {
  const { status, printed } = simulate('--seeds', '61..330', '--again', '30')
  expect(printed).not.toContain('is not the same run twice')
  expect(printed).toContain('300 seeds:')
  expect(printed).toContain('no rule broken')
  expect(status).toBe(0)
})

test('what simulate:without takes out of the program stands in its file, once', () => {
  const elsewhere = mends.flatMap(({ name, edits }) =>
    edits
      .map(({ file, mended }) => ({ name, file, times: readFileSync(file, 'utf8').split(mended).length - 1 }))
      .filter(({ times }) => times !== 1),
  )
  expect(elsewhere).toEqual([])
})
