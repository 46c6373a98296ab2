import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { command } from '../../support/command.ts'
import { alert } from '../../support/fakes/events.ts'

async function methods(settings: string, ...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'bp-methods-'))
  const config = join(folder, 'b.yaml')
  writeFileSync(config, `store: file:${folder}/data\n${settings}`)
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  await store.accept([{ entry: alert({ receivedAt: '2026-11-02T10:00:00.000Z' }), outcomes: {} }])
  await store.close()
  return await command(['methods', ...options, '--config', config])
}

const channels = 'channels: [{ name: desk, type: console, models: [claude], minDelta: 5 }]\n'
const november = ['--from', '2026-11-01', '--to', '2026-11-30']

test('a methods section has the settings and the version of the installation, and what came', async () => {
  const settings = `monitor: { baseUrl: "https://monitor.example/v1", apiKey: secret-key-1, name: Refusal Watch }
webhook: { publicUrl: "https://us.example/webhook" }
polling: { interval: 10m }
retention: 30d
${channels}`
  const { code, out, notes } = await methods(settings, ...november)
  expect({ code, notes }).toEqual({ code: 0, notes: '' })
  for (const sentence of [
    'Changes were recorded with Bluepencil 0.1.0.',
    'as the Refusal Watch measures it.',
    'Bluepencil accepts a report only if its signature matches its bytes.',
    'reads the published figures every 10 minutes at most, and only every 15 minutes while webhooks arrive',
    'The threshold gives about one alert in 21 model-years without any change',
    'From 2026-11-01 to 2026-11-30 (UTC), 1 change of a rate reached Bluepencil: 1 by webhook only',
    'Channel desk (console): Alerts about Claude, of at least 5 percentage points.',
    'Alerts are kept for 30 days, and published figures for 1826 days.',
  ]) {
    expect(out).toContain(sentence)
  }
  expect(out).not.toContain('secret-key-1')
})

test('what an installation does not do is not in it', async () => {
  const { out } = await methods(
    `webhook: { secrets: [whsec_of_the_test_of_methods] }\n${channels}`,
    ...november,
  )
  expect(out).toContain('The published figures were not searched for changes.')
  expect(out).not.toMatch(/model-years|95% range/)
})

test('an installation without webhooks says that none were set up', async () => {
  const monitor = `monitor: { baseUrl: "https://monitor.example/v1", apiKey: secret-key-1 }\n`
  const { out } = await methods(`${monitor}${channels}`, '--from', '2026-11-03', '--to', '2026-11-04')
  expect(out).toContain('No webhooks were set up.')
  expect(out).not.toContain('Webhooks were known')
})

test('for machines: the text and the counts', async () => {
  const { out } = await methods(
    `webhook: { secrets: [whsec_of_the_test_of_methods] }\n${channels}`,
    '--json',
    ...november,
  )
  expect(JSON.parse(out)).toMatchObject({
    text: expect.stringContaining('Bluepencil'),
    account: { total: { webhookOnly: 1 }, revisions: 0 },
  })
})
