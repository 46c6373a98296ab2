import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, generate, main, startOurs } from './child.ts'
import { channels, serveArgs } from './configs.ts'
import type { Load } from './job.ts'
import { connections, type Scale } from './scale.ts'
import { type Tries, told, undisturbed } from './stolen.ts'
import { line, median, perSecond, type Row, withRange } from './table.ts'

const storelessScript = new URL('./storeless.ts', import.meta.url).pathname

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

/**
 * Part (a). In every round each server is started anew, warmed up and loaded, one after the other. Ratios are
 * taken within the round, so both sides of them are near in time. `tell` is given the
 * lines of each round when it is done, so that a run which is stopped has not measured for nothing.
 */
export async function measureAccept(
  folder: string,
  scale: Scale,
  tell: (line: string) => void,
): Promise<Row[]> {
  const subjects: Subject[] = [
    {
      what: 'the same route without a store',
      again: 202,
      // The cache that `serve` turns on by itself: the two are to be of one shape.
      start: () => startOurs(folder, storelessScript, [], { NODE_COMPILE_CACHE: join(folder, 'compiled') }),
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
  const rounds: Tries<Measured>[][] = []
  for (let round = 0; round < scale.rounds; round++) {
    const measured = await measureRound(subjects, round, scale)
    for (const [index, { what }] of subjects.entries()) tell(roundLine(what, round, pick(measured, index)))
    rounds.push(measured)
  }

  const triesOf = (index: number) => rounds.map((round) => pick(round, index))
  const storeless = triesOf(0)
  return [
    ...subjects.flatMap(({ what }, index): Row[] => {
      const tries = triesOf(index)
      const counted = tries.map((one) => one.counted)
      const all = tries.flatMap((one) => one.all)
      const isStore = index > 0
      return [
        { ...row(what, counted), ...(isStore ? judged(tries, storeless, scale) : generator(tries)) },
        { ...row(`${what}, all tries`, all), ...(isStore ? { remark: shareOfAll(all, storeless) } : {}) },
      ]
    }),
    flatness(triesOf(1), triesOf(subjects.length - 1), scale),
  ]
}

function row(what: string, loads: readonly Measured[]): Row & { p99: number } {
  return {
    what,
    result: perSecond(median(loads.map(({ rate }) => rate))),
    p50: median(loads.map(({ p50 }) => p50)),
    p99: p99Of(loads),
  }
}

function roundLine(what: string, round: number, tries: Tries<Measured>): string {
  return line({ ...row(`round ${round + 1}, ${what}`, [tries.counted]), remark: told([tries]) })
}

function generator(tries: readonly Tries<Measured>[]): Pick<Row, 'remark'> {
  const busy = median(tries.map(({ counted }) => counted.busy))
  return { remark: `${told(tries)}; the generator used ${Math.round(busy * 100)} % of a core` }
}

/** A store's loads against those of the storeless route in the same rounds. */
function judged(
  tries: readonly Tries<Measured>[],
  storeless: readonly Tries<Measured>[],
  { warmUp }: Scale,
): Pick<Row, 'target' | 'remark'> {
  const loads = tries.map(({ counted }) => counted)
  const shares = ratios(tries, storeless)
  const cold = median(loads.map(({ coldP99 }) => coldP99)).toFixed(0)
  const mebibytes = Math.round(median(loads.map((load) => load.mebibytes)))
  return {
    target: { text: '0.7 of the storeless, p99 < 20', met: median(shares) >= 0.7 && p99Of(loads) < 20 },
    remark: `${told(tries)}; ${withRange(shares)} of the storeless; first ${warmUp.toLocaleString('en')}: p99 ${cold} ms; ${mebibytes} MiB`,
  }
}

function shareOfAll(all: readonly Measured[], storeless: readonly Tries<Measured>[]): string {
  const rate = (loads: readonly Measured[]) => median(loads.map((load) => load.rate))
  return `${(rate(all) / rate(storeless.flatMap((one) => one.all))).toFixed(2)} of the storeless`
}

function flatness(
  least: readonly Tries<Measured>[],
  most: readonly Tries<Measured>[],
  { retained }: Scale,
): Row {
  const shares = ratios(most, least)
  return {
    what: `${retained.at(-1)?.toLocaleString('en')} against ${retained[0]?.toLocaleString('en')} retained`,
    result: withRange(shares),
    target: { text: 'within 15 %', met: median(shares) >= 0.85 },
  }
}

/** Round by round. */
function ratios(tries: readonly Tries<Measured>[], to: readonly Tries<Measured>[]): number[] {
  return tries.map(({ counted }, round) => counted.rate / pick(to, round).counted.rate)
}

function p99Of(loads: readonly Measured[]): number {
  return median(loads.map(({ p99 }) => p99))
}

async function measureRound(
  subjects: readonly Subject[],
  round: number,
  scale: Scale,
): Promise<Tries<Measured>[]> {
  const measured: Tries<Measured>[] = []
  for (const place of subjects.keys()) {
    // Each comes first, second and so on in turn: a machine may slow down under load.
    const index = (place + round) % subjects.length
    const subject = pick(subjects, index)
    measured[index] = await undisturbed(() => measure(subject, scale), scale.attempts)
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

/** Every load begins with a store as it was filled. */
export async function copyStore(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true })
  for (const file of await readdir(from, { withFileTypes: true })) {
    if (file.isFile() && file.name !== 'lock') await copyFile(join(from, file.name), join(to, file.name))
  }
}

function pick<T>(list: readonly T[], index: number): T {
  const server = list[index]
  if (server === undefined) throw new Error(`there is no server ${index}`)
  return server
}
