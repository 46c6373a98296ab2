import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, generate, main, startOurs } from './child.ts'
import { channels, serveArgs } from './configs.ts'
import type { Load } from './job.ts'
import type { Scale } from './scale.ts'
import { median, perSecond, type Row } from './table.ts'

const connections = 64

/** A server that is measured once in every round. */
interface Subject {
  what: string
  /** The status for a repeat. */
  again: 200 | 202
  start(): Promise<Child>
}

interface Measured extends Load {
  /** Resident memory right after the load. */
  mebibytes: number
}

/**
 * Part (a). In every round each server is started anew, warmed up and loaded, one after the other; ratios are taken
 * within the round, so that what else the machine does weighs on both sides of them alike.
 */
export async function measureAccept(folder: string, scale: Scale): Promise<Row[]> {
  const stores = scale.retained.map((retained) => ({ retained, store: storeName(retained) }))
  const subjects: Subject[] = [
    {
      what: 'the same route without a store',
      again: 202,
      start: () => startOurs(folder, new URL('./storeless.ts', import.meta.url).pathname),
    },
    ...stores.map(
      ({ retained, store }): Subject => ({
        what: `durable accept, ${retained.toLocaleString('en')} retained`,
        again: 200,
        async start() {
          if (retained <= scale.restoreUpTo) await restore(folder, store)
          return startOurs(folder, main, serveArgs(folder, store, [channels.deaf]))
        },
      }),
    ),
  ]
  const rounds: Measured[][] = []
  for (let round = 0; round < scale.rounds; round++) rounds.push(await measureOnce(subjects, round, scale))

  const of = (index: number, read: (measured: Measured) => number) =>
    median(rounds.map((round) => read(pick(round, index))))
  const ratio = (index: number, to: number) =>
    median(rounds.map((round) => rateOf(pick(round, index)) / rateOf(pick(round, to))))
  const first = 1
  const last = subjects.length - 1
  const flat = ratio(last, first)
  const rows = subjects.map(({ what }, index): Row => {
    const row = {
      what,
      result: perSecond(of(index, rateOf)),
      p50: of(index, ({ p50 }) => p50),
      p99: of(index, ({ p99 }) => p99),
    }
    if (index === 0) {
      const busy = Math.round(of(index, (measured) => measured.busy) * 100)
      return { ...row, remark: `the generator used ${busy} % of a core` }
    }
    const share = ratio(index, 0)
    return {
      ...row,
      target: { text: '0.7 of the storeless, p99 < 20', met: share >= 0.7 && row.p99 < 20 },
      remark: `${share.toFixed(2)} of the storeless; p99 of the first ${scale.warmUp.toLocaleString('en')} after the start ${of(index, ({ coldP99 }) => coldP99).toFixed(0)} ms; ${Math.round(of(index, ({ mebibytes }) => mebibytes))} MiB under load`,
    }
  })
  const span = `${scale.retained.at(-1)?.toLocaleString('en')} against ${scale.retained[0]?.toLocaleString('en')} retained`
  return [
    ...rows,
    { what: span, result: flat.toFixed(2), target: { text: 'within 15 %', met: flat >= 0.85 } },
  ]
}

async function measureOnce(subjects: readonly Subject[], round: number, scale: Scale): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const place of subjects.keys()) {
    // Each comes first, second and so on in turn: a machine may slow down under load.
    const index = (place + round) % subjects.length
    const { start, again } = pick(subjects, index)
    const child = await start()
    const load = await generate({
      kind: 'bluepencil',
      port: child.port,
      connections,
      run: `r${round}s${index}`,
      warmUp: scale.warmUp,
      repeats: scale.repeats,
      requests: scale.requests,
      expect: 202,
      expectAgain: again,
    })
    measured[index] = { ...load, mebibytes: child.mebibytes() }
    await child.stop()
  }
  return measured
}

export function storeName(retained: number): string {
  return `retained-${retained}`
}

/** A small store would grow many times over from round to round; it begins each one as it was filled. */
async function restore(folder: string, store: string): Promise<void> {
  await rm(join(folder, store), { recursive: true, force: true })
  await cp(join(folder, `${store}-filled`), join(folder, store), { recursive: true })
}

function rateOf({ rate }: Measured): number {
  return rate
}

function pick<T>(list: readonly T[], index: number): T {
  const one = list[index]
  if (one === undefined) throw new Error(`there is no server ${index}`)
  return one
}
