import { PermissionFlagsBits } from 'discord.js'
import * as z from 'zod'

/** What the bot may do on the server, and what each is for. The invitation, `check` and docs/discord.md have them from here. */
export const botPermissions = [
  { name: 'View Channel', bit: PermissionFlagsBits.ViewChannel, for: 'sees the channel' },
  { name: 'Send Messages', bit: PermissionFlagsBits.SendMessages, for: 'posts alerts' },
  {
    name: 'Send Messages in Threads',
    bit: PermissionFlagsBits.SendMessagesInThreads,
    for: 'posts alerts if the channel is a thread',
  },
  { name: 'Embed Links', bit: PermissionFlagsBits.EmbedLinks, for: 'shows the figures of an alert' },
  {
    name: 'Attach Files',
    bit: PermissionFlagsBits.AttachFiles,
    for: 'adds a chart to an alert, if `pictures` is on',
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

/** Permissions travel as decimal text of a bit set. */
const bits = z.string().transform((text) => BigInt(text))

export const Guild = z.object({
  id: z.string(),
  name: z.string(),
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: bits, mentionable: z.boolean().optional() })),
})
export type Guild = z.infer<typeof Guild>

export const Member = z.object({
  roles: z.array(z.string()),
  communication_disabled_until: z.string().nullish(),
})
export type Member = z.infer<typeof Member>

export const PermissionOverwrites = z.array(z.object({ id: z.string(), allow: bits, deny: bits }))
export type PermissionOverwrites = z.infer<typeof PermissionOverwrites>

const all = Object.values(PermissionFlagsBits).reduce((sum, bit) => sum | bit, 0n)

/**
 * What a member may do in a channel: the roles' permissions, then the channel's overwrites for everyone, for the
 * roles and for the member, each denying before it allows
 * (https://docs.discord.com/developers/topics/permissions#permission-overwrites).
 */
export function permissionsOf(
  userId: string,
  member: Member,
  guild: Guild,
  overwrites: PermissionOverwrites,
): bigint {
  if (guild.owner_id === userId) return all
  // The role that everyone has, has the server's own id.
  const roles = new Set([guild.id, ...member.roles])
  const base = guild.roles
    .filter((role) => roles.has(role.id))
    .reduce((sum, role) => sum | role.permissions, 0n)
  if ((base & PermissionFlagsBits.Administrator) !== 0n) return all
  const steps = [
    overwrites.filter(({ id }) => id === guild.id),
    overwrites.filter(({ id }) => id !== guild.id && member.roles.includes(id)),
    overwrites.filter(({ id }) => id === userId),
  ]
  return steps.reduce((permissions, step) => {
    const deny = step.reduce((sum, overwrite) => sum | overwrite.deny, 0n)
    const allow = step.reduce((sum, overwrite) => sum | overwrite.allow, 0n)
    return (permissions & ~deny) | allow
  }, base)
}
