import { expect, onTestFinished, test, vi } from 'vitest'
import { type Fault, type FaultProxy, startFaultProxy } from '../../support/fakes/fault-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { hour, idsIn, minute, openDesk } from '../../system/faults/desk.ts'
import { endOf, names, openDeskWithProviders, troubleOf } from '../../system/faults/providers.ts'

async function all(lines: Record<string, FaultProxy>, fault?: Fault): Promise<void> {
  await Promise.all(Object.values(lines).map((line) => line.set(fault)))
}

// Beside other work a simulated day takes more than the usual thirty seconds.
vi.setConfig({ testTimeout: 90_000 })

const sorted = (seen: Record<string, string[]>) => Object.values(seen).map((ids) => ids.toSorted())

test('providers that are down for most of a day: one notice, and all arrives once when they are back', async () => {
  const { desk, lines, read } = await openDeskWithProviders()
  await all(lines, 'refuse')
  expect(await desk.deliver('evt_1')).toBe(202)
  await desk.pass(4 * minute)
  expect(desk.told()).toEqual([])
  await desk.pass(23 * hour)
  expect(await desk.deliver('evt_2')).toBe(202)
  await desk.pass(10 * minute)
  expect((await desk.hears(3)).toSorted()).toEqual(
    names.map((name) => troubleOf(name, 'cannot be reached')).toSorted(),
  )
  expect(await read()).toEqual({ discord: [], mail: [], slack: [] })
  expect(await desk.outcome('evt_1', 'slack')).toMatchObject({
    state: 'waiting',
    why: 'Slack cannot be reached (ECONNREFUSED).',
  })
  expect(await desk.readyz()).toMatchObject({ status: 'degraded', troubles: [{}, {}, {}] })

  await all(lines)
  await desk.pass(10 * minute)
  const both = ['evt_1', 'evt_2']
  expect(sorted(await read())).toEqual([both, both, both])
  expect((await desk.hears(6)).slice(3).toSorted()).toEqual(names.map(endOf).toSorted())
  expect(await desk.readyz()).toMatchObject({ status: 'ready', troubles: [] })
})

test('providers that are down for some seconds: nobody is bothered, and all arrives once, in order', async () => {
  const { desk, lines, read } = await openDeskWithProviders()
  await all(lines, 'refuse')
  const ids = ['evt_1', 'evt_2', 'evt_3', 'evt_4']
  for (const id of ids) await desk.deliver(id)
  await desk.pass(5_000)
  await all(lines)
  await desk.pass(minute)
  expect(await read()).toEqual({ discord: ids, mail: ids, slack: ids })
  expect(desk.told()).toEqual([])
})

test('a provider that is down for longer than a day: given up, with a notice, and one command sends it', async () => {
  const smtp = await startFakeSmtp()
  const line = await startFaultProxy(smtp.port)
  onTestFinished(async () => void (await Promise.all([smtp.close(), line.close()])))
  await line.set('refuse')
  const desk = await openDesk({
    email: { smtp: `smtp://127.0.0.1:${line.port}`, from: 'bluepencil@desk.example', ca: smtp.ca },
    channels: [{ name: 'mail', type: 'email', to: 'desk@desk.example' }],
  })
  await desk.deliver('evt_1')
  await desk.pass(24 * hour - minute)
  expect(await desk.outcome('evt_1', 'mail')).toMatchObject({ state: 'waiting' })
  await desk.pass(10 * minute)
  expect(await desk.outcome('evt_1', 'mail')).toMatchObject({
    state: 'failed',
    why: expect.stringMatching(/^gave up after 24 hours, at attempt \d+: The mail server /),
  })
  expect(await desk.hears(2)).toEqual([
    troubleOf('mail', 'cannot be reached'),
    'A notification to mail failed for good',
  ])
  expect(desk.toldInFull()[1]).toContain('Send it again with: bluepencil replay evt_1 mail')

  await line.set()
  await desk.replay('evt_1', 'mail')
  await desk.pass(minute)
  expect(idsIn(smtp.messages().map(({ raw }) => raw))).toEqual(['evt_1'])
  expect((await desk.hears(3))[2]).toBe(endOf('mail'))
})
