import { Worker } from 'node:worker_threads'
import type { Job, Results } from './jobs.ts'

/** Runs jobs on so many processors, one at a time on each. */
export interface Pool {
  run<Kind extends Job['kind']>(job: Extract<Job, { kind: Kind }>): Promise<Results[Kind]>
  close(): Promise<void>
}

export function openPool(size: number): Pool {
  const all = Array.from({ length: size }, () => new Worker(new URL('jobs-worker.ts', import.meta.url)))
  const idle = [...all]
  const waiting: ((worker: Worker) => void)[] = []

  async function borrow(): Promise<Worker> {
    return idle.pop() ?? (await new Promise<Worker>((resolve) => waiting.push(resolve)))
  }

  function giveBack(worker: Worker): void {
    const next = waiting.shift()
    if (next === undefined) idle.push(worker)
    else next(worker)
  }

  return {
    async run<Kind extends Job['kind']>(job: Extract<Job, { kind: Kind }>) {
      const worker = await borrow()
      try {
        return await new Promise<Results[Kind]>((resolve, reject) => {
          worker.removeAllListeners()
          worker.once('message', resolve)
          worker.once('error', reject)
          worker.postMessage(job)
        })
      } finally {
        giveBack(worker)
      }
    },
    async close() {
      await Promise.all(all.map((worker) => worker.terminate()))
    },
  }
}
