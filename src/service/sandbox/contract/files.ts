import { writeFileSync } from 'node:fs'
import { ServiceDialect } from '../dialect.ts'
import { DeliveryBody } from '../events.ts'
import { jsonSchema, openApi } from './openapi.ts'

const folder = 'docs/internals/contracts'
/** Where `npx bluepencil sandbox` listens unless told otherwise. */
const origin = 'http://127.0.0.1:4010'

/** The contract of the sandbox's default dialect, by file. */
export function contractFiles(): Map<string, string> {
  const dialect = ServiceDialect.parse({})
  const event = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Event of the Censorship Monitoring Service',
    ...jsonSchema(DeliveryBody, dialect),
    examples: [
      {
        id: 'evt_5f2c9a',
        type: 'policy_change',
        model: 'claude',
        data: { category: 'political', delta: '+12pp', detected_at: '2026-03-01T09:10:00.000Z' },
        methodology: 'https://monitor.example/methodology',
      },
    ],
  }
  return new Map([
    [`${folder}/openapi.json`, write(openApi(dialect, origin))],
    [`${folder}/event.schema.json`, write(event)],
  ])
}

function write(contract: object): string {
  return `${JSON.stringify(contract, null, 2)}\n`
}

// npm run contracts
if (import.meta.main) for (const [file, text] of contractFiles()) writeFileSync(file, text)
