import { onTestFinished } from 'vitest'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { type FaultProxy, startFaultProxy } from '../../support/fakes/fault-proxy.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { type Desk, idsIn, openDesk } from './desk.ts'

export const names = ['discord', 'mail', 'slack'] as const
export type Name = (typeof names)[number]

const places = { slack: 'Slack', discord: 'Discord', mail: 'E-mail' } satisfies Record<Name, string>

/** The title of a notice that a channel rejects our messages, or cannot be reached. */
export function troubleOf(name: Name, what: 'rejects our messages' | 'cannot be reached'): string {
  return `${places[name]} channel “${name}” ${what}`
}

/** The title of its end. */
export function endOf(name: Name): string {
  return `${name}: messages are getting through again`
}

/** A desk with a channel of each kind, and what stands behind each: a line that can be made to fail, and a fake. */
export async function openDeskWithProviders(
  changes: { email?: object; mailTo?: string[]; scheme?: 'http' | 'https' } = {},
) {
  const [slack, discord, smtp] = await Promise.all([
    startSlack(),
    startFakeDiscord({ now: () => Date.now() }),
    startFakeSmtp(),
  ])
  const { scheme = 'http' } = changes
  const lines: Record<Name, FaultProxy> = {
    discord: await startFaultProxy(discord.url),
    mail: await startFaultProxy(smtp.port),
    slack: await startFaultProxy(slack.apiUrl),
  }
  onTestFinished(async () => {
    await Promise.all([slack.close(), discord.close(), smtp.close()])
    await Promise.all(names.map((name) => lines[name].close()))
  })
  const desk: Desk = await openDesk({
    slack: { token: slack.token, apiUrl: `${scheme}://127.0.0.1:${lines.slack.port}/api/`, intervalMs: 0 },
    discord: { token: discord.token, apiUrl: `${scheme}://127.0.0.1:${lines.discord.port}/api` },
    email: {
      smtp: `smtp://127.0.0.1:${lines.mail.port}`,
      from: 'bluepencil@desk.example',
      ca: smtp.ca,
      ...changes.email,
    },
    channels: [
      { name: 'slack', type: 'slack', to: '#ai-desk' },
      { name: 'discord', type: 'discord', to: discord.channelId },
      { name: 'mail', type: 'email', to: changes.mailTo ?? ['desk@desk.example'] },
    ],
  })
  return {
    desk,
    slack,
    discord,
    smtp,
    lines,
    /** The ids of the alerts that readers see, in their order. */
    async read(): Promise<Record<Name, string[]>> {
      return {
        discord: idsIn(discord.posted(discord.channelId)),
        mail: idsIn(smtp.messages().map(({ raw }) => raw)),
        slack: idsIn(await slack.read('ai-desk')),
      }
    },
  }
}
