import * as z from 'zod'
import { keys } from './keys.ts'
import { Config } from './schema.ts'

/** What is read of a JSON Schema here. */
const Schema: z.ZodType<SchemaNode> = z.lazy(() =>
  z.object({
    const: z.unknown().optional(),
    properties: z.record(z.string(), Schema).optional(),
    items: Schema.optional(),
    anyOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
  }),
)
interface SchemaNode {
  const?: unknown
  properties?: Record<string, SchemaNode> | undefined
  items?: SchemaNode | undefined
  anyOf?: SchemaNode[] | undefined
  oneOf?: SchemaNode[] | undefined
}

/** The JSON Schema of the configuration file as it is written; editors complete and check with it. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(Config, { io: 'input', unrepresentable: 'any' })
  explain(schema, '')
  return { title: 'Bluepencil configuration', ...schema }
}

/** Adds to each key below `path` what it is for, and an example. */
function explain(node: z.core.JSONSchema.BaseSchema, path: string): void {
  const type = path === 'channels' ? node.properties?.type : undefined
  const kind = typeof type === 'object' ? `.${type.const}` : ''
  for (const [key, value] of Object.entries(node.properties ?? {})) {
    if (typeof value !== 'object') continue
    const name = path === '' ? key : `${path}${kind}.${key}`
    const text = keys[name] ?? keys[name.replace(/^channels\.[^.]+/, 'channels.*')]
    if (text === undefined) throw new Error(`${name} has no row in keys.ts`)
    Object.assign(value, { description: text.is, examples: [text.example] })
    explain(value, name)
  }
  for (const other of [node.items, ...(node.anyOf ?? []), ...(node.oneOf ?? [])].flat()) {
    if (typeof other === 'object') explain(other, path)
  }
}

/** The keys that may stand in the mapping at `path` of the file's `value`. */
export function allowedKeys(path: PropertyKey[], value: unknown): string[] {
  let nodes = [Schema.parse(configJsonSchema())]
  let here = value
  for (const part of path) {
    here = step(here, part)
    nodes = nodes
      .flatMap((node) => {
        const next = typeof part === 'number' ? node.items : node.properties?.[String(part)]
        return next === undefined ? [] : alternatives(next)
      })
      .filter((node) => isOfType(node, here))
  }
  return [...new Set(nodes.flatMap((node) => Object.keys(node.properties ?? {})))]
}

function alternatives(node: SchemaNode): SchemaNode[] {
  const several = node.anyOf ?? node.oneOf
  return several === undefined ? [node] : several.flatMap(alternatives)
}

function step(value: unknown, part: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined
}

function isOfType(node: SchemaNode, value: unknown): boolean {
  const type = node.properties?.type?.const
  return type === undefined || step(value, 'type') === undefined || step(value, 'type') === type
}
