import type { Socket } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import {
  forged,
  isClosed,
  many,
  memory,
  openFiles,
  post,
  stalling,
  trueDelivery,
} from '../../system/security/connections.ts'
import { openDesk } from '../../system/security/desk.ts'

describe('true deliveries pass within a second', () => {
  test('beside 500 connections that stall in every way, which are closed within 20 s and leave nothing behind', {
    timeout: 60_000,
  }, async () => {
    const desk = await openDesk()
    await trueDelivery(desk)
    const before = { files: openFiles(desk), memory: memory(desk) }
    const opened: Socket[] = []
    for (const bytes of Object.values(stalling)) opened.push(...(await many(desk, 100, bytes)))
    const dripping = await many(desk, 20, post)
    const drip = setInterval(() => {
      for (const socket of dripping.filter(({ writable }) => writable)) socket.write('X-Drip: 1\r\n')
    }, 1_000)

    for (let index = 0; index < 5; index += 1) expect(await trueDelivery(desk)).toBeLessThan(1_000)
    await vi.waitUntil(() => openFiles(desk) <= before.files + 2, { timeout: 20_000, interval: 100 })
    clearInterval(drip)
    await vi.waitUntil(() => [...opened, ...dripping].every(isClosed))
    expect(memory(desk) - before.memory).toBeLessThan(80 * 1024 * 1024)
    expect(await trueDelivery(desk)).toBeLessThan(1_000)
  })

  test('beside more connections than there may be: those that were open the longest are closed', async () => {
    const desk = await openDesk()
    // What a machine that does other things too takes for a delivery with nothing beside it.
    const aloneMs = Math.max(await trueDelivery(desk), await trueDelivery(desk))
    const [oldest] = await many(desk, 1, stalling['never ends its body'])
    await many(desk, 1_500, stalling['never ends its body'])
    expect(openFiles(desk)).toBeLessThan(1_100)
    expect(await trueDelivery(desk)).toBeLessThan(1_000 + 5 * aloneMs)
    await vi.waitUntil(() => oldest !== undefined && isClosed(oldest))
  })
})

test('a client that sends thousands of requests ahead of their answers is cut off, before they fill the memory', async () => {
  const desk = await openDesk()
  await trueDelivery(desk)
  const before = memory(desk)
  const [socket] = await many(desk, 1, 'GET /metrics HTTP/1.1\r\nHost: desk\r\n\r\n'.repeat(10_000))
  await vi.waitUntil(() => socket !== undefined && isClosed(socket), { timeout: 10_000 })
  for (let count = 0; count < 20; count += 1) expect(await trueDelivery(desk)).toBeLessThan(1_000)
  expect(memory(desk) - before).toBeLessThan(60 * 1024 * 1024)
})

test('a stop is not held up by those who say nothing', { timeout: 40_000 }, async () => {
  const desk = await openDesk()
  await many(desk, 20, '')
  await many(desk, 20, `${post}${forged}Content-Length: 9\r\n\r\n{`)
  desk.serving.kill('SIGTERM')
  const began = performance.now()
  expect(await desk.serving.ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(10_000)
})
