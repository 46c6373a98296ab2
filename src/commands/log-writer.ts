/**
 * Writes the lines of one turn of the event loop together: under load a write for each is a tenth of what a delivery
 * costs. What is left when the process ends is written then.
 */
export function byTurn(write: (text: string) => void): (line: string) => void {
  let lines: string[] = []

  function flush(): void {
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    write(text)
  }

  process.once('exit', flush)
  return (line) => {
    if (lines.length === 0) setImmediate(flush)
    lines.push(line)
  }
}
