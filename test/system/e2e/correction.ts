import { vi } from 'vitest'
import type { Providers } from './newsroom.ts'

/** The id under which the service first reports 12 percentage points, and then 9. */
export const corrected = 'evt_to_be_corrected'
/** What every channel's readers see of it: the alert and its correction. */
export const bothEdits = [corrected, corrected]

type Reporting = Providers & { fire(event: object): Promise<string> }

/** The alerts in Slack and in Discord, oldest first. */
export async function readAlerts({ slack, discord }: Providers): Promise<{
  slack: string[]
  discord: string[]
}> {
  const alerts = (await slack.read('ai-desk')).filter(
    ({ metadata }) => !JSON.stringify(metadata ?? {}).includes('"ntc_'),
  )
  return {
    slack: alerts.map(({ blocks }) => JSON.stringify(blocks)),
    discord: discord.posted(discord.channelId).map((message) => JSON.stringify(message)),
  }
}

export async function areEdited(providers: Providers): Promise<boolean> {
  const { slack, discord } = await readAlerts(providers)
  return [slack, discord].every(([first]) => first?.includes('now reported as +9 percentage points') === true)
}

/** Reports a change, waits until every channel has it, and corrects it. Ends when every channel has the correction. */
export async function correct(newsroom: Reporting): Promise<void> {
  const change = { id: corrected, type: 'censorship_spike', model: 'claude', category: 'political' }
  for (const [index, delta] of [12, 9].entries()) {
    await newsroom.fire({ ...change, delta })
    const haveIt = async () =>
      Object.values(await newsroom.read()).every(({ length }) => length === index + 1)
    await vi.waitUntil(haveIt, { interval: 20 })
  }
}
