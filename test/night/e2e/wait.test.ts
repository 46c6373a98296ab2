import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { endAll, start } from '../../system/e2e/process.ts'

afterEach(endAll)

const patient = { timeout: 20_000 }

function waiting() {
  const folder = mkdtempSync(join(tmpdir(), 'wait-'))
  const file = join(folder, 'b.yaml')
  const serve = start(['serve', '--wait', '--config', file], { cwd: folder })
  const says = (text: string) => vi.waitUntil(() => serve.stderr().includes(text), patient)
  return { file, serve, says }
}

test('a container whose configuration cannot be used says so once, and begins when it can', async () => {
  const { file, serve, says } = waiting()
  await says('does not exist; make one with npx bluepencil init')
  const wrong = 'server: { host: 127.0.0.1, port: 0 }\nchannels: [{ name: desk, type: teams }]\n'
  writeFileSync(file, wrong)
  await says('channels[0].type')
  expect(serve.stderr().match(/Bluepencil reads it again when it changes\./g)).toHaveLength(2)
  writeFileSync(file, wrong.replace('teams', 'console'))
  await says('"message":"ready"')
  serve.kill()
  expect(await serve.ended).toBe(0)
})

test('it ends when it is asked to while it waits', async () => {
  const { serve, says } = waiting()
  await says('Bluepencil reads it again when it changes.')
  serve.kill()
  expect(await serve.ended).toBe(0)
})
