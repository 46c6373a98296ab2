import { Dialect, dialectKeys } from '../../src/service/sandbox/dialect.ts'

/** The default dialect, and for every other value of every key the dialect that differs in it alone. */
export function dialectsOneApart(): { name: string; dialect: Dialect }[] {
  const others = dialectKeys().flatMap(({ key, values: [, ...rest] }) =>
    rest.map((value) => ({ name: `${key}=${value}`, dialect: Dialect.parse({ [key]: value }) })),
  )
  return [{ name: 'default', dialect: Dialect.parse({}) }, ...others]
}
