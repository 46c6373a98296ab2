import { expect, test } from 'vitest'
import * as z from 'zod'
import { migrations, notBesideOlder } from '../../../src/store/sql/migrate.ts'
import { AnyEntry, AnyOutcome } from '../../../src/store/stored-format.ts'

/** The values that a stored text may have, by key: a reader of this version refuses any other. */
function closedValues(schema: unknown, key = '', found = new Map<string, Set<unknown>>()) {
  if (Array.isArray(schema)) for (const part of schema) closedValues(part, key, found)
  else if (typeof schema === 'object' && schema !== null) {
    const { const: only, enum: some = [], properties = {}, ...rest } = schema as Record<string, unknown>
    const values = [...(only === undefined ? [] : [only]), ...(Array.isArray(some) ? some : [])]
    if (values.length > 0) found.set(key, new Set([...(found.get(key) ?? []), ...values]))
    for (const [name, one] of Object.entries(properties ?? {})) closedValues(one, name, found)
    for (const part of Object.values(rest)) closedValues(part, key, found)
  }
  return found
}

function valuesOf(schema: z.ZodType): Record<string, string> {
  const closed = closedValues(z.toJSONSchema(schema, { io: 'input' }))
  return Object.fromEntries(
    [...closed.keys()]
      .toSorted()
      .map((key) => [key, [...(closed.get(key) ?? [])].map(String).toSorted().join(' ')]),
  )
}

/**
 * A replica of the version before may work on the same database during an upgrade, and cannot read a kind, an act, a state or
 * another value that is new. If you add one, add a migration whose name ends in -not-beside-older.sql and a
 * line in CHANGELOG.md. Then change this list and the name of that migration.
 */
test('what an older replica reads is what it was since the last migration that no older one works beside', () => {
  expect(migrations.findLast((name) => name.endsWith(notBesideOlder))).toBe('0003-desk-not-beside-older.sql')
  expect(valuesOf(AnyEntry)).toEqual({
    by: 'figures service',
    direction: 'both fall rise',
    does: 'acknowledge change-config change-filters end-silence make-token restore-filters revoke-token send-again set-desk sign-in silence subscribe test unsubscribe',
    encoding: 'base64 utf8',
    field: 'body category delta detected_at id methodology model type',
    kind: 'act alert digest notice',
    phase: 'over trouble',
    source: 'poll webhook',
    state: 'checking new not-read not-shown not-yet published visible',
    use: 'api feeds',
    via: 'command console discord email slack',
  })
  expect(valuesOf(AnyOutcome)).toEqual({
    rule: 'categories channel-removed direction events minDelta models not-escalated nothing-new operators-only same-change stale unsubscribed',
    state: 'failed held merged not_sent sent waiting',
  })
})
