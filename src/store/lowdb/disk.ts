import { constants } from 'node:fs'
import {
  access,
  chmod,
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './failure.ts'
import { lockFile } from './lock-file.ts'

/** A file that is written in place. */
export interface DiskFile {
  /** Writes all of the bytes at the offset; resolves when they are on disk, as after fdatasync. */
  write(bytes: Uint8Array, offset: number): Promise<void>
  /** Resolves when the new length is on disk. */
  truncate(length: number): Promise<void>
  close(): Promise<void>
}

export interface FileStatus {
  size: number
  /** Milliseconds since the epoch. */
  modifiedAt: number
  /** Permissions alone: 0o600. */
  mode: number
  uid: number
}

/**
 * Everything that the store asks of the file system, so that a test can make each step fail, hold it up, or end the
 * process before or after it, and so that a store can live on a disk in memory. Errors have the codes of the
 * operating system.
 */
export interface Disk {
  /** Undefined where there is no such file. */
  read(path: string): Promise<Buffer | undefined>
  /** The names in a folder, in no order. */
  list(folder: string): Promise<string[]>
  /** Undefined where there is nothing of that name. */
  stat(path: string): Promise<FileStatus | undefined>
  /** With mode 0700, and what is above it where that is missing. No error where it is there. */
  makeFolder(path: string): Promise<void>
  setMode(path: string, mode: number): Promise<void>
  /** Rejects where this process may not write the file or folder, or where it is not there. */
  mayWrite(path: string): Promise<void>
  /** Makes the file where it is missing and keeps every other process from locking it. Rejects with `LockFailed` where another has it. */
  lock(path: string): Promise<{ release(): void }>
  /** For reading and writing; made with mode 0600 where it is missing. */
  open(path: string): Promise<DiskFile>
  /**
   * A file with these bytes, whole, mode 0600, in place of what a crash may have left of one; on disk (fsync) unless it
   * can be made again. Rejects rather than leave a part of it.
   */
  create(path: string, bytes: Uint8Array, options: { sync: boolean }): Promise<void>
  /** Resolves when the bytes of the copy are on disk (fsync); its name is not yet. Rejects where `to` is there. */
  copy(from: string, to: string): Promise<void>
  /** A second name for the same bytes; where the file system has no such names, a copy. Rejects where `to` is there. */
  link(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** No error where there is nothing to remove. */
  remove(path: string): Promise<void>
  /** Makes new names, and names that changed, durable: fsync of the folder. */
  syncFolder(path: string): Promise<void>
}

const { O_CREAT, O_DSYNC, O_NOFOLLOW, O_RDWR, O_TRUNC } = constants

export const realDisk: Disk = {
  async read(path) {
    return unlessMissing(() => readFile(path))
  },
  list: (folder) => readdir(folder),
  async stat(path) {
    const found = await unlessMissing(() => stat(path))
    if (found === undefined) return undefined
    return { size: found.size, modifiedAt: found.mtimeMs, mode: found.mode & 0o7777, uid: found.uid }
  },
  makeFolder,
  setMode: chmod,
  mayWrite: (path) => access(path, constants.W_OK),
  lock: lockFile,
  async open(path) {
    // With O_DSYNC a write is one call, where write and fdatasync are two, each waiting for its turn in a busy process.
    const handle = await open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_DSYNC, 0o600)
    return {
      write: (bytes, offset) => writeAll(handle, bytes, offset),
      async truncate(length) {
        await handle.truncate(length)
        await handle.datasync()
      },
      close: () => handle.close(),
    }
  },
  async create(path, bytes, { sync }) {
    const handle = await open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
    try {
      await writeAll(handle, bytes, 0)
      if (sync) await handle.sync()
      await handle.close()
    } catch (error) {
      await handle.close().catch(() => undefined)
      await rm(path, { force: true })
      throw error
    }
  },
  async copy(from, to) {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await syncPath(to)
  },
  async link(from, to) {
    try {
      await link(from, to)
    } catch (error) {
      if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') throw error
      await realDisk.copy(from, to)
    }
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  syncFolder: syncPath,
}

/**
 * Without mkdir's own `recursive`: Node 26 tries for ever where a folder is there in which nothing can be made, and that
 * answers ENOENT, as /proc does.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) return await orIsFolder(path, error)
    await makeFolder(dirname(path))
    await mkdir(path, { mode: 0o700 }).catch((again: unknown) => orIsFolder(path, again))
  }
}

async function orIsFolder(path: string, error: unknown): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) throw error
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Past a limit of file size (RLIMIT_FSIZE) the kernel's signal would end the process; where it is heard, the write
 * fails with EFBIG, as on a full disk.
 */
export function outliveFileSizeLimit(): void {
  if (!process.listeners('SIGXFSZ').includes(heard)) process.on('SIGXFSZ', heard)
}

function heard(): void {}

/** A write may take less than it is given, without an error; the rest then says why. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done)
    done += bytesWritten
  }
}
