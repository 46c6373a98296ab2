import * as z from 'zod'
import type { Act, Scope, StoredFilters } from '../event/act.ts'
import type { Digest } from '../event/digest.ts'
import type { AlertEvent, Entry, Notice } from '../event/event.ts'
import type { Levels } from '../event/levels.ts'

const Level = z.looseObject({ rate: z.number(), prompts: z.number().nullable(), readings: z.number() })

const StoredLevels = z.looseObject({
  category: z.string(),
  since: z.string(),
  before: Level,
  now: Level,
  size: z.number(),
  interval: z.tuple([z.number(), z.number()]),
  standardErrors: z.number(),
  noise: z.number(),
  besides: z.number(),
  drift: z.number(),
  driftSince: z.string().exactOptional(),
  firstRead: z.string().exactOptional(),
  version: z.looseObject({ from: z.string(), to: z.string() }).exactOptional(),
  alike: z.looseObject({ moved: z.number(), others: z.number(), points: z.number() }).exactOptional(),
}) satisfies z.ZodType<Levels>

const Figures = z.looseObject({
  state: z.enum(['visible', 'not-yet', 'not-shown', 'not-read']),
  sentence: z.string().nullable(),
  rate: z.number().nullable(),
  sampleSize: z.number().nullable(),
  baseline: z.number().nullable(),
  baselineDays: z.number().nullable(),
  standardErrors: z.number().nullable(),
  readAt: z.string().nullable(),
  levels: StoredLevels.exactOptional(),
})

const Said = z.looseObject({
  id: z.string(),
  by: z.enum(['figures', 'service']),
  type: z.string().nullable(),
  model: z.string().nullable(),
  category: z.string().nullable(),
  delta: z.number().nullable(),
  detectedAt: z.string().nullable(),
})

const Evidence = z.looseObject({
  headers: z.record(z.string(), z.string()),
  form: z.looseObject({ hash: z.string(), encoding: z.string(), key: z.string() }),
  secret: z.string(),
})

const Unrecognised = z.looseObject({
  field: z.enum(['body', 'id', 'type', 'model', 'category', 'delta', 'detected_at', 'methodology']),
  problem: z.string(),
})

const shown = {
  kind: z.literal('alert'),
  id: z.string(),
  type: z.string().nullable(),
  model: z.string().nullable(),
  category: z.string().nullable(),
  delta: z.number().nullable(),
  detectedAt: z.string().nullable(),
  source: z.enum(['webhook', 'poll']),
  receivedAt: z.string(),
  unrecognised: z.array(Unrecognised),
  // Events that were stored before there was polling have neither.
  figures: Figures.nullable().default(null),
  sameAs: z.string().nullable().default(null),
  missedSince: z.string().exactOptional(),
  revises: z.string().exactOptional(),
  confirms: z.string().exactOptional(),
  story: z.record(z.string(), z.string()).exactOptional(),
  found: z.literal(true).exactOptional(),
  version: z.looseObject({ from: z.string(), to: z.string() }).exactOptional(),
  before: Said.exactOptional(),
}

const Alert = z.looseObject({
  ...shown,
  methodology: z.string().nullable(),
  body: z.looseObject({ encoding: z.enum(['utf8', 'base64']), text: z.string() }),
  content: z.string().exactOptional(),
  evidence: Evidence.exactOptional(),
}) satisfies z.ZodType<AlertEvent>

const OperatorNotice = z.looseObject({
  kind: z.literal('notice'),
  id: z.string(),
  phase: z.enum(['trouble', 'over']),
  channel: z.string().nullable(),
  title: z.string(),
  text: z.string(),
  to: z.array(z.string()).exactOptional(),
  status: z.literal(true).exactOptional(),
  about: z.looseObject({ key: z.string(), since: z.string() }).exactOptional(),
  uncertain: z.literal(true).exactOptional(),
  receivedAt: z.string(),
}) satisfies z.ZodType<Notice>

const StoredPerson = z.looseObject({
  name: z.string(),
  id: z.string().exactOptional(),
  via: z.enum(['slack', 'discord', 'email', 'command', 'console']),
}) satisfies z.ZodType<Act['by']>

const StoredScope = z.looseObject({
  model: z.string().exactOptional(),
  category: z.string().exactOptional(),
  channel: z.string().exactOptional(),
}) satisfies z.ZodType<Scope>

const unless = z.looseObject({ minDelta: z.number() }).optional()

const Filters = z.looseObject({
  models: z.array(z.string()).optional(),
  events: z.array(z.string()).optional(),
  categories: z.array(z.string()).optional(),
  minDelta: z.number().optional(),
  direction: z.enum(['rise', 'fall', 'both']),
  quiet: z
    .looseObject({ from: z.string(), to: z.string(), days: z.array(z.string()).optional(), unless })
    .optional(),
  digest: z
    .looseObject({ every: z.string(), at: z.string().optional(), on: z.string().optional(), unless })
    .optional(),
}) satisfies z.ZodType<StoredFilters>

const done = {
  kind: z.literal('act'),
  id: z.string(),
  by: StoredPerson,
  receivedAt: z.string(),
  revision: z.int().exactOptional(),
}

const AnyAct = z.discriminatedUnion('does', [
  z.looseObject({ ...done, does: z.literal('acknowledge'), about: z.string() }),
  z.looseObject({
    ...done,
    does: z.literal('silence'),
    about: z.string().nullable(),
    scope: StoredScope,
    until: z.string(),
    why: z.string(),
  }),
  z.looseObject({ ...done, does: z.literal('end-silence'), about: z.string() }),
  z.looseObject({
    ...done,
    does: z.enum(['unsubscribe', 'subscribe']),
    about: z.null(),
    channel: z.string(),
    address: z.string(),
  }),
  z.looseObject({
    ...done,
    does: z.literal('send-again'),
    about: z.null(),
    entry: z.string(),
    channels: z.array(z.string()),
    held: z.array(z.string()).exactOptional(),
  }),
  z.looseObject({ ...done, does: z.literal('test'), about: z.null(), channel: z.string() }),
  z.looseObject({
    ...done,
    does: z.literal('change-filters'),
    about: z.null(),
    channel: z.string(),
    was: Filters,
    becomes: Filters,
  }),
  z.looseObject({
    ...done,
    does: z.literal('restore-filters'),
    about: z.null(),
    channel: z.string(),
    was: Filters,
  }),
  z.looseObject({
    ...done,
    does: z.enum(['make-token', 'revoke-token']),
    about: z.null(),
    token: z.string(),
    name: z.string(),
    use: z.enum(['feeds', 'api']),
  }),
]) satisfies z.ZodType<Act>

const OneDigest = z.looseObject({
  kind: z.literal('digest'),
  id: z.string(),
  channel: z.string(),
  by: z.string(),
  from: z.string(),
  until: z.string(),
  count: z.int(),
  of: z.array(z.string()),
  items: z.array(z.looseObject(shown)),
  silence: z.looseObject({ by: StoredPerson, why: z.string(), scope: StoredScope }).exactOptional(),
  receivedAt: z.string(),
}) satisfies z.ZodType<Digest>

/** An entry as it is stored. Unknown keys are kept: what was accepted is given back whole. */
export const AnyEntry: z.ZodType<Entry> = z.discriminatedUnion('kind', [
  Alert,
  OperatorNotice,
  AnyAct,
  OneDigest,
])
