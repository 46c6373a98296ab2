import { mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { delivery } from '../../support/app.ts'
import { signed } from '../../support/fakes/signed.ts'
import { freePort } from '../../support/free-port.ts'
import { openServingDesk } from '../../system/chat/serving-desk.ts'
import { endAll } from '../../system/e2e/process.ts'

afterEach(endAll)

const stallMs = 3_000
const secret = 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0LXRoYXQtaXMtbG9uZw'

/** A desk whose disk stalls in each sync when it is asked to. */
async function openStallingDesk() {
  const orders = join(mkdtempSync(join(tmpdir(), 'stall-')), 'disk.json')
  const order = (what: object) => {
    writeFileSync(`${orders}.new`, JSON.stringify(what))
    renameSync(`${orders}.new`, orders)
  }
  order({})
  const console = await freePort()
  const preload = new URL('../../system/faults/disk-preload.ts', import.meta.url).href
  const desk = await openServingDesk({
    more: `console: { listen: { port: ${console} } }`,
    env: { BLUEPENCIL_TEST_DISK: orders, NODE_OPTIONS: `--import=${preload}` },
  })
  return {
    ...desk,
    console: `http://127.0.0.1:${console}/console`,
    stall: () => order({ delayMs: stallMs }),
    recover: () => order({}),
    async deliver(id: string): Promise<number> {
      const body = delivery(id, Date.now())
      const headers = signed(body, secret)
      return (await fetch(`${desk.origin}/webhook`, { method: 'POST', body, headers })).status
    },
    async message() {
      const messages = await desk.slack.read('ai-desk')
      return messages.find((one) => JSON.stringify(one).includes('evt_1'))
    },
  }
}

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

test('while a sync of the disk stalls for three seconds, pages and questions are answered, and an act is acknowledged at once', {
  timeout: 120_000,
}, async () => {
  const desk = await openStallingDesk()
  expect(await desk.deliver('evt_1')).toBe(202)
  const message = await vi.waitUntil(desk.message, { timeout: 20_000 })
  const pages = [
    `${desk.origin}/healthz`,
    `${desk.origin}/readyz`,
    `${desk.console}/`,
    `${desk.console}/alerts/evt_1`,
    `${desk.console}/alerts?q=claude`,
  ]
  const questions = ['latest', 'why evt_1', 'channels']
  const see = async (url: string) => {
    const answer = await fetch(url)
    await answer.text()
    expect([url, answer.status]).toEqual([url, 200])
  }
  // What loads with the first use is no part of it.
  for (const page of pages) await see(page)
  for (const words of questions) await desk.people.send(desk.people.command(words))

  desk.stall()
  const delivered = tookMs(async () => expect(await desk.deliver('evt_2')).toBe(202))
  await wait(100)
  const times: [string, number][] = []
  for (const page of pages) times.push([page, await tookMs(() => see(page))])
  for (const words of questions) {
    const { afterMs, payload } = await desk.people.send(desk.people.command(words))
    expect(JSON.stringify(payload)).not.toContain('This takes longer')
    times.push([words, afterMs])
  }
  expect(times.filter(([, took]) => took > 300)).toEqual([])
  const acknowledged = await desk.people.send(desk.people.click(message, 'C1', 'Acknowledge'))
  expect(acknowledged.afterMs).toBeLessThan(stallMs)
  expect(await delivered).toBeGreaterThan(stallMs)
  const isShown = async () => JSON.stringify(await desk.message()).includes('Acknowledged by ana')
  expect(await isShown()).toBe(false)
  desk.recover()
  await vi.waitUntil(isShown, { timeout: 20_000 })
  expect(desk.people.faults).toEqual([])
})
