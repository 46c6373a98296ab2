import * as z from 'zod'
import { alertPath } from '../../config/console.ts'
import { type Desk, deskStates } from '../../event/desk.ts'
import { isFinding } from '../../event/event.ts'
import { kindOf, plainNames } from '../../message/render/about.ts'
import { headline } from '../../message/render/headline.ts'
import { levelsOf, statedSize } from '../../message/render/levels.ts'
import type { Control } from '../../people/control/control.ts'
import { plain } from '../../platform/text.ts'
import { deskColumns } from '../../record/export/changes.ts'
import { number, text, time } from '../../record/export/fields.ts'
import { readDesks } from '../../store/desks.ts'
import type { StoredAlert } from '../query.ts'

const states = ['waiting', 'sent', 'failed', 'not_sent', 'held', 'merged'] as const

/**
 * An alert for programs. This one table says what stands in a file, in an answer of the API, in its description and in the
 * data dictionary. What was not said, or not known when it came, is null.
 */
export const AlertRecord = z
  .object({
    id: text('The alert, as the service or Bluepencil named it'),
    url: text('Its permanent page in the console'),
    kind: z.enum(['alert', 'correction', 'withdrawal']).meta({
      description:
        'correction: it replaces the alert under revises. withdrawal: it withdraws that alert, which was found in the figures',
    }),
    headline: text('The change in one sentence, in English'),
    type: text(
      'policy_change, censorship_spike, version_change (found by Bluepencil), or as the service wrote it',
    ).nullable(),
    model: text('Identifier of the model, such as claude, or as the service wrote it').nullable(),
    category: text('Category of the prompts, such as political').nullable(),
    delta: number('Change of the refusal rate as it was reported; percentage points, signed').nullable(),
    detectedAt: text('When the service saw the change; ISO 8601, UTC').nullable(),
    receivedAt: time('When it reached Bluepencil'),
    reportedBy: z.enum(['service', 'figures']).meta({
      description:
        'service: the monitoring service reported it. figures: Bluepencil found it in the published figures',
    }),
    cameBy: z.enum(['webhook', 'poll']).meta({ description: 'How it reached Bluepencil' }),
    methodology: text('Address of the published methodology').nullable(),
    rateBefore: number('Published refusal rate before the change; percent').nullable(),
    rateNow: number('Published refusal rate since the change; percent').nullable(),
    promptsBefore: number('Prompts behind the rate before').nullable(),
    promptsNow: number('Prompts behind the rate since').nullable(),
    size: number('Change by the published figures; percentage points, signed').nullable(),
    sizeFrom: number('Lower end of the 95 percent interval of size; percentage points').nullable(),
    sizeTo: number('Upper end of the 95 percent interval of size; percentage points').nullable(),
    standardErrors: number('How many standard errors size is away from no change').nullable(),
    sameAs: text('Id of the alert that reported the same change first').nullable(),
    revises: text('Id of the alert that this one replaces').nullable(),
    confirms: text('Id of the finding that later figures confirm').nullable(),
    content: text(
      'Hash of what the service said, white space and order of keys aside; 32 hex digits',
    ).nullable(),
    unrecognised: z
      .array(z.string())
      .meta({ description: 'Fields that are not in the documented format, and what is wrong with them' }),
    desk: z.enum(deskStates).meta({
      description:
        'What the desk does about it: new, checking (somebody has acknowledged or taken it), published (a story about it)',
    }),
    deskBy: text('Who checks it, or published the story').nullable(),
    story: text('Address of the published story').nullable(),
    outcomes: z
      .record(z.string(), z.enum(states))
      .meta({ description: 'The result on each channel that was configured when it came' }),
  })
  .meta({ description: 'A change of what a model refuses, as it was reported or found' })
export type AlertRecord = z.infer<typeof AlertRecord>

/** `root`: the console's own address. */
export async function recordsOf(
  alerts: readonly StoredAlert[],
  root: string,
  control: Pick<Control, 'actsAbout'>,
): Promise<AlertRecord[]> {
  const deskOf = await readDesks(
    alerts.map(({ entry }) => entry),
    control,
  )
  return alerts.map((one) => recordOf(one, root, deskOf(one.entry)))
}

export function recordOf({ entry, outcomes }: StoredAlert, root: string, desk: Desk): AlertRecord {
  const { id, delta, detectedAt, receivedAt, source, methodology, sameAs, revises, confirms, content } = entry
  const levels = levelsOf(entry)
  const [sizeFrom, sizeTo] = levels?.interval ?? []
  return {
    id,
    url: alertPath(root, id),
    kind: kindOf(entry),
    headline: headline(entry, { size: statedSize(entry) }),
    ...plainNames(entry),
    delta,
    detectedAt,
    receivedAt,
    reportedBy: isFinding(entry) ? 'figures' : 'service',
    cameBy: source,
    methodology,
    rateBefore: levels?.before.rate ?? null,
    rateNow: levels?.now.rate ?? null,
    promptsBefore: levels?.before.prompts ?? null,
    promptsNow: levels?.now.prompts ?? null,
    size: levels?.size ?? null,
    sizeFrom: sizeFrom ?? null,
    sizeTo: sizeTo ?? null,
    standardErrors: levels?.standardErrors ?? null,
    sameAs,
    revises: revises ?? null,
    confirms: confirms ?? null,
    content: content ?? null,
    unrecognised: entry.unrecognised.map(({ field, problem }) => `${field}: ${plain(problem)}`),
    ...deskColumns(desk),
    outcomes: Object.fromEntries(Object.entries(outcomes).map(([channel, { state }]) => [channel, state])),
  }
}

export interface ExportColumn {
  name: string
  /** In words: "number", "text, or nothing". */
  form: string
  is: string
}

const Property = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.looseObject({ type: z.string(), description: z.string().optional() })).optional(),
  description: z.string().optional(),
})

const forms: Record<string, string> = {
  string: 'text',
  number: 'number',
  array: 'list of texts',
  object: 'by channel',
}

/** What stands in each column of a file, by the very schema that the file is written with. */
export function dictionary(): ExportColumn[] {
  return Object.entries(AlertRecord.shape).map(([name, schema]) => {
    const { type, enum: one, anyOf, description } = Property.parse(z.toJSONSchema(schema))
    const [value] = anyOf ?? []
    const jsonType = type ?? value?.type ?? ''
    const form = one === undefined ? (forms[jsonType] ?? jsonType) : one.join(', ')
    return {
      name,
      form: anyOf === undefined ? form : `${form}, or nothing`,
      is: description ?? value?.description ?? '',
    }
  })
}
