import * as z from 'zod'
import type { Act, StoredFilters } from '../event/act.ts'
import { deskStates } from '../event/desk.ts'
import type { AlertEvent, Entry, Notice } from '../event/event.ts'
import { type Outcome, rules } from '../event/outcome.ts'

/**
 * What is stored was written by a Bluepencil, and the checksum of its row holds, so its shape is not checked again. A newer one may have
 * added keys, which are kept. A value that is new in a closed set is refused: this one cannot act on it (see sql/migrate.ts).
 */

const by = z.looseObject({
  via: z.enum(['slack', 'discord', 'email', 'command', 'console'] satisfies Act['by']['via'][]),
})

const Filters = z.looseObject({
  direction: z.enum(['rise', 'fall', 'both'] satisfies StoredFilters['direction'][]),
})

const shown = {
  source: z.enum(['webhook', 'poll'] satisfies AlertEvent['source'][]),
  unrecognised: z.array(
    z.looseObject({
      field: z.enum(['body', 'id', 'type', 'model', 'category', 'delta', 'detected_at', 'methodology']),
    }),
  ),
  figures: z.looseObject({ state: z.enum(['visible', 'not-yet', 'not-shown', 'not-read']) }).nullable(),
  before: z.looseObject({ by: z.enum(['figures', 'service']) }).exactOptional(),
}

const does = [
  'acknowledge',
  'set-desk',
  'silence',
  'end-silence',
  'unsubscribe',
  'subscribe',
  'send-again',
  'test',
  'change-filters',
  'restore-filters',
  'make-token',
  'revoke-token',
  'change-config',
  'sign-in',
] as const satisfies Act['does'][]

export const AnyEntry = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('alert'),
    ...shown,
    body: z.looseObject({ encoding: z.enum(['utf8', 'base64']) }),
  }),
  z.looseObject({
    kind: z.literal('notice'),
    phase: z.enum(['trouble', 'over'] satisfies Notice['phase'][]),
  }),
  z.looseObject({
    kind: z.literal('act'),
    does: z.enum(does),
    by,
    was: Filters.exactOptional(),
    becomes: Filters.exactOptional(),
    use: z.enum(['feeds', 'api']).exactOptional(),
    state: z.enum(deskStates).exactOptional(),
  }),
  z.looseObject({
    kind: z.literal('digest'),
    items: z.array(z.looseObject(shown)),
    silence: z.looseObject({ by }).exactOptional(),
  }),
])

const became = {
  state: z.enum(['waiting', 'sent', 'failed', 'not_sent', 'held', 'merged'] satisfies Outcome['state'][]),
  rule: z.enum(rules).exactOptional(),
}

export const AnyOutcome = z.looseObject({
  ...became,
  earlier: z.array(z.looseObject(became)).exactOptional(),
})

export function entryFrom(text: string): Entry {
  const entry = JSON.parse(text) as Entry
  AnyEntry.parse(entry)
  return entry
}

export function outcomeFrom(text: string): Outcome {
  const outcome = JSON.parse(text) as Outcome
  AnyOutcome.parse(outcome)
  return outcome
}
