import { onTestFinished } from 'vitest'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'

/** Slack, until the test ends. */
export async function slack() {
  const fake = await startSlack()
  onTestFinished(() => fake.close())
  return fake
}

/** Discord, until the test ends. */
export async function discord() {
  const fake = await startFakeDiscord()
  onTestFinished(() => fake.close())
  return fake
}
