import { type Disk, type DiskFile, realDisk } from '../../../src/store/lowdb/disk.ts'

/** `write`: half of it is in the file. `sync`: all of it is, and the disk then says that it could not keep it. */
export type Step =
  | 'open'
  | 'write'
  | 'sync'
  | 'truncate'
  | 'create'
  | 'copy'
  | 'rename'
  | 'remove'
  | 'syncFolder'

/** A disk that counts its steps and asks before each; what `before` throws is what the step fails with. */
export function faultyDisk(
  before: (step: Step, path: string) => void | Promise<void>,
  base: Disk = realDisk,
): { disk: Disk; steps: Record<Step, number> } {
  const steps = {
    open: 0,
    write: 0,
    sync: 0,
    truncate: 0,
    create: 0,
    copy: 0,
    rename: 0,
    remove: 0,
    syncFolder: 0,
  }
  async function step(name: Step, path: string): Promise<void> {
    steps[name] += 1
    await before(name, path)
  }

  async function open(path: string): Promise<DiskFile> {
    await step('open', path)
    const file = await base.open(path)
    return {
      async write(bytes, offset) {
        try {
          await step('write', path)
        } catch (error) {
          // A disk that fails in the middle of a write has taken some of it.
          await file.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), offset)
          throw error
        }
        await file.write(bytes, offset)
        // Its fault comes when everything is in the file, and may be on the disk or not.
        await step('sync', path)
      },
      async truncate(length) {
        await step('truncate', path)
        await file.truncate(length)
      },
      close: () => file.close(),
    }
  }

  return {
    steps,
    disk: {
      ...base,
      open,
      async create(path, bytes, options) {
        await step('create', path)
        await base.create(path, bytes, options)
      },
      async copy(from, to) {
        await step('copy', to)
        await base.copy(from, to)
      },
      async rename(from, to) {
        await step('rename', to)
        await base.rename(from, to)
      },
      async remove(path) {
        await step('remove', path)
        await base.remove(path)
      },
      async syncFolder(path) {
        await step('syncFolder', path)
        await base.syncFolder(path)
      },
    },
  }
}

/** As the operating system would put it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: a fault of the test`), { code })
}

/** The first to come is held up until it is let go. */
export function gate() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let isFirst = true
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    async pass() {
      if (!isFirst) return
      isFirst = false
      reached.resolve()
      await opened.promise
    },
  }
}
