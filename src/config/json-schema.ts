import * as z from 'zod'
import { Config } from './schema.ts'

type SchemaNode = z.core.JSONSchema.BaseSchema

/** The JSON Schema of the configuration file as it is written; editors complete and check with it. */
export function configJsonSchema(): SchemaNode {
  const schema = z.toJSONSchema(Config, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => describe(jsonSchema),
  })
  return { title: 'Bluepencil configuration', ...schema }
}

/** Names what `key` says as JSON Schema does. Zod itself leaves out the examples of what it transforms. */
function describe(node: SchemaNode): void {
  const { is, example } = node
  if (is === undefined) return
  delete node.is
  delete node.example
  Object.assign(node, { description: is, examples: [example] })
}

/** The keys that may stand in the mapping at `path` of the file's `value`. */
export function allowedKeys(path: PropertyKey[], value: unknown): string[] {
  let nodes = [configJsonSchema()]
  let here = value
  for (const part of path) {
    here = valueUnder(here, part)
    nodes = nodes
      .flatMap((node) => {
        const next = typeof part === 'number' ? node.items : node.properties?.[String(part)]
        return typeof next === 'object' && !Array.isArray(next) ? alternatives(next) : []
      })
      .filter((node) => isOfType(node, here))
  }
  return [...new Set(nodes.flatMap((node) => Object.keys(node.properties ?? {})))]
}

function alternatives(node: SchemaNode): SchemaNode[] {
  const several = node.anyOf ?? node.oneOf
  return several === undefined ? [node] : several.flatMap(alternatives)
}

/** What it has under a key; undefined for what has no keys. */
export function valueUnder(value: unknown, part: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined
}

function isOfType(node: SchemaNode, value: unknown): boolean {
  const { type: property } = node.properties ?? {}
  const type = typeof property === 'object' ? property.const : undefined
  return type === undefined || valueUnder(value, 'type') === undefined || valueUnder(value, 'type') === type
}
