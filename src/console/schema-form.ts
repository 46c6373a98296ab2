import { parse, stringify } from 'yaml'
import type * as z from 'zod'
import { configJsonSchema } from '../config/json-schema.ts'
import { isSecretAt } from '../config/raw-secrets.ts'
import { sentenceOf } from './accounts.ts'
import { choicesField, fieldGroup, selectField, textArea, textField, tickField } from './form-parts.ts'
import type { Html } from './html.ts'

type SchemaPart = z.core.JSONSchema.BaseSchema
type FieldKind = 'text' | 'secret' | 'number' | 'choice' | 'truth' | 'ticks' | 'list' | 'group' | 'yaml'

/** One key of the configuration as a field. Its name in the form is `in.` and its path: no field of ours is called so. */
export interface SchemaField {
  path: readonly string[]
  kind: FieldKind
  label: string
  help: string
  isRequired: boolean
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
  const node = path.reduce<SchemaPart>((at, key) => childOf(at, key), configJsonSchema())
  const ofType = type === undefined ? node : channelNode(node, type)
  return fieldsOf(ofType, [], { without, type })
}

/** One value by itself, such as a duration. */
export function valueField(path: readonly string[], label: string): SchemaField {
  const node = path.reduce<SchemaPart>((at, key) => childOf(at, key), configJsonSchema())
  return { ...fieldOf('', node, { path: [], isRequired: false, type: undefined, without: [] }), label }
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
    label: labelOf(key),
    help: helpOf(node, kind),
    options: Object.fromEntries((choices ?? []).map((one) => [String(one), String(one)])),
    fields: kind === 'group' ? fieldsOf(node, path, choosing) : [],
  }
}

function kindOfNode(key: string, node: SchemaPart, type: string | undefined): FieldKind {
  if (isSecretAt(key, { type })) return 'secret'
  if (node.enum !== undefined || typeof node.const === 'string') return 'choice'
  if (node.type === 'boolean') return 'truth'
  if (node.type === 'number' || node.type === 'integer') return 'number'
  if (node.type === 'object' && node.properties !== undefined) return 'group'
  if (node.type === 'array') {
    const items = itemsOf(node)
    return items?.enum !== undefined ? 'ticks' : items?.type === 'string' ? 'list' : 'yaml'
  }
  if (node.type === 'string') return 'text'
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

/** "baseUrl" → "Base URL". */
function labelOf(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const text = words.replace(/\b(url|api|ms|smtp|ca)\b/g, (word) => word.toUpperCase())
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function helpOf({ description = '', examples }: SchemaPart, kind: FieldKind): string {
  const [example]: unknown[] = Array.isArray(examples) ? examples : []
  const text = example === undefined ? '' : textOf(example, kind === 'yaml' ? 'yaml' : 'text')
  const isShort = text.length < 60 && !text.startsWith('${') && typeof example !== 'object'
  const isTyped = kind === 'text' || kind === 'number' || kind === 'list'
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
  const { path, kind, label, help, isRequired, options, fields } = field
  const name = nameOf(path)
  const value = path.reduce<unknown>(step, state.value)
  const shared = { name, label, help, error: state.errors?.[name] }
  const text = state.typed === undefined ? textOf(value, kind) : (state.typed[name] ?? '')
  // A group may be left out as a whole.
  const empty = isRequired && path.length === 1 ? {} : { '': 'not set' }
  switch (kind) {
    case 'group':
      return fieldGroup(label, schemaForm(fields, state), help)
    case 'secret':
      return secretField(field, { ...shared, isSet: value !== undefined && value !== '' })
    case 'choice':
      return selectField({ ...shared, options: { ...empty, ...options }, value: text })
    case 'truth':
      return selectField({ ...shared, options: { '': 'as usual', yes: 'yes', no: 'no' }, value: text })
    case 'ticks':
      return choicesField({ ...shared, options, chosen: text.split(',') })
    case 'yaml':
      return textArea({ ...shared, value: text })
    case 'text':
    case 'number':
    case 'list':
      return textField({
        ...shared,
        value: text,
        ...(kind === 'number' && { inputMode: 'decimal', isShort: true }),
      })
  }
}

function secretField(
  { path, isRequired }: SchemaField,
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
    label: `Remove it: ${shared.label}`,
    isTicked: false,
  })
  return isSet && !isRequired ? fieldGroup(shared.label, [input, remove]) : input
}

function textOf(value: unknown, kind: FieldKind): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (kind === 'yaml') return stringify(value, { lineWidth: 0 })
  if (Array.isArray(value)) return value.join(kind === 'ticks' ? ',' : ', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
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
  { path, kind, fields }: SchemaField,
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
  if (kind === 'number') return { value: numberOf(text), problems: [] }
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

function withInner(field: SchemaField): SchemaField[] {
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
    const what = field === undefined ? 'It' : field.label
    errors[name] ??= sentenceOf(`${what}${where === '' ? '' : ` (${where})`} ${message}`)
  }
  return errors
}
