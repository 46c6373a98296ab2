import { bytesText } from './numbers.ts'

/** Where a person sees it: standard error. */
export interface ProgressScreen {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

const barWidth = 24
/** Milliseconds between two drawings. */
const everyMs = 100
const clear = '\r\u001b[K'

export interface DownloadProgress {
  /** Bytes so far, and of how many. */
  at(bytes: number, total: number | null): void
  /** Takes the line away. */
  end(): void
}

/** One line that is drawn again and again, on a terminal only. `now` in milliseconds. */
export function showProgress(screen: ProgressScreen, now: () => number): DownloadProgress {
  if (screen.isTTY !== true) return { at() {}, end() {} }
  let first: { bytes: number; at: number } | undefined
  let drawn = -Infinity
  return {
    at(bytes, total) {
      const at = now()
      // What an earlier run had fetched was not fetched now.
      first ??= { bytes, at }
      if (at - drawn < everyMs) return
      drawn = at
      const perSecond = at > first.at ? ((bytes - first.bytes) / (at - first.at)) * 1_000 : null
      screen.write(`${clear}${progressLine(bytes, total, perSecond).slice(0, (screen.columns ?? 80) - 1)}`)
    },
    end() {
      if (drawn !== -Infinity) screen.write(clear)
    },
  }
}

/** `perSecond`: bytes; `null` while it is not known. */
export function progressLine(bytes: number, total: number | null, perSecond: number | null): string {
  const speed = perSecond === null ? '' : `  ${bytesText(Math.round(perSecond))}/s`
  if (total === null || total === 0) return `${bytesText(bytes)}${speed}`
  const share = Math.min(bytes / total, 1)
  const full = Math.floor(share * barWidth)
  const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${bytesText(bytes)} of ${bytesText(total)}${speed}`
}
