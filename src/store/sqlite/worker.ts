import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openEngine, type SqliteConnection } from './engine.ts'
import { failureOf, reasonOf, refused } from './failure.ts'
import type { ThreadAnswer, ThreadQuestion } from './thread.ts'

// A thread with one connection: what the disk takes its time over never keeps the rest of the process waiting.
if (parentPort !== null) answer(parentPort, workerData as { folder: string; mayWrite: boolean })

function answer(port: MessagePort, { folder, mayWrite }: { folder: string; mayWrite: boolean }): void {
  let connection: SqliteConnection
  try {
    connection = openEngine(folder, { mayWrite })
  } catch (error) {
    const { message } = refused(reasonOf(error), error)
    port.postMessage({ number: 0, failure: { reason: message, kind: 'undone' } } satisfies ThreadAnswer)
    port.close()
    return
  }
  port.postMessage({ number: 0 } satisfies ThreadAnswer)
  port.on('message', (question: ThreadQuestion | 'close') => {
    if (question !== 'close')
      return void answerOf(connection, question).then((made) => port.postMessage(made))
    void connection.close()
    port.close()
  })
}

async function answerOf(
  connection: SqliteConnection,
  { number, does, given }: ThreadQuestion,
): Promise<ThreadAnswer> {
  try {
    return { number, result: await Reflect.apply(connection[does], connection, given) }
  } catch (error) {
    const { reason, kind } = failureOf(error)
    return { number, failure: { reason, kind } }
  }
}
