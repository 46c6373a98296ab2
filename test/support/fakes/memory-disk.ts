import { dirname, join } from 'node:path'
import type { Disk, DiskFile, FileStatus } from '../../../src/store/lowdb/disk.ts'
import { LockFailed } from '../../../src/store/lowdb/lock-file.ts'

interface Node {
  kind: 'file' | 'folder'
  bytes: Buffer
  mode: number
  uid: number
  modifiedAt: number
  /** What a loss of power may take back, oldest first: writes that are not through to the disk. */
  unsynced: Undo[]
  /** Where the last bytes end that are through to the disk. */
  durableEnd: number
}

interface Undo {
  offset: number
  /** How many bytes were written. */
  length: number
  /** What stood there, up to where the file ended. */
  old: Buffer
  oldLength: number
}

/** A change of names that a loss of power may take back. */
interface NameChange {
  folder: string
  /** The name that goes, and the one that comes with its file. */
  from?: string
  to?: string
  node?: Node | undefined
}

interface MemoryDiskOptions {
  now?: () => number
  uid?: number
}

/**
 * The disk of one machine, in memory: what is written and what is through to the disk are kept apart. A process sees
 * it through a `Disk` of its own, which `kill` ends. Without chance of its own: the same calls give the same disk.
 */
export interface MemoryDisk {
  /** A new process: its own handles and locks. */
  mount(): { disk: Disk; kill(): void }
  /**
   * The machine is without power for a moment. What was not synced is lost; with `random` (0 to 1) some of it stays: the
   * first of the names that changed, and of each write all, nothing or its beginning. Kills every process.
   */
  losePower(random?: () => number): void
  /** The files as a process sees them, by path. */
  files(): Map<string, Buffer>
  /** As an outsider would: changes a file or makes one. */
  put(path: string, bytes: Uint8Array): void
  /** As root would: whose it is, and its permissions. */
  own(path: string, owner: { uid: number; mode: number }): void
  /** Another disk as this one is now, without its processes. */
  copy(): MemoryDisk
}

export function createMemoryDisk(options: MemoryDiskOptions = {}): MemoryDisk {
  return diskOf(new Map(), options)
}

function diskOf(
  names: Map<string, Node>,
  { now = () => 0, uid = 1000 }: MemoryDiskOptions,
  durable = new Map(names),
  renamed: NameChange[] = [],
): MemoryDisk {
  const locks = new Map<string, object>()
  const processes = new Set<() => void>()

  function newNode(kind: Node['kind'], mode: number): Node {
    return { kind, bytes: Buffer.alloc(0), mode, uid, modifiedAt: now(), unsynced: [], durableEnd: 0 }
  }

  function changeNames(change: NameChange): void {
    apply(change, names)
    renamed.push(change)
  }

  function nodeAt(path: string, kind: Node['kind'] = 'file'): Node {
    const node = names.get(path)
    if (node === undefined) throw failure('ENOENT', path)
    if (node.kind !== kind) throw failure(kind === 'file' ? 'EISDIR' : 'ENOTDIR', path)
    return node
  }

  function makeFile(path: string): Node {
    nodeAt(dirname(path), 'folder')
    const node = newNode('file', 0o600)
    changeNames({ folder: dirname(path), to: path, node })
    return node
  }

  function makeFolder(path: string): void {
    const known = names.get(path)
    if (known?.kind === 'folder') return
    if (known !== undefined) throw failure('EEXIST', path)
    const above = dirname(path)
    if (above !== path) makeFolder(above)
    const node = newNode('folder', 0o700)
    changeNames({ folder: dirname(path), to: path, node })
  }

  function write(node: Node, bytes: Uint8Array, offset: number): void {
    const length = Math.max(node.bytes.length, offset + bytes.length)
    node.bytes = resized(node.bytes, length)
    node.bytes.set(bytes, offset)
    node.modifiedAt = now()
  }

  function remember(node: Node, offset: number, length: number): Undo {
    const undo = {
      offset,
      length,
      old: Buffer.from(node.bytes.subarray(offset, offset + length)),
      oldLength: node.bytes.length,
    }
    node.unsynced.push(undo)
    return undo
  }

  /** So many bytes from there on are on disk: what a process that was killed had begun to write there is gone. */
  function synced(node: Node, undo: Undo, length: number): void {
    const { offset } = undo
    node.durableEnd = Math.max(node.durableEnd, offset + length)
    node.unsynced = node.unsynced.filter(
      (one) => one !== undo && !(one.offset >= offset && one.offset < offset + length),
    )
    for (const one of node.unsynced) {
      if (one.offset < offset) one.length = Math.min(one.length, offset - one.offset)
    }
  }

  function mount() {
    let isAlive = true
    const mine = {}

    /** One step of a process that is alive takes a turn; one that is dead never goes on. */
    async function step(): Promise<void> {
      if (isAlive) await Promise.resolve()
      if (!isAlive) await new Promise<never>(() => undefined)
    }

    function kill(): void {
      isAlive = false
      processes.delete(kill)
      for (const [path, holder] of locks) if (holder === mine) locks.delete(path)
    }

    async function put(node: Node, bytes: Uint8Array, offset: number, sync: boolean): Promise<void> {
      const undo = remember(node, offset, bytes.length)
      const half = Math.ceil(bytes.length / 2)
      write(node, bytes.subarray(0, half), offset)
      await step()
      write(node, bytes.subarray(half), offset + half)
      await step()
      if (sync) synced(node, undo, bytes.length)
    }

    const disk: Disk = {
      async read(path) {
        await step()
        return names.has(path) ? Buffer.from(nodeAt(path).bytes) : undefined
      },
      async list(folder) {
        await step()
        nodeAt(folder, 'folder')
        return [...names.keys()].filter((path) => path !== folder && dirname(path) === folder).map(nameOf)
      },
      async stat(path): Promise<FileStatus | undefined> {
        await step()
        const node = names.get(path)
        if (node === undefined) return undefined
        return { size: node.bytes.length, modifiedAt: node.modifiedAt, mode: node.mode, uid: node.uid }
      },
      async makeFolder(path) {
        await step()
        makeFolder(path)
      },
      async setMode(path, mode) {
        await step()
        const node = names.get(path)
        if (node === undefined) throw failure('ENOENT', path)
        if (node.uid !== uid) throw failure('EPERM', path)
        node.mode = mode
      },
      async mayWrite(path) {
        await step()
        const node = names.get(path)
        if (node === undefined) throw failure('ENOENT', path)
        if (((node.uid === uid ? node.mode >> 6 : node.mode >> 3) & 2) === 0) throw failure('EACCES', path)
      },
      async lock(path) {
        await step()
        if (locks.has(path)) throw new LockFailed('in use', undefined)
        if (!names.has(path)) makeFile(path)
        locks.set(path, mine)
        return {
          release() {
            if (locks.get(path) === mine) locks.delete(path)
          },
        }
      },
      async open(path): Promise<DiskFile> {
        await step()
        const node = names.has(path) ? nodeAt(path) : makeFile(path)
        return {
          async write(bytes, offset) {
            await step()
            await put(node, bytes, offset, true)
          },
          async truncate(length) {
            await step()
            remember(node, length, Math.max(0, node.bytes.length - length))
            node.bytes = resized(node.bytes, length)
            node.modifiedAt = now()
            await step()
            node.unsynced = []
            node.durableEnd = length
          },
          async close() {
            await step()
          },
        }
      },
      async create(path, bytes, { sync }) {
        await step()
        const node = makeFile(path)
        await put(node, bytes, 0, sync)
      },
      async copy(from, to) {
        await step()
        const bytes = Buffer.from(nodeAt(from).bytes)
        if (names.has(to)) throw failure('EEXIST', to)
        await put(makeFile(to), bytes, 0, true)
      },
      async link(from, to) {
        await step()
        if (names.has(to)) throw failure('EEXIST', to)
        changeNames({ folder: dirname(to), to, node: nodeAt(from) })
      },
      async rename(from, to) {
        await step()
        const node = nodeAt(from)
        changeNames({ folder: dirname(to), from, to, node })
      },
      async remove(path) {
        await step()
        if (names.has(path)) changeNames({ folder: dirname(path), from: path })
      },
      async syncFolder(folder) {
        await step()
        nodeAt(folder, 'folder')
        for (const change of renamed) if (change.folder === folder) apply(change, durable)
        renamed = renamed.filter((change) => change.folder !== folder)
      },
    }
    processes.add(kill)
    return { disk, kill }
  }

  return {
    mount,
    losePower(random) {
      for (const kill of processes) kill()
      for (const change of renamed) {
        if (random === undefined || random() < 0.3) break
        apply(change, durable)
      }
      renamed = []
      names = new Map(durable)
      for (const node of names.values()) {
        for (const undo of node.unsynced.reverse()) takeBack(node, undo, random)
        node.unsynced = []
      }
    },
    files: () =>
      new Map([...names].filter(([, { kind }]) => kind === 'file').map(([path, { bytes }]) => [path, bytes])),
    put(path, bytes) {
      makeFolder(dirname(path))
      const node = names.get(path) ?? makeFile(path)
      node.bytes = owned(bytes)
      node.unsynced = []
      durable = new Map(names)
      renamed = []
    },
    own: (path, owner) => void Object.assign(names.get(path) ?? {}, owner),
    copy() {
      const copies = new Map<Node, Node>()
      const copyOf = (node: Node): Node => {
        const known = copies.get(node)
        if (known !== undefined) return known
        const copy = { ...node, bytes: owned(node.bytes), unsynced: node.unsynced.slice() }
        copies.set(node, copy)
        return copy
      }
      const all = (from: Map<string, Node>) => new Map([...from].map(([path, node]) => [path, copyOf(node)]))
      return diskOf(
        all(names),
        { now, uid },
        all(durable),
        renamed.map((change) => ({ ...change, node: change.node && copyOf(change.node) })),
      )
    },
  }
}

function apply({ from, to, node }: NameChange, names: Map<string, Node>): void {
  if (from !== undefined) names.delete(from)
  if (to !== undefined && node !== undefined) names.set(to, node)
}

function takeBack(node: Node, undo: Undo, random: (() => number) | undefined): void {
  const { offset, length, old, oldLength } = undo
  const chance = random?.() ?? 1
  if (chance < 0.3) return
  const stays = chance < 0.6 && random !== undefined ? Math.floor(random() * length) : 0
  const before = node.bytes.length
  node.bytes = resized(node.bytes, Math.max(oldLength, node.durableEnd, stays === 0 ? 0 : offset + stays))
  // What never reached the disk reads as what was there before, and else as zeros.
  const end = Math.min(offset + length, node.bytes.length, before)
  node.bytes.fill(0, Math.min(offset + stays, end), end)
  node.bytes.set(old.subarray(Math.min(stays, old.length), length), offset + Math.min(stays, old.length))
}

/** With room to grow, so that a thousand appends do not copy a file a thousand times. */
function resized(bytes: Buffer, length: number): Buffer {
  if (length <= bytes.length) return bytes.subarray(0, length)
  const room = bytes.buffer.byteLength - bytes.byteOffset
  if (length <= room) {
    const grown = Buffer.from(bytes.buffer, bytes.byteOffset, length)
    return grown.fill(0, bytes.length)
  }
  const grown = Buffer.from(new ArrayBuffer(length * 2), 0, length)
  grown.set(bytes)
  return grown
}

/** Not from the pool that small buffers share. */
function owned(bytes: Uint8Array): Buffer {
  const copy = Buffer.alloc(bytes.length)
  copy.set(bytes)
  return copy
}

function nameOf(path: string): string {
  return path.slice(join(dirname(path), '/').length)
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}
