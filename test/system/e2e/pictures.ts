import type { Providers } from './newsroom.ts'

/** The replies under the first alert in Slack: its picture goes there. */
export async function picturesInSlack(slack: Providers['slack']): Promise<unknown[]> {
  const [alert] = (await slack.read('ai-desk')).filter(({ metadata }) =>
    JSON.stringify(metadata ?? {}).includes('"evt_'),
  )
  return alert === undefined ? [] : slack.thread('ai-desk', String(alert.ts))
}
