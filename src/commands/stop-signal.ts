/** However it goes, a process that was asked to end is gone after so many milliseconds. */
const endMs = 10_000

let isStopping = false
let onAsked = (code: number): void => process.exit(code)

/**
 * The listeners are there from the first moment and stay. Process 1 of a container only gets signals that it listens to,
 * and a signal that comes while you replace a listener is lost.
 */
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(code)
    onAsked(code)
  })
}

/** How often a process that npm started looks whether npm is still there, in milliseconds. */
const lookEveryMs = 500

// npx and npm pass no signal on: ended by one, they would leave this process running, and nobody would know.
if (process.env.npm_command !== undefined) {
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    onAsked(143)
  }, lookEveryMs).unref()
}

/**
 * Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. Ask before anything is
 * started, so that what has begun to start is also stopped.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    onAsked = (code) => {
      isStopping = true
      setTimeout(() => process.exit(code), endMs).unref()
      resolve()
    }
  })
}
