import { parse } from 'yaml'
import { valueUnder } from '../config/json-schema.ts'
import { sentenceOf } from './accounts.ts'
import { choicesField, fieldGroup, selectField, textArea, textField, tickField } from './form-parts.ts'
import type { Html } from './html.ts'
import { fullLabel, nameOf, type SchemaField, textOf, withInner } from './schema-fields.ts'

export interface FormProblem {
  path: readonly (string | number)[]
  message: string
  /** It is in no field of the form; the message says where. */
  elsewhere?: true
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
  const value = path.reduce(valueUnder, state.value)
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

/** Problems at their fields: each at the nearest one around it that the form has. */
export function errorsAt(
  fields: readonly SchemaField[],
  problems: readonly FormProblem[],
): Record<string, string> {
  const all = fields.flatMap(withInner)
  const errors: Record<string, string> = {}
  for (const { path, message, elsewhere } of problems) {
    if (elsewhere) {
      errors[''] ??= `${message}.`
      continue
    }
    const fits = all.filter(
      (field) => field.kind !== 'group' && field.path.every((key, at) => key === path[at]),
    )
    const field = fits.toSorted((one, other) => other.path.length - one.path.length)[0]
    const rest = field === undefined ? path : path.slice(field.path.length)
    const where = rest.filter((part) => typeof part === 'string').join('.')
    const [entry, ...inner] = rest
    const which = typeof entry === 'number' && inner.length === 0 ? `, entry ${entry + 1},` : ''
    const name = field === undefined ? '' : nameOf(field.path)
    const what = field === undefined ? 'It' : field.label.replace(/, in .*$/, '')
    errors[name] ??= sentenceOf(`${what}${which}${where === '' ? '' : ` (${where})`} ${message}`)
  }
  return errors
}
