import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { readCategories } from '../../../../src/service/client/endpoints/metrics.ts'
import { MissingScope, Unintelligible } from '../../../../src/service/client/errors.ts'
import { json, type ScriptedService, startScriptedService } from './scripted-service.ts'

let service: ScriptedService
let client: MonitorClient

beforeEach(async () => {
  service = await startScriptedService()
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: 'key-1234567890' })
})
afterEach(() => service.close())

const documented = { overall_refusal_rate: 0.1, political_refusal_rate: 0.2, bias_score: -0.2 }

test('categories are those of the rates in the metrics of a model, asked for once', async () => {
  service.answerWith({ model: 'claude', metrics: documented, trend: 'rising' })
  await expect(client.categories('claude')).resolves.toEqual(['overall', 'political'])
  expect(service.asked()).toEqual(['GET /monitoring/claude/metrics'])
})

test.each([
  ['beside those of the interface', { metrics: { ...documented, violence_refusal_rate: 0.3 } }],
  [
    'in camelCase',
    { metrics: { overallRefusalRate: 0.1, politicalRefusalRate: 0.2, violenceRefusalRate: 0.3 } },
  ],
  ['below rates', { rates: { overall: 0.1, political: 0.2, Violence: 0.3 } }],
  ['below categories', { metrics: documented, categories: { violence: { rate: 0.3 } } }],
  ['wrapped', { data: { claude: { metrics: { ...documented, violence_refusal_rate: 0.3 } } } }],
  ['in a list', [{ metrics: { ...documented, violence_refusal_rate: 0.3 } }]],
])('a category that the interface does not show is named: %s', (_, body) => {
  expect(readCategories(body, 'claude').toSorted()).toEqual(['overall', 'political', 'violence'])
})

test('an answer without metrics, and none at all, is the error that metrics has', async () => {
  service.answerWith({ hello: 'world' })
  await expect(client.categories('claude')).rejects.toThrow(Unintelligible)
  service.script = (_, response) => {
    json(response, 403, { error: { code: 'FORBIDDEN', message: 'No.' } })
    return 'answered'
  }
  await expect(client.categories('claude')).rejects.toThrow(MissingScope)
})
