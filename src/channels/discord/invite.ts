import { PermissionFlagsBits } from 'discord.js'

/** What the bot may do on the server, and what each is for. The invitation, `check` and docs/discord.md have them from here. */
export const botPermissions = [
  { name: 'View Channel', bit: PermissionFlagsBits.ViewChannel, for: 'sees the channel' },
  { name: 'Send Messages', bit: PermissionFlagsBits.SendMessages, for: 'posts alerts' },
  {
    name: 'Send Messages in Threads',
    bit: PermissionFlagsBits.SendMessagesInThreads,
    for: 'posts alerts where the channel is a thread',
  },
  { name: 'Embed Links', bit: PermissionFlagsBits.EmbedLinks, for: 'shows the figures of an alert' },
  {
    name: 'Attach Files',
    bit: PermissionFlagsBits.AttachFiles,
    for: 'adds a chart to an alert, where `pictures` is on',
  },
  {
    name: 'Read Message History',
    bit: PermissionFlagsBits.ReadMessageHistory,
    for: 'finds out after a crash whether an alert was posted already',
  },
] as const

/** Opened by who manages the server, it invites the bot with these permissions, and lets it offer commands. */
export function inviteLink(applicationId: string): string {
  const permissions = botPermissions.reduce((sum, { bit }) => sum | bit, 0n)
  return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${permissions}`
}
