import { copyFile, link, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, generate, main, startOurs } from './child.ts'
import { channels, serveArgs } from './configs.ts'
import type { Load } from './job.ts'
import type { Scale } from './scale.ts'
import { type Tally, undisturbed } from './stolen.ts'
import { median, perSecond, type Row } from './table.ts'

const connections = 64

/** The folder of the store under load. */
const loaded = 'loaded'

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

/** The load that counts, and every one that was tried for it. */
interface Counted {
  counted: Measured
  all: readonly Measured[]
}

/**
 * Part (a). In every round each server is started anew, warmed up and loaded, one after the other; ratios are taken
 * within the round, so that what else the machine does weighs on both sides of them alike.
 */
export async function measureAccept(folder: string, scale: Scale, tally: Tally): Promise<Row[]> {
  const subjects: Subject[] = [
    {
      what: 'the same route without a store',
      again: 202,
      start: () => startOurs(folder, new URL('./storeless.ts', import.meta.url).pathname),
    },
    ...scale.retained.map(
      (retained): Subject => ({
        what: `durable accept, ${retained.toLocaleString('en')} retained`,
        again: 200,
        async start() {
          await copyStore(join(folder, storeName(retained)), join(folder, loaded))
          return startOurs(folder, main, serveArgs(folder, loaded, [channels.deaf]))
        },
      }),
    ),
  ]
  const rounds: Counted[][] = []
  for (let round = 0; round < scale.rounds; round++) {
    rounds.push(await measureRound(subjects, round, scale, tally))
  }

  const of = (index: number, read: (measured: Measured) => number) =>
    median(rounds.map((round) => read(pick(round, index).counted)))
  const ratio = (index: number, to: number) =>
    median(rounds.map((round) => rateOf(pick(round, index).counted) / rateOf(pick(round, to).counted)))
  const p99OfAll = (index: number) =>
    median(rounds.flatMap((round) => pick(round, index).all.map(({ p99 }) => p99))).toFixed(1)
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
      return {
        ...row,
        remark: `the generator used ${busy} % of a core; p99 of all tries ${p99OfAll(index)} ms`,
      }
    }
    const share = ratio(index, 0)
    return {
      ...row,
      target: { text: '0.7 of the storeless, p99 < 20', met: share >= 0.7 && row.p99 < 20 },
      remark: `${share.toFixed(2)} of the storeless; p99 of all tries ${p99OfAll(index)} ms, of the first ${scale.warmUp.toLocaleString('en')} after the start ${of(index, ({ coldP99 }) => coldP99).toFixed(0)} ms; ${Math.round(of(index, ({ mebibytes }) => mebibytes))} MiB under load`,
    }
  })
  const span = `${scale.retained.at(-1)?.toLocaleString('en')} against ${scale.retained[0]?.toLocaleString('en')} retained`
  return [
    ...rows,
    { what: span, result: flat.toFixed(2), target: { text: 'within 15 %', met: flat >= 0.85 } },
  ]
}

async function measureRound(
  subjects: readonly Subject[],
  round: number,
  scale: Scale,
  tally: Tally,
): Promise<Counted[]> {
  const measured: Counted[] = []
  for (const place of subjects.keys()) {
    // Each comes first, second and so on in turn: a machine may slow down under load.
    const index = (place + round) % subjects.length
    const subject = pick(subjects, index)
    measured[index] = await undisturbed(() => measure(subject, scale), scale.attempts, tally)
  }
  return measured
}

async function measure({ start, again }: Subject, scale: Scale): Promise<Measured> {
  const child = await start()
  const load = await generate({
    kind: 'bluepencil',
    port: child.port,
    connections,
    run: 'accept',
    warmUp: scale.warmUp,
    repeats: scale.repeats,
    requests: scale.requests,
    expect: 202,
    expectAgain: again,
  })
  const mebibytes = child.mebibytes()
  await child.stop()
  return { ...load, mebibytes }
}

export function storeName(retained: number): string {
  return `retained-${retained}`
}

/** Every load begins with a store as it was filled. Sealed files are never written in place, so the copy shares them. */
async function copyStore(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await mkdir(join(to, 'segments'), { recursive: true })
  for (const name of await readdir(join(from, 'segments'))) {
    const copy = name.endsWith('.journal') ? copyFile : link
    await copy(join(from, 'segments', name), join(to, 'segments', name))
  }
}

function rateOf({ rate }: Measured): number {
  return rate
}

function pick<T>(list: readonly T[], index: number): T {
  const one = list[index]
  if (one === undefined) throw new Error(`there is no server ${index}`)
  return one
}
