import { dialectKeys, ServiceDialect } from '../../src/service/sandbox/dialect.ts'

/** The default dialect, and for every other value of every key the dialect that differs in it alone. */
export function dialectsOneApart(): { name: string; dialect: ServiceDialect }[] {
  const others = dialectKeys().flatMap(({ key, values: [, ...rest] }) =>
    rest.map((value) => ({ name: `${key}=${value}`, dialect: ServiceDialect.parse({ [key]: value }) })),
  )
  return [{ name: 'default', dialect: ServiceDialect.parse({}) }, ...others]
}
