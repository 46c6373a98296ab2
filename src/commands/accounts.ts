import { inviteLink } from '../channels/discord/permissions.ts'
import { appManifest, newAppAddress } from '../channels/slack/manifest.ts'
import { configOf } from './configuration.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** The manifest to standard output, so that it can be piped; what to do with it beside it. */
export function slackManifest({ name, postTo }: { name: string; postTo?: string }, terminal: Terminal): void {
  if (postTo !== undefined && URL.parse(postTo)?.protocol !== 'https:') {
    throw new CommandFailure(
      '--post-to must be a public https address, such as https://alerts.desk.example/slack',
      2,
    )
  }
  terminal.out(`${JSON.stringify(appManifest(name, postTo), null, 2)}\n`)
  const heard =
    postTo === undefined
      ? 'create an app-level token (Basic Information) with connections:write and copy it (xapp-…) to slack.appToken'
      : 'copy the signing secret (Basic Information) to slack.signingSecret'
  terminal.note(
    `Paste it at ${newAppAddress} ("From a manifest"), install the app, put the bot token (xoxb-…) into slack.token,\n` +
      `and write "/invite @${name}" in the channel. For buttons and /bluepencil, ${heard}.\n`,
  )
}

export async function discordInvite(
  given: string | undefined,
  options: { config?: string },
  terminal: Terminal,
): Promise<void> {
  const applicationId = given ?? (await configOf(options)).discord?.applicationId
  if (applicationId === undefined) {
    throw new CommandFailure(
      'the application id is missing: add it to the command, or set discord.applicationId (Developer Portal, General Information)',
      2,
    )
  }
  if (!/^\d{17,20}$/.test(applicationId)) {
    throw new CommandFailure('an application id has 17 to 20 digits, such as 1180000000000000001', 2)
  }
  terminal.out(`${inviteLink(applicationId)}\n`)
}
