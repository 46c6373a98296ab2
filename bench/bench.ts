import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureAccept, storeName } from './accept.ts'
import { killAll } from './child.ts'
import { measureDisk, syncTime } from './disk.ts'
import { fill } from './fill.ts'
import { measureReach } from './reach.ts'
import { measureRest } from './rest.ts'
import { measureRivals } from './rivals.ts'
import { full, quick } from './scale.ts'
import { line, type Row, table, writeBetweenMarkers } from './table.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    /** On the disk to be measured; else where temporary files go. */
    folder: { type: 'string', default: tmpdir() },
  },
})

/** One run, one table. Everything is on loopback and in a folder that is removed at the end. */
async function bench(folder: string): Promise<string> {
  const scale = values.quick ? quick : full
  const busy = loadavg()[0] ?? 0
  const sync = await syncTime(folder)
  const rows: Row[] = []
  const add = (...more: Row[]) => {
    rows.push(...more)
    process.stderr.write(more.map(line).join(''))
  }

  for (const retained of scale.retained) {
    const store = join(folder, storeName(retained))
    await fill(store, 0, retained)
    if (retained === 100_000) add(await measureDisk(store, retained))
  }
  add(...(await measureRest(folder, scale)))
  add(...(await measureReach(folder, scale.reached)))
  add(...(await measureAccept(folder, scale, (text) => process.stderr.write(text))))
  add(...(await measureRivals(folder, scale)))

  const made = new Date().toISOString().slice(0, 10)
  const on = `Node ${process.versions.node}, ${availableParallelism()} cores`
  const disk = `4 KiB on disk (fdatasync) in ${sync.toFixed(1)} ms`
  const load = `load average before the run ${busy.toFixed(1)}`
  return `${made}, ${on}, ${disk}, ${load}${values.quick ? ', --quick' : ''}.\n\n${table(rows)}`
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.stderr.write(`${signal}: stopped before the end\n`)
    killAll()
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
}
const folder = await mkdtemp(join(values.folder, 'bluepencil-bench-'))
try {
  const text = await bench(folder)
  process.stdout.write(`\n${text}`)
  if (values.write)
    writeBetweenMarkers(new URL('../docs/internals/performance.md', import.meta.url).pathname, text)
} finally {
  killAll()
  await rm(folder, { recursive: true, force: true })
}
