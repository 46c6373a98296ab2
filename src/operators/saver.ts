/** Writes what has changed, one write at a time; changes that come during a write share the next. */
export interface Saver {
  /** Resolves when what has changed until now was written, or could not be. */
  save(): Promise<void>
  /** Resolves when nothing is being written. */
  idle(): Promise<void>
}

export function createSaver(write: () => Promise<void>, onError: (error: unknown) => void): Saver {
  let saving: Promise<void> = Promise.resolve()
  let isDue = false
  return {
    save() {
      if (isDue) return saving
      isDue = true
      saving = saving.then(async () => {
        isDue = false
        await write().catch(onError)
      })
      return saving
    },
    idle: () => saving,
  }
}
