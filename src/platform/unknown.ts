/** Whether it is an object with keys, such as a mapping of YAML: not null, and no list. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `ENOENT`, `ECONNREFUSED`, an SQLSTATE, …: the code of an error that has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
