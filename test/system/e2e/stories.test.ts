import { expect, onTestFinished, test, vi } from 'vitest'
import { grown, growStory } from './growing-story.ts'
import { openNewsroomHere } from './newsroom-here.ts'
import { runHere } from './run-here.ts'

test('a story that grows is one message in Slack and Discord, and mails of their own', async () => {
  const stories = 'stories: { within: 1m }'
  const newsroom = await openNewsroomHere({ slack: stories, discord: stories, email: stories })
  onTestFinished(() => newsroom.close())
  const explain = (id: string) => runHere(['explain', id, '--config', newsroom.configFile])
  await growStory(newsroom, explain)
  expect(await newsroom.read()).toEqual(grown)
  // What became of it is written down a moment after the provider has it.
  await vi.waitFor(async () => {
    const { stdout } = await explain('evt_b')
    expect(stdout).toMatch(/ai-desk +merged +in the message about evt_a/)
    expect(stdout).toMatch(/policy-mail +sent/)
  })
})
