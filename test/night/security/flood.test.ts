import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { storedState } from '../../support/stored.ts'
import { type Desk, delivery, openDesk } from '../../system/security/desk.ts'

const forgeries = 20_000
const forger = fileURLToPath(new URL('forger.ts', import.meta.url))

async function flood(desk: Desk, count: number): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, [forger, String(desk.port), String(count)])
  expect(stdout).toBe(`${count}\n`)
}

const forged = 'bluepencil_deliveries_received_total{outcome="forged"}'

test('20,000 forged deliveries write nothing to the disk and no line to the log; the metric counts them', {
  timeout: 60_000,
}, async () => {
  const desk = await openDesk()
  await flood(desk, 64)
  // Operators are notified of three in a row, once: the secret may be the wrong one.
  await vi.waitUntil(() => desk.serving.stdout().includes('Incoming webhooks have no valid signature'))
  await vi.waitUntil(() => desk.serving.log().some(({ message }) => message === 'sent'))
  // That they were is remembered, and written down.
  await vi.waitUntil(async () => {
    const before = JSON.stringify(desk.store())
    const state = storedState(desk.data)
    return /"told": ?true/.test(state) && JSON.stringify(desk.store()) === before
  })
  const before = { files: desk.store(), lines: desk.serving.log().length }
  await flood(desk, forgeries)
  expect({ files: desk.store(), lines: desk.serving.log().length }).toEqual(before)
  expect(await desk.metric(forged)).toBe(64 + forgeries)
})

test('beside a flood of forged deliveries each true one is accepted and sent, 95 of 100 within a second', {
  timeout: 60_000,
}, async () => {
  const desk = await openDesk()
  let flooding = true
  const over = flood(desk, forgeries).finally(() => {
    flooding = false
  })
  const times: number[] = []
  while (flooding) {
    const began = performance.now()
    expect((await desk.post(delivery(`evt_flood_${times.length}.`))).status).toBe(202)
    times.push(performance.now() - began)
  }
  await over
  expect(times.length).toBeGreaterThan(20)
  expect(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]).toBeLessThan(1_000)
  const told = () => times.filter((_, index) => desk.serving.stdout().includes(`evt_flood_${index}.`)).length
  await vi.waitUntil(() => told() === times.length, { timeout: 20_000 })
})
