import * as z from 'zod'
import { createMetrics } from '../../../src/app/metrics.ts'
import { configJsonSchema } from '../../../src/config/json-schema.ts'
import { command } from '../../support/command.ts'

interface Key {
  path: string
  is: string
  example: string
  byDefault: string
  /** The types of channel that have it; empty if it is no key of a channel. */
  channels: string[]
}

/** docs/reference.md: every command as `--help` shows it, and every key and metric as the code has it. */
export async function referencePage(): Promise<string> {
  const helps = await helpOf([])
  const sections = Map.groupBy(allKeys(), ({ path }) => path.replace(/[.[].*$/, ''))
  const tables = [...sections].map(([name, keys]) => `### ${name}\n\n${keyTable(keys)}`)
  return `# Reference

Generated from the program. [Configuration](#configuration) has every key, [Commands](#commands) every command, and [Metrics](#metrics)
every metric.

## Configuration

Write \`\${NAME}\` for a variable of the environment, \`\${NAME:-default}\` for one with a default, and \`\${file:/run/secrets/name}\` for the content of
a file. Durations are such as \`90s\`, \`5m\`, \`2h\` or \`90d\`. An editor that knows JSON Schema completes keys with \`config/bluepencil.schema.json\`.

${tables.join('\n\n')}

## Commands

Run them with \`npx\`, or in a container with \`docker compose exec bluepencil\`. Exit code 0: done. 1: failed. 2: usage or configuration.

${helps.map(({ name, text }) => `### ${name}\n\n\`\`\`text\n${text}\n\`\`\``).join('\n\n')}

## Metrics

\`GET /metrics\` answers these for Prometheus, and those of Node.

| metric | meaning |
| --- | --- |
${await metricRows()}
`
}

async function metricRows(): Promise<string> {
  const metrics = createMetrics({
    backlog: async () => [],
    troubles: () => [],
    polling: () => undefined,
    budgetLeft: async () => undefined,
    now: () => 0,
    showsProcess: false,
  })
  const helps = (await metrics.text()).matchAll(/^# HELP (\S+) (.*)$/gm)
  return Array.from(helps, ([, name = '', help = '']) => `| \`${name}\` | ${cell(help)} |`).join('\n')
}

async function helpOf(words: string[]): Promise<{ name: string; text: string }[]> {
  const { out } = await command([...words, '--help'], 100)
  const [, list = ''] = /^Commands:\n((?: .*\n)+)/m.exec(out) ?? []
  const below = [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name)
  const helps = [{ name: ['bluepencil', ...words].join(' '), text: withoutSame(out) }]
  for (const name of below.filter((one) => one !== 'help')) helps.push(...(await helpOf([...words, name])))
  return helps
}

/** Every command has --help. */
function withoutSame(help: string): string {
  return help
    .replace(/^ +-h, --help .*\n/gm, '')
    .replace(/^Options:\n\n/gm, '')
    .trimEnd()
}

const Node = z.looseObject({
  description: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  const: z.unknown().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
})

function allKeys(): Key[] {
  const keys = new Map<string, Key>()
  for (const key of keysIn(configJsonSchema(), '', undefined)) {
    const same = `${key.path}\n${key.is}`
    const before = keys.get(same)
    if (before === undefined) keys.set(same, key)
    else before.channels.push(...key.channels.filter((type) => !before.channels.includes(type)))
  }
  return [...keys.values()]
}

function keysIn(value: unknown, path: string, channel: string | undefined): Key[] {
  const node = Node.parse(value)
  const { data: type } = Node.safeParse(node.properties?.type)
  const of = typeof type?.const === 'string' ? type.const : channel
  const { description } = node
  const here = description === undefined ? [] : [keyOf(node, path, description, of)]
  const items = node.items === undefined ? [] : keysIn(node.items, `${path}[]`, of)
  const named = Object.entries(node.properties ?? {})
  const properties = named.flatMap(([name, next]) => keysIn(next, path === '' ? name : `${path}.${name}`, of))
  const forms = [...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap((form) => keysIn(form, path, of))
  return [...here, ...items, ...properties, ...forms]
}

function keyOf(node: z.infer<typeof Node>, path: string, is: string, channel: string | undefined): Key {
  const [example] = node.examples ?? []
  const byDefault =
    node.default === undefined || typeof node.default === 'object' ? '' : written(node.default)
  return { path, is, example: written(example), byDefault, channels: channel === undefined ? [] : [channel] }
}

/** As it may be written in YAML, in one line. */
function written(value: unknown): string {
  if (value === undefined || value === '') return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function keyTable(keys: readonly Key[]): string {
  const types = new Set(keys.flatMap(({ channels }) => channels))
  const rows = keys.map(({ path, is, example, byDefault, channels }) => {
    const only = channels.length === 0 || channels.length === types.size ? '' : ` (${channels.join(', ')})`
    return `| \`${path}\`${only} | ${cell(is)} | ${code(byDefault)} | ${code(example)} |`
  })
  return ['| key | meaning | default | example |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*')
}

function code(text: string): string {
  return text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``
}
