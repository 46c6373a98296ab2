import { expect, onTestFinished, test } from 'vitest'
import { changeUnderLoad } from '../../system/e2e/changes-under-load.ts'
import { openNewsroom } from '../../system/e2e/newsroom.ts'

test('changes under a load of 60 events lose, repeat and reorder nothing', { timeout: 120_000 }, async () => {
  const all = 'direction: both'
  const newsroom = await openNewsroom({ slack: all, discord: all, email: all })
  onTestFinished(() => newsroom.close())
  const serving = await newsroom.serve()
  const ids = await changeUnderLoad(newsroom, serving, { events: 60, period: 20 })
  expect(await newsroom.read()).toEqual({ slack: ids, discord: ids, email: ids })
  serving.kill()
  expect(await serving.ended).toBe(0)
})
