/** Where a person sees it: standard error. */
interface Screen {
  columns?: number
  write(text: string): unknown
}

export interface StatusLine {
  /** What is going on; drawn when it changes, and not again and again. */
  says(text: string): void
  /** Writes something above it. */
  above(write: () => void): void
  /** Takes it away. */
  end(): void
}

const clear = '\r\u001b[K'

/** One line below what was written last. */
export function statusLine(screen: Screen): StatusLine {
  let text = ''
  const draw = () => screen.write(`${clear}${text.slice(0, (screen.columns ?? 80) - 1)}`)
  return {
    says(now) {
      text = now
      draw()
    },
    above(writeAbove) {
      screen.write(clear)
      writeAbove()
      draw()
    },
    end() {
      text = ''
      screen.write(clear)
    },
  }
}

/** For who reads a file or a pipe. */
export const noStatusLine: StatusLine = { says() {}, above: (write) => write(), end() {} }
