import { parse, stringify } from 'yaml'
import type * as z from 'zod'
import { configJsonSchema } from '../config/json-schema.ts'
import { isAlternative, isSecretAt } from '../config/raw-secrets.ts'
import { dayMs, hourMs, minuteMs } from '../platform/durations.ts'
import { sentenceOf } from './accounts.ts'
import { choicesField, fieldGroup, selectField, textArea, textField, tickField } from './form-parts.ts'
import type { Html } from './html.ts'

type SchemaPart = z.core.JSONSchema.BaseSchema
type FieldKind =
  | 'text'
  | 'secret'
  | 'number'
  | 'duration'
  | 'choice'
  | 'tick'
  | 'truth'
  | 'ticks'
  | 'list'
  | 'group'
  | 'yaml'

/** One key of the configuration as a field. Its name in the form is `in.` and its path: no field of ours is called so. */
export interface SchemaField {
  path: readonly string[]
  kind: FieldKind
  label: string
  help: string
  isRequired: boolean
  /** Of a duration, as a file writes it: `m`. */
  unit: DurationUnit
  options: Record<string, string>
  fields: SchemaField[]
}

export interface FormProblem {
  path: readonly (string | number)[]
  message: string
}

/** The fields of what stands at a path of the configuration; of a channel, for its kind. */
export function schemaFields(
  path: readonly string[],
  { type, without = [] }: { type?: string; without?: readonly string[] } = {},
): SchemaField[] {
  return fieldsOf(nodeAt(path, type), [], { without, type })
}

/** One value by itself, such as a duration. */
export function valueField(path: readonly string[]): SchemaField {
  return fieldOf('', nodeAt(path), { path: [], isRequired: false, type: undefined, without: [] })
}

/** What a key of the configuration is called in forms, and what it is for; below `channels`, of a kind. */
export function wordsAt(
  path: readonly string[],
  type?: string,
): { title?: string | undefined; description?: string | undefined } {
  return nodeAt(path, type)
}

function nodeAt(path: readonly string[], type?: string): SchemaPart {
  return path.reduce<SchemaPart>((at, key) => {
    const node = childOf(at, key)
    return key === 'channels' && type !== undefined ? channelNode(node, type) : node
  }, configJsonSchema())
}

function childOf(node: SchemaPart, key: string): SchemaPart {
  const child = node.properties?.[key]
  if (typeof child !== 'object') throw new Error(`the schema has no ${key}`)
  return child
}

function channelNode({ items }: SchemaPart, type: string): SchemaPart {
  const kinds = typeof items === 'object' && !Array.isArray(items) ? (items.anyOf ?? items.oneOf ?? []) : []
  const kind = kinds.find((one) => childOf(one, 'type').const === type)
  if (kind === undefined) throw new Error(`there is no kind of channel ${type}`)
  return kind
}

interface Choosing {
  without: readonly string[]
  /** Of a channel. */
  type: string | undefined
}

function fieldsOf(node: SchemaPart, path: readonly string[], choosing: Choosing): SchemaField[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    if (typeof child !== 'object' || (path.length === 0 && choosing.without.includes(key))) return []
    const isRequired = node.required?.includes(key) === true && child.default === undefined
    return [fieldOf(key, child, { path: [...path, key], isRequired, ...choosing })]
  })
}

function fieldOf(
  key: string,
  node: SchemaPart,
  { path, isRequired, ...choosing }: Choosing & { path: readonly string[]; isRequired: boolean },
): SchemaField {
  const kind = kindOfNode(key, node, choosing.type)
  const choices = kind === 'ticks' ? itemsOf(node)?.enum : node.const === undefined ? node.enum : [node.const]
  return {
    path,
    kind,
    isRequired,
    unit: unitOf(node),
    label: node.title ?? key,
    help: helpOf(node, kind),
    options: Object.fromEntries((choices ?? []).map((one) => [String(one), String(one)])),
    fields: kind === 'group' ? fieldsOf(node, path, choosing) : [],
  }
}

function kindOfNode(key: string, node: SchemaPart, type: string | undefined): FieldKind {
  if (isSecretAt(key, { type })) return 'secret'
  if (node.enum !== undefined || typeof node.const === 'string') return 'choice'
  if (node.type === 'boolean') return node.default === false ? 'tick' : 'truth'
  if (node.type === 'number' || node.type === 'integer') return 'number'
  if (node.type === 'object' && node.properties !== undefined) return 'group'
  if (node.type === 'array') {
    const items = itemsOf(node)
    return items?.enum !== undefined ? 'ticks' : items?.type === 'string' ? 'list' : 'yaml'
  }
  if (node.type === 'string') return node.pattern === '^\\d+[smhd]$' ? 'duration' : 'text'
  const several = node.anyOf ?? node.oneOf ?? []
  if (several.some((one) => one.type === 'array')) return 'list'
  return several.length > 0 && several.every((one) => one.type !== 'object')
    ? 'text'
    : node.type === undefined && several.length === 0
      ? 'text'
      : 'yaml'
}

function itemsOf({ items }: SchemaPart): SchemaPart | undefined {
  return typeof items === 'object' && !Array.isArray(items) ? items : undefined
}

const durationUnits = {
  s: { name: 'seconds', ms: 1_000 },
  m: { name: 'minutes', ms: minuteMs },
  h: { name: 'hours', ms: hourMs },
  d: { name: 'days', ms: dayMs },
} as const
type DurationUnit = keyof typeof durationUnits

/** The unit of the example. */
function unitOf({ examples }: SchemaPart): DurationUnit {
  const [example]: unknown[] = Array.isArray(examples) ? examples : []
  return durationIn(example)?.unit ?? 'm'
}

function durationIn(value: unknown): { count: number; unit: DurationUnit } | undefined {
  const [, count = '', letter = ''] = /^(\d+)([smhd])$/.exec(String(value)) ?? []
  const unit = (['s', 'm', 'h', 'd'] as const).find((one) => one === letter)
  return unit && { count: Number(count), unit }
}

/** "Time to acknowledge, in minutes (optional)" */
function fullLabel({ label, kind, unit, isRequired, path }: SchemaField): string {
  const withUnit = kind === 'duration' ? `${label}, in ${durationUnits[unit].name}` : label
  const isFilled = !isRequired && !['choice', 'tick', 'truth', 'ticks'].includes(kind)
  return isFilled && !isAlternative(path.at(-1) ?? '') ? `${withUnit} (optional)` : withUnit
}

function helpOf(node: SchemaPart, kind: FieldKind): string {
  const { description = '', examples } = node
  const [example]: unknown[] = Array.isArray(examples) ? examples : []
  const shownAs = kind === 'yaml' || kind === 'duration' ? kind : 'text'
  const text = example === undefined ? '' : textOf(example, shownAs, unitOf(node))
  const isShort = text.length < 60 && !text.startsWith('${') && typeof example !== 'object'
  const isTyped = ['text', 'number', 'duration', 'list'].includes(kind)
  return [
    description.replace(/\.?$/, '.'),
    ...(kind === 'list' ? ['Commas between several.'] : []),
    ...(kind === 'yaml' && text !== ''
      ? [`As YAML, such as: ${stringify(example, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`]
      : []),
    ...(isTyped && isShort && text !== '' ? [`Such as ${text}`] : []),
  ].join(' ')
}

/** The name of a field in its form. */
export function nameOf(path: readonly (string | number)[]): string {
  return `in.${path.join('.')}`
}

interface SchemaFormState {
  /** What is in force, raw. A secret of it is never shown. */
  value: unknown
  /** What somebody typed, if it was not accepted. */
  typed?: Record<string, string> | undefined
  /** By the names of fields. */
  errors?: Record<string, string | undefined>
}

export function schemaForm(fields: readonly SchemaField[], state: SchemaFormState): Html[] {
  return fields.map((field) => controlOf(field, state))
}

function controlOf(field: SchemaField, state: SchemaFormState): Html {
  const { path, kind, help, isRequired, options, fields, unit } = field
  const name = nameOf(path)
  const value = path.reduce<unknown>(step, state.value)
  const shared = { name, label: fullLabel(field), help, error: state.errors?.[name] }
  const text = state.typed === undefined ? textOf(value, kind, unit) : (state.typed[name] ?? '')
  // A group may be left out as a whole.
  const empty = isRequired && path.length === 1 ? {} : { '': 'not set' }
  switch (kind) {
    case 'group':
      return fieldGroup(shared.label, schemaForm(fields, state), help)
    case 'secret':
      return secretField(field, { ...shared, isSet: value !== undefined && value !== '' })
    case 'choice':
      return selectField({ ...shared, options: { ...empty, ...options }, value: text })
    case 'tick':
      return tickField({ ...shared, isTicked: text === 'yes' })
    case 'truth':
      return selectField({ ...shared, options: { '': 'default', yes: 'yes', no: 'no' }, value: text })
    case 'ticks':
      return choicesField({ ...shared, options, chosen: text.split(',') })
    case 'yaml':
      return textArea({ ...shared, value: text })
    case 'text':
    case 'number':
    case 'duration':
    case 'list':
      return textField({
        ...shared,
        value: text,
        ...((kind === 'number' || kind === 'duration') && { inputMode: 'decimal', isShort: true }),
      })
  }
}

function secretField(
  { path, isRequired, label }: SchemaField,
  {
    isSet,
    help,
    ...shared
  }: { name: string; label: string; help: string; error: string | undefined; isSet: boolean },
): Html {
  const whole = isSet ? `${help} It is set; leave it empty to keep it.` : help
  const input = textField({ ...shared, help: whole, type: 'password', autocomplete: 'new-password' })
  const remove = tickField({
    name: `${nameOf(path)}.remove`,
    label: `Remove it: ${label}`,
    isTicked: false,
  })
  return isSet && !isRequired ? fieldGroup(label, [input, remove]) : input
}

function textOf(value: unknown, kind: FieldKind, unit: DurationUnit): string {
  if (value === undefined || value === null) return ''
  if (kind === 'duration') return durationText(value, unit)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (kind === 'yaml') return stringify(value, { lineWidth: 0 })
  if (Array.isArray(value)) return value.join(kind === 'ticks' ? ',' : ', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** In the unit of its field, if it has a whole number of them: "2h" → "120". */
function durationText(value: unknown, unit: DurationUnit): string {
  const duration = durationIn(value)
  if (duration === undefined) return String(value)
  const count = (duration.count * durationUnits[duration.unit].ms) / durationUnits[unit].ms
  return Number.isInteger(count) ? String(count) : String(value)
}

function step(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** What was filled in, raw. A secret that was left empty is absent, and stays as it is; null removes it. */
export function valueFrom(
  fields: readonly SchemaField[],
  typed: Record<string, string>,
): { value: Record<string, unknown>; problems: FormProblem[] } {
  const problems: FormProblem[] = []
  const entries = fields.flatMap((field): [string, unknown][] => {
    const read = readField(field, typed)
    problems.push(...read.problems)
    const key = field.path.at(-1) ?? ''
    return read.value === undefined ? [] : [[key, read.value]]
  })
  return { value: Object.fromEntries(entries), problems }
}

function readField(
  { path, kind, fields, unit }: SchemaField,
  typed: Record<string, string>,
): { value: unknown; problems: FormProblem[] } {
  const name = nameOf(path)
  const text = (typed[name] ?? '').trim()
  if (kind === 'group') {
    const { value, problems } = valueFrom(fields, typed)
    return { value: Object.keys(value).length === 0 ? undefined : value, problems }
  }
  if (kind === 'secret') {
    const isRemoved = typed[`${name}.remove`] === 'yes'
    return { value: text !== '' ? text : isRemoved ? null : undefined, problems: [] }
  }
  if (text === '') return { value: undefined, problems: [] }
  if (kind === 'truth') return { value: text === 'yes', problems: [] }
  if (kind === 'tick') return { value: text === 'yes' ? true : undefined, problems: [] }
  if (kind === 'number') return { value: numberOf(text), problems: [] }
  if (kind === 'duration') return { value: /^\d+$/.test(text) ? `${text}${unit}` : text, problems: [] }
  if (kind === 'ticks' || kind === 'list') return { value: listOf(text), problems: [] }
  if (kind !== 'yaml') return { value: text, problems: [] }
  try {
    return { value: parse(text), problems: [] }
  } catch {
    const message =
      'is not YAML: begin each entry with a hyphen, indent with blanks, and put text with a colon in quotes'
    return { value: undefined, problems: [{ path, message }] }
  }
}

/** What is no number is refused by the schema, in its words. */
function numberOf(text: string): number | string {
  const number = Number(text.replace(',', '.'))
  return Number.isNaN(number) ? text : number
}

function listOf(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** A field and those in it. */
export function withInner(field: SchemaField): SchemaField[] {
  return [field, ...field.fields.flatMap(withInner)]
}

/** Problems at their fields: each at the nearest one around it that the form has. */
export function errorsAt(
  fields: readonly SchemaField[],
  problems: readonly FormProblem[],
): Record<string, string> {
  const all = fields.flatMap(withInner)
  const errors: Record<string, string> = {}
  for (const { path, message } of problems) {
    const fits = all.filter(
      (field) => field.kind !== 'group' && field.path.every((key, at) => key === path[at]),
    )
    const field = fits.toSorted((one, other) => other.path.length - one.path.length)[0]
    const rest = field === undefined ? path : path.slice(field.path.length)
    const where = rest.filter((part) => typeof part === 'string').join('.')
    const name = field === undefined ? '' : nameOf(field.path)
    const what = field === undefined ? 'It' : field.label.replace(/, in .*$/, '')
    errors[name] ??= sentenceOf(`${what}${where === '' ? '' : ` (${where})`} ${message}`)
  }
  return errors
}
