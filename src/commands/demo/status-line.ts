import type { ProgressScreen } from '../monitor/progress.ts'

export interface StatusLine {
  /** What is waited for. Drawn once: nothing on it moves. */
  says(text: string): void
  /** Takes it away, as before anything is written where it stands. */
  clear(): void
}

const clearLine = '\r\u001b[K'

/** One line below what was written last. */
export function statusLine(screen: Pick<ProgressScreen, 'columns' | 'write'>): StatusLine {
  let isDrawn = false
  return {
    says(text) {
      screen.write(`${clearLine}${text.slice(0, (screen.columns ?? 80) - 1)}`)
      isDrawn = true
    },
    clear() {
      if (isDrawn) screen.write(clearLine)
      isDrawn = false
    },
  }
}

/** For who reads a file or a pipe. */
export const noStatusLine: StatusLine = { says() {}, clear() {} }
