import { days, learnt, noisy, see } from '../../unit/intake/detect/readings.ts'

// How often a steady drift from 20% over four months is taken for a step: the figures of docs/internals/detection.md, "Limits".
const histories = 100
const firstSeed = 201

for (const points of [0, 3, 6, 10]) {
  let taken = 0
  for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
    const drift = days(0, 120, (day) => noisy(day, 0.2 + (points / 100) * (day / 120), seed))
    const { findings } = see(learnt(365, seed), drift)
    if (findings.some(({ completes, status }) => completes === null && status !== 'drift')) taken += 1
  }
  process.stdout.write(
    `${points} points: taken for a step in ${Math.round((100 * taken) / histories)}% of ${histories} histories\n`,
  )
}
