import { parseArgs } from 'node:util'
import { forget, goneOffences, newOffences } from './counted.ts'
import { allOffences } from './rules.ts'

// Counts what is not as the project speaks (CONTRIBUTING.md, "Voice").
//
//     npm run voice                     counts by rule and by folder, and what is new
//     npm run voice -- --in src/app     each of a folder or file, with its line
//     npm run voice -- --write          takes what is gone from the list of old ones

const { values } = parseArgs({
  options: { in: { type: 'string' }, write: { type: 'boolean', default: false } },
})
const offences = allOffences()
if (values.in === undefined) {
  print(
    'rule',
    Map.groupBy(offences, ({ rule }) => rule),
  )
  print(
    'folder',
    Map.groupBy(offences, ({ file }) => file.split('/').slice(0, -1).slice(0, 2).join('/') || file),
  )
} else {
  for (const { file, line, rule, text } of offences.filter((offence) =>
    offence.file.startsWith(`${values.in}`),
  ))
    console.log(`${file}:${line}: ${rule}\n    ${text}`)
}
const gone = goneOffences(offences)
if (values.write) forget(gone)
console.log(
  `${offences.length} in all, of which ${gone.length} fewer than the list has${values.write ? ', taken from it' : ''}`,
)
const added = newOffences(offences)
for (const sentence of added) console.log(sentence)
process.exitCode = added.length > 0 ? 1 : 0

function print(head: string, groups: Map<string, unknown[]>): void {
  console.log(`by ${head}`)
  for (const [name, { length }] of [...groups].toSorted(([, a], [, b]) => b.length - a.length))
    console.log(`${String(length).padStart(7)}  ${name}`)
}
