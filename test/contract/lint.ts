import { createConfig, lintFromString } from '@redocly/openapi-core'

/** A download may lead elsewhere and nowhere else: an operation without a 2xx. */
const rules = { 'operation-2xx-response': 'off' } as const

const config = createConfig({ extends: ['recommended-strict'], rules })

/** What Redocly finds wrong with an OpenAPI document, warnings too: "rule, pointer: message". */
export async function lint(document: object, name: string): Promise<string[]> {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: `${name}.json`,
    config: await config,
  })
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}, ${location[0]?.pointer ?? '#'}: ${message}`,
  )
}
