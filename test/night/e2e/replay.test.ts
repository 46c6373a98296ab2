import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { delivery } from '../../support/app.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { endAll, run, start } from '../../system/e2e/process.ts'

afterEach(endAll)

test('explain shows why an event was not sent before somebody had it sent, beside the service and after a kill', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-replay-'))
  const config = join(folder, 'b.yaml')
  writeFileSync(
    config,
    `
webhook: { secrets: ["${secret}"] }
server: { host: 127.0.0.1, port: 0 }
store: file:${folder}/data
channels:
  - { name: desk, type: console, models: [gemini] }
`,
  )
  const serving = start(['serve', '--config', config])
  const port = await vi.waitUntil(
    () => serving.log().flatMap(({ message, port }) => (message === 'ready' ? [port] : []))[0],
    { timeout: 20_000 },
  )
  const body = delivery('evt_1', Date.now())
  const answer = await fetch(`http://127.0.0.1:${port}/webhook`, {
    method: 'POST',
    headers: signed(body),
    body,
  })
  expect(answer.status).toBe(202)

  for (const times of [1, 2]) {
    expect(await run(['replay', 'evt_1', 'desk', '--config', config])).toMatchObject({ code: 0 })
    await vi.waitUntil(() => serving.stdout().split('evt_1-again-').length > times, { timeout: 20_000 })
    await vi.waitUntil(async () => (await explained(config))[0]?.includes('sent  '), { timeout: 20_000 })
  }
  serving.kill('SIGKILL')
  await serving.ended
  expect(await explained(config)).toEqual([
    expect.stringMatching(/^ {2}desk +sent +\S+Z, 1 attempt: /),
    expect.stringMatching(
      /^ {4}earlier +not sent +models: the channel gets only gemini; the model is claude; sent again on request \S+Z$/,
    ),
    expect.stringMatching(/^ {4}earlier +sent +\S+Z, 1 attempt: .*; sent again on request \S+Z$/),
  ])
})

async function explained(config: string): Promise<string[]> {
  const { stdout } = await run(['explain', 'evt_1', '--config', config])
  return stdout.split('\n').filter((line) => /^ +(desk|earlier) /.test(line))
}
