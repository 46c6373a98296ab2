import { parseArgs } from 'node:util'
import { seededRandom } from '../../../src/service/sandbox/random.ts'
import { drawCase } from './covering.ts'
import { monthOf } from './month.ts'
import { dialectOf, dimensions } from './scene.ts'
import { walk } from './walk.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const count = Number(values.count)
const seed = Number(values.seed)
const random = seededRandom(seed, 'walk')
const began = performance.now()
let failed = 0

process.stdout.write(`seed ${seed}: ${count} dialects, each with a world of its own\n`)
for (let number = 1; number <= count; number++) {
  const chosen = drawCase(dimensions, random)
  try {
    await walk(chosen, seed + number)
    const { refused, most } = monthOf(dialectOf(chosen), random)
    if (refused > 0 || most > 100)
      throw new Error(`a month has ${refused} refusals, and ${most} requests in an hour`)
  } catch (error) {
    failed += 1
    process.exitCode = 1
    const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.message}` : ''
    process.stdout.write(`${String(error)}${cause}\n\n`)
  }
  if (number % 50 === 0) process.stdout.write(`${number} walked, ${failed} failed\n`)
}
const seconds = (performance.now() - began) / 1000
process.stdout.write(`${count} dialects walked, ${failed} failed; ${seconds.toFixed(0)} s\n`)
