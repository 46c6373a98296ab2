import { readFileSync } from 'node:fs'

/** Why a `${…}` could not be filled in; a sentence for people. */
export class SubstitutionError extends Error {
  override readonly name = 'SubstitutionError'
}

const variable = /\$\$\{|\$\{([^}]*)\}/g

/**
 * Fills in `${NAME}`, `${NAME:-default}` and `${file:/path}` (a file's content without the line end, as Docker
 * and Kubernetes mount secrets). `$${` is a literal `${`. Throws `SubstitutionError` with all that cannot be filled in.
 */
export function substitute(text: string, environment: Record<string, string | undefined>): string {
  if (/^\$[A-Z][A-Z\d_]*$/.test(text)) {
    throw new SubstitutionError(`${text} is no variable as it stands; write \${${text.slice(1)}}`)
  }
  const wrong: string[] = []
  const filled = text.replace(variable, (whole, inside: string | undefined) => {
    if (inside === undefined || whole === '$${') return '${'
    const value = filling(inside, environment)
    if (typeof value === 'string') return value
    wrong.push(value.problem)
    return ''
  })
  if (wrong.length > 0) throw new SubstitutionError([...new Set(wrong)].join('; '))
  return filled
}

function filling(
  inside: string,
  environment: Record<string, string | undefined>,
): string | { problem: string } {
  if (inside.startsWith('file:')) return contentOf(inside.slice('file:'.length))
  const [, name = '', fallback] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inside) ?? []
  if (name === '') return { problem: `\${${inside}} is not \${NAME}, \${NAME:-default} or \${file:/path}` }
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined
  if (value !== undefined && value !== '') return value
  return fallback ?? { problem: `the environment variable ${name} is not set` }
}

function contentOf(path: string): string | { problem: string } {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { problem: `the file ${path} ${unreadable[code] ?? `cannot be read (${code})`}` }
  }
}

const unreadable: Record<string, string> = {
  ENOENT: 'is not there',
  EACCES: 'may not be read by this user; change its owner or its mode (chmod, chown)',
  EISDIR: 'is a folder; name the file in it',
  ENOTDIR: 'lies below something that is no folder',
}
