import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mends } from './mends.ts'

function simulate(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/system/simulate/run.ts', ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return { status, said: stdout + stderr }
}

test('300 lives of a desk, with faults at every boundary, break none of the seven rules', {
  timeout: 300_000,
}, () => {
  const { status, said } = simulate('--seeds', '1..300')
  expect(said).toContain('no rule broken')
  expect(status).toBe(0)
})

test('the same seed is the same life, to the byte, whatever was lived before it', {
  timeout: 120_000,
}, () => {
  const { said } = simulate('--seeds', '301..330', '--again')
  expect(said).not.toContain('is not the same run twice')
  expect(said).toContain('60 seeds:')
})

test.each(mends.flatMap(({ name, edits }) => edits.map(({ file, mended }) => ({ name, file, mended }))))(
  'what takes out "$name" is found in $file, once',
  ({ file, mended }) => {
    expect(readFileSync(file, 'utf8').split(mended)).toHaveLength(2)
  },
)
