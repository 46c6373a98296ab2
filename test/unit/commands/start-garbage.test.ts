import { syncBuiltinESMExports } from 'node:module'
import { performance } from 'node:perf_hooks'
import v8 from 'node:v8'
import vm from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collectStartGarbage } from '../../../src/commands/start-garbage.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

test('the garbage of the start is collected once, and not while the process is busy', () => {
  const busy = vi.spyOn(performance, 'eventLoopUtilization')
  busy.mockReturnValue({ active: 2_900, idle: 100, utilization: 0.97 })
  const exposed = vi.spyOn(v8, 'setFlagsFromString')
  // A real one takes seconds here: the files of the tests share a process.
  const collected = vi.fn<() => void>()
  vi.spyOn(vm, 'runInNewContext').mockReturnValue(collected)
  // Also for who has imported it already: files share a process.
  syncBuiltinESMExports()

  collectStartGarbage()
  vi.advanceTimersByTime(60_000)
  expect(collected).not.toHaveBeenCalled()

  busy.mockReturnValue({ active: 15, idle: 2_985, utilization: 0.005 })
  vi.advanceTimersByTime(60_000)
  expect(exposed).toHaveBeenCalledExactlyOnceWith('--expose-gc')
  expect(collected).toHaveBeenCalledExactlyOnceWith({
    type: 'major',
    execution: 'sync',
    flavor: 'last-resort',
  })
})
