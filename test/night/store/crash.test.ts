import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { event, sent, start, waiting } from '../../contract/store.ts'
import { faultyDisk } from '../../unit/store/faulty-disk.ts'
import { openStore, temporaryFolder } from '../../unit/store/folder.ts'

/** What was acknowledged: ids, and the receipt or state of each outcome that was settled. */
interface Acknowledged {
  events: string[]
  outcomes: Map<string, string>
  state: unknown
}

/** Fills, seals, replays, folds in: every step that the store takes on the disk. */
async function scenario(
  store: Awaited<ReturnType<typeof openLowdbStore>>,
  done: Acknowledged,
): Promise<void> {
  async function settle(id: string, outcome: ReturnType<typeof sent>): Promise<void> {
    await store.settle(id, 'desk', outcome)
    done.outcomes.set(id, outcome.state === 'sent' ? outcome.receipt.text : outcome.state)
  }
  async function accept(...ids: string[]): Promise<void> {
    await store.accept(ids.map((id) => event(id)))
    done.events.push(...ids)
  }
  await accept('a')
  await accept('b', 'c')
  await settle('a', sent('a1'))
  await store.changeState('subscription', () => 1)
  done.state = 1
  await accept('d', 'e')
  for (const id of ['b', 'c', 'd', 'e']) await settle(id, sent(`${id}1`))
  await accept('f')
  await settle('c', waiting())
  await accept('g')
  await settle('c', sent('c2'))
  await store.changeState('subscription', () => 2)
  done.state = 2
  await settle('d', waiting())
  await accept('h', 'i', 'j')
  await settle('d', sent('d2'))
  for (const id of ['f', 'g', 'h', 'i', 'j']) await settle(id, sent(`${id}1`))
  await accept('k')
}

function nothing(): Acknowledged {
  return { events: [], outcomes: new Map(), state: undefined }
}

const program = new URL('../../unit/store/writer.ts', import.meta.url)

describe('a process that ends without a word', () => {
  it('loses and doubles nothing that was acknowledged, at whichever step on the disk it ends', async () => {
    let last = Number.POSITIVE_INFINITY
    for (let end = 1; end <= last; end++) {
      const folder = await temporaryFolder()
      const done = nothing()
      let step = 0
      const { disk } = faultyDisk(() => {
        step += 1
        // The process is gone: this step is cut off, and none follows.
        if (step >= end) throw new Error('the process has ended')
      })
      const options = { now: () => start, onTrouble: () => undefined, segmentSize: 5 }
      try {
        const store = await openLowdbStore(folder, { ...options, disk })
        await scenario(store, done).catch(() => undefined)
        await store.close()
      } catch {
        // It ended while it was opening.
      }
      if (step < end) last = end

      const { store, troubles } = await openStore(folder)
      const stored = (await store.list({ limit: 100 })).toReversed()
      const ids = stored.map(({ entry }) => entry.id)
      expect(ids.slice(0, done.events.length)).toEqual(done.events)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.length - done.events.length).toBeLessThanOrEqual(3)
      expect(stored.map(({ seq }) => seq)).toEqual(ids.map((_, index) => index + 1))
      const unlike = stored.filter(({ entry, outcomes }) => {
        const expected = done.outcomes.get(entry.id) ?? 'waiting'
        const outcome = outcomes.desk
        return expected !== (outcome?.state === 'sent' ? outcome.receipt.text : outcome?.state)
      })
      // The change that was cut off may have reached the disk without being acknowledged.
      expect(unlike.length).toBeLessThanOrEqual(1)
      expect([done.state, Number(done.state ?? 0) + 1]).toContain(await store.readState('subscription'))
      expect(troubles).toEqual([])
      const repeats = await store.accept(ids.map((id) => event(id)))
      expect(repeats.filter((verdict) => verdict === 'new')).toEqual([])
    }
    expect(last).toBeGreaterThan(60)
  }, 240_000)

  it('is taken over at once after kill -9, in the middle of everything, three times', async () => {
    const folder = await temporaryFolder()
    const accepted = new Set<string>()
    const settled = new Set<string>()
    const tried = new Set<string>()
    for (const prefix of ['one', 'two', 'three']) {
      const writer = spawn(process.execPath, [fileURLToPath(program), folder, prefix], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(() => void writer.kill('SIGKILL'))
      const ended = once(writer, 'exit')
      const lines: string[] = []
      const reading = createInterface({ input: writer.stdout }).on('line', (line) => lines.push(line))
      const drained = once(reading, 'close')
      await expect.poll(() => lines.length, { timeout: 60_000 }).toBeGreaterThan(0)
      await expect(openStore(folder)).rejects.toMatchObject({
        name: 'StoreRefused',
        message: `another Bluepencil is using ${folder}; stop it first, or name another folder for the store`,
      })
      await expect.poll(() => lines.length, { timeout: 60_000 }).toBeGreaterThan(400)
      writer.kill('SIGKILL')
      await Promise.all([ended, drained])
      expect(lines.filter((line) => line.startsWith('!'))).toEqual([])
      const sets: Record<string, Set<string>> = { '+': accepted, '*': tried, '=': settled }
      for (const line of lines) sets[line.slice(0, 1)]?.add(line.slice(1))

      const { store, troubles } = await openStore(folder, { segmentSize: 20 })
      const stored = new Map((await store.list({ limit: 1e6 })).map((one) => [one.entry.id, one]))
      expect([...accepted].filter((id) => !stored.has(id))).toEqual([])
      expect([...settled].filter((id) => stored.get(id)?.outcomes.desk?.state !== 'sent')).toEqual([])
      const owed = await store.lease('desk', { now: Date.parse('3000-01-01'), limit: 1e6, leaseMs: 1 })
      expect(owed.length).toBe(
        [...stored.values()].filter(({ outcomes }) => outcomes.desk?.state === 'waiting').length,
      )
      // What was in flight, of eight workers at most, and nothing else.
      const uncertain = owed.filter((one) => one.uncertain).map(({ eventId }) => eventId)
      const inFlight = owed.map(({ eventId }) => eventId).filter((id) => tried.has(id))
      expect(inFlight.filter((id) => !uncertain.includes(id))).toEqual([])
      expect(uncertain.filter((id) => Number(id.split('-').at(-1)) % 3 === 0)).toEqual([])
      expect(uncertain.length).toBeLessThanOrEqual(8)
      for (const { eventId, lease } of owed) await store.settle(eventId, 'desk', sent(), lease)
      expect(troubles).toEqual([])
      await store.close()
    }
    expect(accepted.size).toBeGreaterThan(300)
  }, 240_000)
})
