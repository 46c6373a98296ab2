import * as ours from 'bluepencil/client'
import { expect, test } from 'vitest'
import { json, startScriptedService } from './scripted-service.ts'

test('a script imports the client and its errors from bluepencil/client', async () => {
  const service = await startScriptedService()
  service.script = (_, response) => {
    json(response, 404, {})
    return 'answered'
  }
  try {
    const client = new ours.MonitorClient({
      baseUrl: service.baseUrl,
      apiKey: 'key-1234567890',
      tier: 'free',
    })
    await expect(client.metrics('claud')).rejects.toBeInstanceOf(ours.NotFound)
  } finally {
    await service.close()
  }
})
