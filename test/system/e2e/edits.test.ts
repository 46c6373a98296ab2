import { expect, onTestFinished, test, vi } from 'vitest'
import { areEdited, bothEdits, correct, corrected, readAlerts } from './correction.ts'
import { openNewsroomHere } from './newsroom-here.ts'
import { runHere } from './run-here.ts'

test('a correction is sent, and in Slack and Discord the corrected message is edited to say so', async () => {
  const all = 'direction: both'
  const newsroom = await openNewsroomHere({ slack: all, discord: all, email: all })
  onTestFinished(() => newsroom.close())
  await correct(newsroom)
  await vi.waitUntil(() => areEdited(newsroom), { interval: 20 })
  expect(await newsroom.read()).toEqual({ slack: bothEdits, discord: bothEdits, email: bothEdits })
  const { slack, discord } = await readAlerts(newsroom)
  for (const [first, second] of [slack, discord]) {
    expect(first).toContain('CORRECTED: Claude’s refusal rate on political prompts rose 12 points')
    expect(second).toContain('Correction: Claude’s refusal rate on political prompts rose 9 points')
    expect(second).not.toContain('Since corrected')
  }
  // What stands there is written down a moment later.
  await vi.waitFor(async () => {
    const { stdout } = await runHere(['explain', corrected, '--config', newsroom.configFile])
    expect(stdout).toContain(`corrected by ${corrected}~2 later`)
    expect(stdout).toMatch(
      new RegExp(`ai-desk .*C\\w+/\\d+\\.\\d+; it also reports ${corrected}~2; edited 2`),
    )
    const metrics = await (await fetch(`${newsroom.origin}/metrics`)).text()
    expect(metrics).toContain('bluepencil_edits_total{channel="ai-desk",outcome="edited"} 1')
  })
})
