import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectControl } from '../../../src/people/control/connect.ts'
import { configOf, delivery, openApp } from '../../support/app.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { signed } from '../../support/fakes/signed.ts'

const hour = 60 * 60_000
const day = 24 * hour

test('an authentic body that is sent again notifies nobody, both while its id is stored and after that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-replay-'))
  const clock = createManualClock(Date.parse('2026-11-21T15:05:09Z'))
  const { shown, start } = openApp({ clock })
  const app = await start(
    configOf([{ name: 'desk', type: 'console' }], { store: `file:${folder}`, retention: '14d' }),
  )
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

  const social = {
    data: { category: 'social', delta: '+9pp', detected_at: new Date(clock.now()).toISOString() },
  }
  const body = delivery('evt_recorded', clock.now(), social)
  expect(await post(body)).toBe(202)
  await vi.waitUntil(() => shown('desk').length === 1)
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

  expect(await post(delivery('evt_new', clock.now()))).toBe(202)
  await vi.waitUntil(() => shown('desk').some((text) => text.includes('evt_new')))
  expect(shown('desk').filter((text) => text.includes('evt_recorded'))).toHaveLength(1)
})
