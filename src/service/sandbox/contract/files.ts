import { ServiceDialect } from '../dialect.ts'
import { asyncApi, eventSchema } from './asyncapi.ts'
import { openApi } from './openapi.ts'

const folder = 'docs/internals/contracts'
/** Where `npx bluepencil sandbox` listens unless told otherwise. */
const origin = 'http://127.0.0.1:4010'

/** The contracts of the sandbox's default dialect, by file. */
export function contractFiles(): Map<string, string> {
  const dialect = ServiceDialect.parse({})
  return new Map([
    [`${folder}/openapi.json`, write(openApi(dialect, origin))],
    [`${folder}/asyncapi.json`, write(asyncApi(dialect))],
    [`${folder}/event.schema.json`, write(eventSchema(dialect))],
  ])
}

function write(contract: object): string {
  return `${JSON.stringify(contract, null, 2)}\n`
}
