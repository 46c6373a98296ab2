import { expect, test, vi } from 'vitest'
import { runHere } from './run-here.ts'
import { eventsOf, openToolDesk } from './tool-desk.ts'

test('an alert, its correction and the edit of what was sent are three events, each once', async () => {
  const { receiver, file, serveHere, report } = await openToolDesk()
  await serveHere()
  expect(await report('+12pp')).toBe(202)
  await vi.waitUntil(() => receiver.received.length === 1)
  expect(await report('+12pp')).toBe(200)
  expect(await report('+9pp')).toBe(202)
  await vi.waitUntil(() => receiver.received.length === 3)
  const all = eventsOf(receiver)
  const [first, ...later] = all
  expect(first).toMatchObject({
    type: 'alert',
    delivery: 'evt_1',
    data: { id: 'evt_1', alert: { delta: 12 } },
  })
  expect(later.find(({ type }) => type === 'alert.correction')).toMatchObject({
    delivery: 'evt_1~2',
    data: { alert: { delta: 9, kind: 'correction', before: { id: 'evt_1', delta: 12 } } },
  })
  expect(later.find(({ type }) => type === 'alert.edited')).toMatchObject({
    delivery: expect.stringMatching(/^evt_1_edit_/),
    data: { id: 'evt_1', alert: { delta: 12, revisedBy: { id: 'evt_1~2', delta: 9 } } },
  })
  const explained = await runHere(['explain', 'evt_1', '--config', file])
  expect(explained.stdout).toContain('accepted with status 204 as evt_1')
  expect(receiver.received).toHaveLength(3)
})
