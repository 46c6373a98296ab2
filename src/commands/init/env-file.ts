import { parseEnv } from 'node:util'

/**
 * The text of a `.env` with these variables in it. Lines of others stay as they are; a line of one of ours is replaced
 * in its place. Throws where a value cannot be written.
 */
export function withVariables(before: string, variables: Record<string, string>): string {
  const lines = before === '' ? [] : before.replace(/\n$/, '').split('\n')
  const open = new Map(Object.entries(variables))
  const kept = lines.flatMap((line) => {
    const name = nameOn(line)
    if (name === undefined || variables[name] === undefined) return [line]
    const value = open.get(name)
    open.delete(name)
    return value === undefined ? [] : [lineOf(name, value)]
  })
  const text = `${[...kept, ...Array.from(open, ([name, value]) => lineOf(name, value))].join('\n')}\n`
  const read = parseEnv(text)
  // Also of the others: a value may have several lines, and one of them may look like ours.
  const wanted = { ...parseEnv(before), ...variables }
  const lost = Object.keys(wanted).find((name) => read[name] !== wanted[name])
  if (lost !== undefined)
    throw new Error(`the value of ${lost} cannot be written to .env; write it there by hand`)
  return text
}

/** Of these names, those that a `.env` gives another value. */
export function differing(before: string, variables: Record<string, string>): string[] {
  const read = parseEnv(before)
  return Object.entries(variables).flatMap(([name, value]) =>
    read[name] === undefined || read[name] === value ? [] : [name],
  )
}

function nameOn(line: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1]
}

/** In the first quotes that give it back: within double ones, `\n` is a new line. Quoted only where it must be: `docker run --env-file` takes quotes as part of the value. */
function lineOf(name: string, value: string): string {
  if (/^[\w.:/@%+=,~?&-]+$/.test(value)) return `${name}=${value}`
  const quoted = ["'", '`', '"'].map((mark) => `${name}=${mark}${value}${mark}`)
  return quoted.find((line) => parseEnv(line)[name] === value) ?? `${name}=${value}`
}
