import { parentPort, workerData } from 'node:worker_threads'
import { type Batch, openEngine } from './engine.ts'
import { failureOf, reasonOf, refused } from './failure.ts'
import type { ThreadAnswer, ThreadQuestion } from './thread.ts'

// A thread with one connection: what the disk takes its time over never keeps the rest of the process waiting.

const { folder, mayWrite } = workerData as { folder: string; mayWrite: boolean }

function opened() {
  try {
    return openEngine(folder, { mayWrite })
  } catch (error) {
    const { message } = refused(reasonOf(error), error)
    parentPort?.postMessage({
      number: 0,
      failure: { reason: message, kind: 'undone' },
    } satisfies ThreadAnswer)
    return undefined
  }
}

const engine = opened()
if (engine !== undefined) parentPort?.postMessage({ number: 0 } satisfies ThreadAnswer)
else parentPort?.close()

async function answerOf({ number, ask }: ThreadQuestion): Promise<ThreadAnswer> {
  try {
    if (ask.does === 'read') return { number, rows: engine?.read(ask.text, ask.values) ?? [] }
    if (ask.does === 'document') return { number, rows: [engine?.document(ask.step)] }
    if (ask.does === 'copy') await engine?.copyTo(ask.path)
    else engine?.commit(JSON.parse(ask.batch) as Batch)
    return { number }
  } catch (error) {
    const { reason, kind } = failureOf(error)
    return { number, failure: { reason, kind } }
  }
}

parentPort?.on('message', (question: ThreadQuestion | 'close') => {
  if (question !== 'close') return void answerOf(question).then((answer) => parentPort?.postMessage(answer))
  engine?.close()
  parentPort?.close()
})
