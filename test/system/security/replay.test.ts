import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startApp } from '../../../src/app/app.ts'
import { realEnvironment } from '../../../src/app/environment.ts'
import { Config } from '../../../src/config/schema.ts'
import { connectControl } from '../../../src/control/socket.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { delivery } from './desk.ts'

const hour = 60 * 60_000
const day = 24 * hour

test('an authentic body that is sent again tells nobody: neither while its id is known, nor when it is forgotten', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-replay-'))
  const clock = createManualClock(Date.parse('2026-11-21T15:05:09Z'))
  const config = Config.parse({
    webhook: { secrets: [secret] },
    server: { host: '127.0.0.1', port: 0 },
    store: `file:${folder}`,
    retention: '14d',
    channels: [{ name: 'desk', type: 'console' }],
  })
  const shown: string[] = []
  const app = await startApp(config, {
    ...realEnvironment,
    clock,
    writeLog: () => {},
    out: { write: (text) => void shown.push(text), width: 100, colour: false },
  })
  onTestFinished(async () => {
    const stopped = app.stop()
    await clock.advance(20_000)
    await stopped
    rmSync(folder, { recursive: true })
  })
  const post = async (body: string) => {
    const headers = signed(body)
    const answer = await fetch(`http://127.0.0.1:${app.port}/webhook`, { method: 'POST', body, headers })
    return answer.status
  }
  const outcome = async (id: string) => (await (await connectControl(folder))?.event(id))?.outcomes.desk

  const detected = new Date(clock.now()).toISOString()
  const body = delivery('evt_recorded', {
    data: { category: 'social', delta: '+9pp', detected_at: detected },
  })
  expect(await post(body)).toBe(202)
  await vi.waitUntil(() => shown.length === 1)
  expect(await post(body)).toBe(200)

  await clock.advance(13 * day)
  expect(await post(body)).toBe(200)
  // Retention counts the hours that it sees go by: here it may have slept through most of those days.
  await vi.waitUntil(
    async () => {
      await clock.advance(hour)
      return (await outcome('evt_recorded')) === undefined
    },
    { timeout: 20_000, interval: 1 },
  )
  expect(await post(body)).toBe(202)
  expect(await outcome('evt_recorded')).toMatchObject({ state: 'not_sent', rule: 'stale' })

  expect(
    await post(delivery('evt_new', { data: { detected_at: new Date(clock.now()).toISOString() } })),
  ).toBe(202)
  await vi.waitUntil(() => shown.some((text) => text.includes('evt_new')))
  expect(shown.filter((text) => text.includes('evt_recorded'))).toHaveLength(1)
})
