import { readFileSync } from 'node:fs'

/** Why a `${…}` could not be filled in; a sentence for people. */
export class SubstitutionError extends Error {
  override readonly name = 'SubstitutionError'
}

const variable = /\$\$\{|\$\{([^}]*)\}/g

/**
 * Fills in `${NAME}`, `${NAME:-default}` and `${file:/path}` (a file's content without the line end, as Docker
 * and Kubernetes mount secrets). `$${` is a literal `${`.
 */
export function substitute(text: string, environment: Record<string, string | undefined>): string {
  return text.replace(variable, (whole, inside: string | undefined) => {
    if (inside === undefined || whole === '$${') return '${'
    if (inside.startsWith('file:')) return contentOf(inside.slice('file:'.length))
    const [, name = '', fallback] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inside) ?? []
    if (name === '')
      throw new SubstitutionError(`\${${inside}} is not \${NAME}, \${NAME:-default} or \${file:/path}`)
    const value = environment[name]
    if (value !== undefined && value !== '') return value
    if (fallback !== undefined) return fallback
    throw new SubstitutionError(`the environment variable ${name} is not set`)
  })
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new SubstitutionError(`the file ${path} could not be read`, { cause })
  }
}
