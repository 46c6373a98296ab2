import type { Disk, DiskFile } from '../../../src/store/lowdb/disk.ts'
import { between, type Chance } from '../detector/chance.ts'
import type { Timeline } from './timeline.ts'

/** How the disk is at the moment: the chance of each mishap at a step, from 0 to 1. */
export interface DiskWeather {
  /** Steps that write fail: full, or sick. */
  failing: number
  /** A step takes up to five seconds. */
  slow: number
}

export const soundDisk: DiskWeather = { failing: 0, slow: 0 }

const codes = ['ENOSPC', 'EIO'] as const

/** A disk as one process has it, with the weather that is at the moment. `onStep` is called before and after each step. */
export function weatheredDisk(
  disk: Disk,
  parts: {
    timeline: Timeline
    random: Chance
    weather(): DiskWeather
    onStep(): void
    note(what: string): void
  },
): Disk {
  const { timeline, random } = parts

  async function step<T>(what: string, isChange: boolean, work: () => Promise<T>): Promise<T> {
    const { failing, slow } = parts.weather()
    if (random() < slow) {
      await new Promise<void>((resolve) => void timeline.after(between(random, 1, 5_000), resolve))
    }
    if (isChange && random() < failing) {
      const code = codes[Math.floor(random() * codes.length)] ?? 'EIO'
      parts.note(`disk: ${what} ${code}`)
      throw Object.assign(new Error(code), { code })
    }
    parts.onStep()
    const done = await work()
    parts.onStep()
    return done
  }

  const reads = { read: true, list: true, stat: true, mayWrite: true, lock: true }
  const wrapped = Object.fromEntries(
    Object.entries(disk).map(([name, method]) => [
      name,
      (...args: unknown[]) =>
        step(
          `${name} ${String(args[0]).replace(/^.*\//, '')}`,
          !(name in reads),
          () => Reflect.apply(method, disk, args) as Promise<unknown>,
        ),
    ]),
  ) as unknown as Disk
  return {
    ...wrapped,
    async open(path) {
      const file = await wrapped.open(path)
      const name = path.replace(/^.*\//, '')
      return {
        // The probe is 64 KiB each minute, and nobody reads it.
        write: (bytes, offset) =>
          step(`write ${name}`, true, () =>
            torn(file, name === 'probe' ? bytes.subarray(0, 1) : bytes, offset),
          ),
        truncate: (length) => step(`truncate ${name}`, true, () => file.truncate(length)),
        close: () => file.close(),
      }
    },
  }

  /** A write may stop half way, and say so. */
  async function torn(file: DiskFile, bytes: Uint8Array, offset: number): Promise<void> {
    if (random() < parts.weather().failing) {
      await file.write(bytes.subarray(0, Math.floor(random() * bytes.length)), offset)
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    }
    await file.write(bytes, offset)
  }
}
