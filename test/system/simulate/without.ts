import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { inPlantedCopy } from '../../support/planted-copy.ts'
import { type Mend, mends } from './mends.ts'

// Takes each mend out of a copy of the program, one at a time, and lives until a seed breaks a rule.
//
//     npm run simulate:without                        all of them, 1,000 seeds each at the most
//     npm run simulate:without -- --only "lease"      those whose name has it

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, seeds: { type: 'string', default: '1..1000' } },
})
const chosen = mends.filter(({ name }) => name.includes(values.only))
let noticed = 0
for (const mend of chosen) {
  const { breach, isOver } = liveWithout(mend)
  if (breach !== undefined) noticed += 1
  const how = breach !== undefined ? 'noticed' : isOver ? 'unseen' : 'no time'
  console.log(`${how.padEnd(8)} ${mend.name}${breach === undefined ? '' : `\n         ${breach}`}`)
}
console.log(`${noticed} of ${chosen.length} mends are noticed when they are taken out`)

/** The first rule that a seed breaks without it. `isOver` where all seeds were lived in time. */
function liveWithout({ edits }: Mend): { breach: string | undefined; isOver: boolean } {
  const planted = edits.map(({ file, mended, before }) => ({ file, text: mended, planted: before }))
  return inPlantedCopy(planted, (folder) => {
    const { stdout, signal } = spawnSync(
      process.execPath,
      ['test/system/simulate/run.ts', '--seeds', values.seeds, '--first'],
      { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 15 * 60_000 },
    )
    const breach = stdout.split('\n').find((line) => line.startsWith('seed '))
    return { breach, isOver: signal === null }
  })
}
