import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { startSlackPeople } from '../../support/fakes/slack-people.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { freePort } from '../../support/free-port.ts'
import { start } from '../e2e/process.ts'

/** `serve` as a process that the test ends by `endAll`, a monitoring service, and people in Slack who ask about it. */
export async function openServingDesk({
  store,
  monitored = true,
  more = '',
  env = {},
}: {
  store?: string
  monitored?: boolean
  /** More of the configuration. */
  more?: string
  env?: Record<string, string>
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-questions-'))
  const people = await startSlackPeople()
  const slack = await startSlack({ people })
  const service = start(['sandbox', '--port', '0'])
  const url = await vi.waitUntil(() => /is at (\S+)/.exec(service.stdout())?.[1], { timeout: 20_000 })
  const port = await freePort()
  const file = join(folder, 'bluepencil.yaml')
  writeFileSync(
    file,
    [
      '',
      `${monitored ? `monitor: { baseUrl: "${url}", apiKey: sandbox-pro }` : ''}`,
      'webhook: { secrets: [whsec_c2VjcmV0LW9mLXRoZS10ZXN0LXRoYXQtaXMtbG9uZw] }',
      'polling: { mode: off }',
      `server: { host: 127.0.0.1, port: ${port} }`,
      `store: ${store ?? `file:${folder}/data`}`,
      `slack: { token: "${slack.token}", apiUrl: "${slack.apiUrl}", appToken: "${people.appToken}", intervalMs: 0 }`,
      'operators: [desk]',
      'channels: [{ name: desk, type: slack, to: "#ai-desk" }]',
      `${more}`,
      '',
    ].join('\n'),
  )
  const serving = start(['serve', '--config', file], { env })
  // The console is served a little later than Slack is connected.
  const isReady = () => serving.log().some(({ message }) => message === 'ready')
  await vi.waitUntil(() => people.connections() === 1 && isReady(), { timeout: 20_000 })
  onTestFinished(async () => {
    serving.kill()
    await serving.ended
    await Promise.all([people.close(), slack.close()])
  })
  /** All that somebody is answered, at once and later. */
  async function ask(words: string): Promise<string> {
    const { payload } = await people.send(people.command(words))
    await vi.waitUntil(() => !JSON.stringify(payload).includes('This takes longer') || people.told.length > 0)
    return JSON.stringify([payload, people.told])
  }
  return { folder, file, people, slack, serving, ask, origin: `http://127.0.0.1:${port}` }
}
