import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { configJsonSchema } from '../../../src/config/json-schema.ts'
import { readConfigFile } from '../../../src/config/load.ts'

interface Node {
  properties?: Record<string, Node>
  const?: string
  description?: string
  examples?: unknown[]
  items?: Node
  anyOf?: Node[]
  oneOf?: Node[]
}

/** Each key below a node, by its path, with its schema. */
function* keysIn(node: Node, path = ''): Generator<[string, Node]> {
  for (const [key, value] of Object.entries(node.properties ?? {})) {
    const name = path === '' ? key : `${path}.${key}`
    yield [name, value]
    yield* keysIn(value, name)
  }
  for (const other of [node.items ?? [], node.anyOf ?? [], node.oneOf ?? []].flat()) {
    const kind = path === 'channels' ? other.properties?.type?.const : undefined
    yield* keysIn(other, kind === undefined ? path : `${path}.${kind}`)
  }
}

const all = [...keysIn(configJsonSchema() as Node)]

test('every key has a description and an example that the schema takes', () => {
  const ajv = formats.default(new Ajv2020({ strict: false }))
  expect(all.length).toBeGreaterThan(90)
  const bare = all.filter(([, { description, examples }]) => !description || examples?.length !== 1)
  expect(bare.map(([name]) => name)).toEqual([])
  const wrong = all.filter(([name, node]) => {
    const [example] = node.examples ?? []
    const isVariable = typeof example === 'string' && example.startsWith('$')
    // What a channel's type is stands in one of them alone.
    if (isVariable || name.endsWith('.type')) return false
    return !ajv.validate(node, example)
  })
  expect(wrong.map(([name, { examples }]) => [name, examples])).toEqual([])
})

test('the smallest example is a configuration, and the full one has each of its keys', () => {
  const file = 'config/bluepencil.minimal.yaml'
  const environment = {
    SLACK_WEBHOOK_URL: 'https://hooks.slack.com/services/T0/B0/of_the_test',
    MONITOR_API_KEY: 'mk_1f9d',
  }
  expect(readConfigFile(file, environment).compose({}).channels).toHaveLength(1)
  const full = Object.keys(parse(readFileSync('config/bluepencil.example.yaml', 'utf8')))
  expect(full).toEqual(expect.arrayContaining(Object.keys(parse(readFileSync(file, 'utf8')))))
})
