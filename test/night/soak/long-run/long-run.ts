import { parseArgs } from 'node:util'
import { judgeFlat } from './flat.ts'
import { liveWeeks } from './weeks.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0)) {
  process.stderr.write('--minutes N: how long it goes on, 60 unless given\n')
  process.exit(2)
}

const warmUpMs = minutes * 20_000
const count = Math.max(15, Math.round(minutes * 4))
const { days, events, samples } = await liveWeeks({
  warmUp: { milliseconds: warmUpMs },
  every: { milliseconds: (minutes * 60_000 - warmUpMs) / count },
  samples: count,
})
const verdicts = judgeFlat(samples)
process.stdout.write(
  `${Math.round(days / 7)} weeks and ${events} events in ${minutes} minutes; ${samples.length} samples after the warm-up\n\n`,
)
for (const { what, before, after, limit, isFlat } of verdicts) {
  const [from, to, most] = [before, after, before + limit].map((value) => value.toFixed(1).padStart(7))
  process.stdout.write(`${isFlat ? 'flat ' : 'GROWS'}  ${what.padEnd(28)} ${from} → ${to}, at most ${most}\n`)
}
process.exitCode = verdicts.every(({ isFlat }) => isFlat) ? 0 : 1
