import * as z from 'zod'
import { ChannelFilters } from '../channels/settings.ts'
import { inWords } from '../config/error.ts'
import { knownCategories } from '../event/event.ts'

/** The form of a channel's filters, as somebody has filled it in. It is shown again if it cannot be accepted. */
export interface FiltersFormData {
  models: string[]
  events: string[]
  categories: string[]
  otherCategories: string
  minDelta: string
  direction: string
  quietFrom: string
  quietTo: string
  quietDays: string[]
  quietUnless: string
  digestEvery: string
  digestAt: string
  digestOn: string
  digestUnless: string
}

/** No more than the form itself may have: what a person wrote is never left out in silence. */
const text = z.string().trim().catch('')
/** A box that is ticked alone comes as a text, several as a list. */
const ticked = z.union([z.array(z.string()), z.string().transform((one) => [one])]).catch([])

const Fields = z.object({
  models: ticked,
  events: ticked,
  categories: ticked,
  otherCategories: text,
  minDelta: text,
  direction: text,
  quietFrom: text,
  quietTo: text,
  quietDays: ticked,
  quietUnless: text,
  digestEvery: text,
  digestAt: text,
  digestOn: text,
  digestUnless: text,
}) satisfies z.ZodType<FiltersFormData>

export function filledIn(fields: Record<string, unknown>): FiltersFormData {
  return Fields.parse(fields)
}

/** The form as it shows these filters. */
export function formOf({
  models,
  events,
  categories = [],
  minDelta,
  direction,
  quiet,
  digest,
}: ChannelFilters): FiltersFormData {
  const isKnown = (category: string) => knownCategories.some((known) => known === category)
  return {
    models: models ?? [],
    events: events ?? [],
    categories: categories.filter(isKnown),
    otherCategories: categories.filter((category) => !isKnown(category)).join(', '),
    minDelta: numberText(minDelta),
    direction,
    quietFrom: quiet?.from ?? '',
    quietTo: quiet?.to ?? '',
    quietDays: quiet?.days ?? [],
    quietUnless: numberText(quiet?.unless?.minDelta),
    digestEvery: digest?.every ?? '',
    digestAt: digest?.at ?? '',
    digestOn: digest?.on ?? '',
    digestUnless: numberText(digest?.unless?.minDelta),
  }
}

/** What is wrong, a sentence each, by the name of the field; `''` is about the whole form. */
export type FiltersErrors = Partial<Record<keyof FiltersFormData | '', string>>

type ParsedFilters = { filters: ChannelFilters } | { errors: FiltersErrors }

/** What is meant by it, or what is wrong with it. Nothing ticked is no filter. */
export function filtersFrom(
  form: FiltersFormData,
  known: Record<'models' | 'events', readonly string[]>,
): ParsedFilters {
  const unknown = (['models', 'events'] as const).flatMap((field) =>
    form[field]
      .filter((one) => !known[field].includes(one))
      .map((one) => ({ field, error: `${names[field]}: there is no ${one}.` })),
  )
  const others = form.otherCategories
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const parsed = ChannelFilters.safeParse(
    {
      ...listed('models', form.models),
      ...listed('events', form.events),
      ...listed('categories', [...form.categories, ...others]),
      ...amount('minDelta', form.minDelta),
      direction: form.direction,
      ...quietOf(form),
      ...digestOf(form),
    },
    { error: inWords },
  )
  if (parsed.success && unknown.length === 0) return { filters: parsed.data }
  const wrong = (parsed.error?.issues ?? []).map(({ path, message }) => ({
    field: fieldOf(path, form),
    error: `${nameOf(path.join('.'))} ${message}.`,
  }))
  return { errors: errorsByField([...unknown, ...wrong], form) }
}

/** In the order of the form; of several in one field the first. */
function errorsByField(
  problems: readonly { field: keyof FiltersFormData | ''; error: string }[],
  form: FiltersFormData,
): FiltersErrors {
  const byField = Map.groupBy(problems, ({ field }) => field)
  const fields = ['', ...Object.keys(form)] as (keyof FiltersErrors)[]
  return Object.fromEntries(
    fields.flatMap((field) => (byField.get(field) ?? []).slice(0, 1).map(({ error }) => [field, error])),
  )
}

/** The field that a setting is filled in with. */
function fieldOf(path: readonly PropertyKey[], { categories }: FiltersFormData): keyof FiltersFormData | '' {
  const [key, part] = path
  if (key === 'quiet') return quietFields.get(part) ?? 'quietFrom'
  if (key === 'digest') return digestFields.get(part) ?? 'digestEvery'
  if (key === 'categories' && typeof part === 'number' && part >= categories.length) return 'otherCategories'
  return sameFields.find((name) => name === key) ?? ''
}

/** Called as the setting. */
const sameFields = ['models', 'events', 'categories', 'minDelta', 'direction'] as const
const quietFields = new Map<unknown, keyof FiltersFormData>([
  ['to', 'quietTo'],
  ['days', 'quietDays'],
  ['unless', 'quietUnless'],
])
const digestFields = new Map<unknown, keyof FiltersFormData>([
  ['at', 'digestAt'],
  ['on', 'digestOn'],
  ['unless', 'digestUnless'],
])

function quietOf({ quietFrom, quietTo, quietDays, quietUnless }: FiltersFormData): object {
  if (quietFrom === '' && quietTo === '') return {}
  return { quiet: { from: quietFrom, to: quietTo, ...listed('days', quietDays), ...unless(quietUnless) } }
}

/** What has no meaning for a digest of that kind is left as it was in the form, and not asked for. */
function digestOf({ digestEvery, digestAt, digestOn, digestUnless }: FiltersFormData): object {
  if (digestEvery === '') return {}
  const at = digestAt !== '' && digestEvery !== 'hour' ? { at: digestAt } : {}
  const on = digestOn !== '' && digestEvery === 'week' ? { on: digestOn } : {}
  return { digest: { every: digestEvery, ...at, ...on, ...unless(digestUnless) } }
}

function unless(text: string): object {
  return text === '' ? {} : { unless: amount('minDelta', text) }
}

function listed(name: string, values: readonly string[]): object {
  return values.length === 0 ? {} : { [name]: [...new Set(values)] }
}

function amount(name: string, text: string): object {
  return text === '' ? {} : { [name]: Number(text.replace(',', '.')) }
}

function numberText(number: number | undefined): string {
  return number === undefined ? '' : String(number)
}

const names = { models: 'Models', events: 'Types' }

const nameOfKey: Record<string, string> = {
  minDelta: 'The change',
  direction: 'The direction',
  'quiet.from': 'Quiet from',
  'quiet.to': 'Quiet to',
  'quiet.unless.minDelta': 'What is sent in quiet hours all the same',
  'digest.every': 'The digest',
  'digest.at': 'The hour of the digest',
  'digest.on': 'The day of the digest',
  'digest.unless.minDelta': 'What is sent beside the digest all the same',
}

function nameOf(path: string): string {
  return nameOfKey[path] ?? path
}
