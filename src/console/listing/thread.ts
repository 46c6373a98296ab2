import { parentPort, workerData } from 'node:worker_threads'
import { isDamage, openAnew, openDatabase } from './database.ts'
import { type Answer, type Question, type Tables, tablesOf } from './tables.ts'

// A thread that has the file of lists: what is written there, and what is asked of it, never keeps an alert waiting.

const path = String(workerData)
let database = openDatabase(path)
let tables = ofEither(() => tablesOf(database))

/** Most of what is damaged is noticed when it is read. */
function ofEither(open: () => Tables): Tables {
  try {
    return open()
  } catch (error) {
    if (!isDamage(error)) throw error
    return begunAnew()
  }
}

function begunAnew(): Tables {
  database.close()
  database = openAnew(path)
  return tablesOf(database)
}

function answered<Name extends keyof Tables>(name: Name, given: Parameters<Tables[Name]>) {
  const does: { [One in keyof Tables]: (...given: Parameters<Tables[One]>) => ReturnType<Tables[One]> } =
    tables
  return does[name](...given)
}

function answerOf({ number, name, given }: Question): Answer {
  try {
    return { number, answer: answered(name, given) }
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    const isAnew = isDamage(cause)
    if (isAnew) tables = begunAnew()
    return { number, error, isAnew }
  }
}

parentPort?.on('message', (asked: Question | 'close') => {
  if (asked !== 'close') return parentPort?.postMessage(answerOf(asked))
  database.close()
  parentPort?.close()
})
