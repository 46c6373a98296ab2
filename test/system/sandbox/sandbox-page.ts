import * as z from 'zod'
import { dialectKeys } from '../../../src/service/sandbox/dialect.ts'
import { findClient, findKey, type Key } from '../../../src/service/sandbox/keys.ts'

/** What `GET /_sandbox` answers. */
export const Description = z.object({
  keys: z.array(z.string()),
  oauth: z.object({ clients: z.array(z.string()) }),
  operations: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      body: z.record(z.string(), z.string()).optional(),
      query: z.record(z.string(), z.string()).optional(),
      does: z.string(),
    }),
  ),
})

/** docs/sandbox.md, from what the sandbox answers about itself. */
export function sandboxPage({ keys, oauth, operations }: z.infer<typeof Description>): string {
  const accounts = [
    ...keys.map((name) => findKey(name)),
    ...oauth.clients.map((id) => findClient(id, `${id}-secret`)),
  ]
  return `# Sandbox

Generated from the program. [Client and sandbox](client.md) says how to use it.

## Keys and OAuth clients

The secret of an OAuth client is its id with \`-secret\` behind it. \`POST /oauth/token\` is beside \`/v1\`.

${table(
  ['key or client', 'requests per hour', 'scopes'],
  accounts.flatMap((account) => (account === undefined ? [] : [accountCells(account)])),
)}

## Operations

Nobody needs a key for these. So don't open the sandbox to a network that you don't trust.

${table(['operation, and its fields', 'what it does'], operations.flatMap(operationRows))}

## Dialects

\`--dialect KEY=VALUE\`, as often as you like. Each key is a question that the specification leaves open. The first value is the default.

${table(['key', 'values', 'what it means'], dialectKeys().map(dialectCells))}
`
}

function accountCells({ name, hourlyLimit, scopes }: Key): string[] {
  return [`\`${name}\``, hourlyLimit.toLocaleString('en'), scopes.map((scope) => `\`${scope}\``).join(', ')]
}

function operationRows({ method, path, body, query, does }: z.infer<typeof Description>['operations'][0]) {
  const fields = Object.entries({ ...query, ...body })
  return [[`\`${method} ${path}\``, does], ...fields.map(([name, meaning]) => [`– \`${name}\``, meaning])]
}

function dialectCells({ key, values, meaning }: ReturnType<typeof dialectKeys>[0]): string[] {
  return [`\`${key}\``, values.map((value) => `\`${value}\``).join(', '), meaning]
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
