import { stringify } from 'yaml'
import type * as z from 'zod'
import { configJsonSchema } from '../config/json-schema.ts'
import { isAlternative, isSecretAt } from '../config/raw-secrets.ts'
import { dayMs, hourMs, minuteMs } from '../platform/durations.ts'

type SchemaPart = z.core.JSONSchema.BaseSchema
export type FieldKind =
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
export type DurationUnit = keyof typeof durationUnits

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
export function fullLabel({ label, kind, unit, isRequired, path }: SchemaField): string {
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

/** A value as its field shows it. */
export function textOf(value: unknown, kind: FieldKind, unit: DurationUnit): string {
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

/** A field and those in it. */
export function withInner(field: SchemaField): SchemaField[] {
  return [field, ...field.fields.flatMap(withInner)]
}
