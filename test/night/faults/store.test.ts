import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ThreadAnswer, ThreadQuestion } from '../../../src/store/sqlite/thread.ts'
import { hour, idsIn, openDesk } from '../../system/faults/desk.ts'

test('a store that accepts events but not the start of an attempt: nothing is sent, one notice, and all goes out later', async () => {
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console' }] })
  const disk = await refuses((commit) => commit.includes('update bluepencil.outcomes'))
  expect(await desk.deliver('evt_1')).toBe(202)
  expect(await desk.hears(1)).toEqual(['The store cannot be written'])
  await desk.seconds(5 * 60, disk.isAnswered)
  expect(await desk.deliver('evt_2')).toBe(202)
  expect(desk.told()).toHaveLength(1)
  expect(desk.shown('desk')).toEqual([])
  disk.well()
  await desk.pass(hour)
  expect(idsIn(desk.shown('desk'))).toEqual(['evt_1', 'evt_2'])
  expect((await desk.hears(2)).at(-1)).toBe('The store can be written again')
})

test('a store that accepts events but no outcomes: one notice while it lasts, and one when it is resolved', async () => {
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console' }] })
  const disk = await refuses(
    (commit) => commit.includes('update bluepencil.outcomes') && commit.includes('lease = null'),
  )
  // Far enough for the operators' own channel, whose queue is then stuck with it.
  const data = { category: 'political', delta: '+100pp', detected_at: new Date(desk.now()).toISOString() }
  expect(await desk.deliver('evt_1', { data })).toBe(202)
  expect(await desk.hears(2)).toContain('The store cannot be written')
  // Never a leap of minutes: without a try that fails in between, the store would count as well again.
  await desk.seconds(5 * 60, disk.isAnswered)
  expect(await desk.deliver('evt_2')).toBe(202)
  expect(desk.told()).toHaveLength(2)
  const complaints = desk.log().filter(({ message }) => message === 'while delivering')
  expect(complaints.length).toBeLessThan(2 * 7)
  expect(complaints.at(-1)?.times).toBeGreaterThan(1)

  disk.well()
  await desk.pass(hour)
  expect(idsIn(desk.shown('desk'))).toEqual(['evt_1', 'evt_2'])
  expect(idsIn(desk.shown('ops'))).toEqual(['evt_1'])
  expect((await desk.hears(3)).at(-1)).toBe('The store can be written again')
})

/** The disk is so full that a commit of this kind finds no room, until all is `well`. */
async function refuses(isTooLong: (commit: string) => boolean) {
  let isFull = true
  const pending = new Set<number>()
  const seen = new WeakSet<Worker>()
  const post = Worker.prototype.postMessage
  const spy = vi.spyOn(Worker.prototype, 'postMessage')
  spy.mockImplementation(function (this: Worker, question: ThreadQuestion | 'close') {
    if (!seen.has(this)) this.on('message', ({ number }: ThreadAnswer) => void pending.delete(number))
    seen.add(this)
    if (question === 'close') return post.call(this, question)
    pending.add(question.number)
    if (!isFull || question.does !== 'commit' || !isTooLong(JSON.stringify(question.given))) {
      return post.call(this, question)
    }
    const failure = { reason: 'the disk is full (ENOSPC)', kind: 'undone' } as const
    setImmediate(() => this.emit('message', { number: question.number, failure } satisfies ThreadAnswer))
  })
  onTestFinished(() => spy.mockRestore())
  const well = () => {
    isFull = false
  }
  // A disk that is slow does not keep up with a clock that is moved: it stands still meanwhile.
  return { well, isAnswered: () => pending.size === 0 }
}
