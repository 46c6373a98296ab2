import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

export const file = 'config/bluepencil.yaml'

/** A folder with this configuration, and this `.env`. */
export function folderWith(yaml: string, variables = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'init-again-'))
  mkdirSync(join(folder, 'config'))
  writeFileSync(join(folder, file), yaml)
  if (variables !== '') writeFileSync(join(folder, '.env'), variables, { mode: 0o600 })
  return folder
}

export const textIn = (folder: string) => readFileSync(join(folder, file), 'utf8')

/** A configuration with one channel, and its `.env`. */
export const desk = `# our desk
operators: [ai-desk] # who is notified

channels:
  # the first
  - name: ai-desk
    type: slack
    webhookUrl: \${SLACK_WEBHOOK_URL}
    minDelta: 5 # points
`
export const first = 'SLACK_WEBHOOK_URL=https://hooks.slack.com/services/T0/B0/first\n'
