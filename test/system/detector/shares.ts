import { registerHooks } from 'node:module'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import * as z from 'zod'
import { grid } from './grid.ts'

// What a larger share of the false alarms for each fall would cost: docs/internals/detection.md, "Other worlds".
// A share is a constant: each worker reads threshold.ts with another in its place.
const constant = 'fall: { overall: 0.02, political: 0.02, safety: 0.02, social: 0.02 }'
const firstSeed = 70_001

if (isMainThread) {
  const options = {
    years: { type: 'string', default: '1000' },
    trials: { type: 'string', default: '300' },
  } as const
  const { values } = parseArgs({ options })
  const rows: string[][] = []
  for (const share of [0.02, 0.05, 0.1]) rows.push(await rowOf(share, values))
  const head = [
    'each fall',
    'c, daily',
    'false alarms',
    'of falls',
    '−5 within 5',
    '−5, readings',
    '−10 within 2',
    '+10 at the first',
  ]
  process.stdout.write(
    `seeds from ${firstSeed} on, ${values.years} calm years, ${values.trials} trials\n\n${grid(head, rows)}`,
  )
} else {
  const { share, years, trials } = z
    .object({ share: z.number(), years: z.number(), trials: z.number() })
    .parse(workerData)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith('/src/intake/detect/threshold.ts')) return loaded
      const code = loaded.source ?? ''
      const source = typeof code === 'string' ? code : new TextDecoder().decode(code)
      if (!source.includes(constant)) throw new Error(`threshold.ts no longer has ${constant}`)
      return { ...loaded, source: source.replace(constant, constant.replaceAll('0.02', String(share))) }
    },
  })
  const { measuredRow } = await import('./shares-row.ts')
  parentPort?.postMessage(
    measuredRow(
      share,
      { from: firstSeed, to: firstSeed + years - 1 },
      { from: firstSeed, to: firstSeed + trials - 1 },
    ),
  )
}

async function rowOf(share: number, { years, trials }: { years: string; trials: string }): Promise<string[]> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { share, years: Number(years), trials: Number(trials) },
  })
  return await new Promise((resolve, reject) => {
    worker.once('message', (row) => resolve(z.array(z.string()).parse(row)))
    worker.once('error', reject)
  })
}
