import type { DocumentStep } from './document.ts'
import type { Batch, Engine } from './engine.ts'

/** An engine that is asked and answers, in this thread or another. Rejects with `DatabaseFailure`. */
export interface SqliteConnection {
  read(text: string, values: readonly unknown[]): Promise<unknown[]>
  commit(batch: Batch): Promise<void>
  /** As `Engine.copyTo`. */
  copyTo(path: string): Promise<void>
  /** As `Engine.document`. */
  document(step: DocumentStep): Promise<string | undefined>
  close(): Promise<void>
}

/** In this thread: for a test, or for a command that opens a store for a moment. */
export function connectionTo(engine: Engine): SqliteConnection {
  return {
    read: async (text, values) => engine.read(text, values),
    commit: async (batch) => engine.commit(batch),
    copyTo: (path) => engine.copyTo(path),
    document: async (step) => engine.document(step),
    close: async () => engine.close(),
  }
}
