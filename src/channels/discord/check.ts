import { ChannelType, PermissionFlagsBits, Routes } from 'discord.js'
import * as z from 'zod'
import type { CheckRow } from '../channel.ts'
import { failureOf } from './failure.ts'
import {
  botPermissions,
  Guild,
  inviteLink,
  Member,
  PermissionOverwrites,
  permissionsOf,
} from './permissions.ts'
import type { Bot } from './rest.ts'
import { idsOf } from './text.ts'

const BotUser = z.object({ id: z.string(), username: z.string() })
type BotUser = z.infer<typeof BotUser>

const DiscordPlace = z.object({
  id: z.string(),
  type: z.number(),
  name: z.string().nullish(),
  guild_id: z.string().optional(),
  parent_id: z.string().nullish(),
  permission_overwrites: PermissionOverwrites.optional(),
})
type DiscordPlace = z.infer<typeof DiscordPlace>

/** How what people do at messages reaches us. */
interface DiscordInteractions {
  way: 'gateway' | 'signed'
  publicKey: string | undefined
}

const Application = z.object({ verify_key: z.string(), interactions_endpoint_url: z.string().nullish() })

const threads = new Set<number>([
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
])

const takesText = new Set<number>([
  ...threads,
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
  ChannelType.DM,
])

/** What its messages may have beside text. */
export interface RequiredFeatures {
  /** Who may be mentioned. */
  mentions: readonly string[]
  pictures: boolean
  hearing: DiscordInteractions | undefined
}

/** Asks Discord, step by step, whether the bot could write there. Stops at the first step that makes the next moot. */
export async function checkBot(to: string, bot: Bot, wanted: RequiredFeatures): Promise<CheckRow[]> {
  const findings: CheckRow[] = []
  let what = 'token'
  const ok = (text: string) => findings.push({ level: 'ok', what, text })
  const bad = (text: string) => findings.push({ level: 'fail', what, text })
  try {
    const self = BotUser.parse(await bot.rest().get(Routes.user()))
    ok(`The token works. The bot is ${shown(self.username)}.`)

    what = 'channel'
    const place = DiscordPlace.parse(await bot.rest().get(Routes.channel(to)))
    const where = `#${shown(place.name ?? to)}`
    if (!takesText.has(place.type)) {
      bad(
        `${where} does not accept messages (channel type ${place.type}): write the id of a text channel or of a thread.`,
      )
      return findings
    }
    ok(`${where} accepts messages.`)

    what = 'permission'
    if (place.guild_id !== undefined)
      findings.push(...(await checkPermissions(self, place, { guildId: place.guild_id, bot, ...wanted })))
    what = 'buttons'
    if (wanted.hearing !== undefined) findings.push(await checkHearing(wanted.hearing, bot))
  } catch (error) {
    bad(reasonOf(error, what, bot))
  }
  return findings
}

/** Whether Discord says what people do in the way that is configured. */
async function checkHearing({ way, publicKey }: DiscordInteractions, bot: Bot): Promise<CheckRow> {
  const what = 'buttons'
  const application = Application.parse(await bot.rest().get(Routes.currentApplication()))
  const postsTo = application.interactions_endpoint_url ?? ''
  const bad = (text: string): CheckRow => ({
    level: 'fail',
    what,
    text: `${text} (Developer Portal, General Information).`,
  })
  if (way === 'gateway') {
    return postsTo === ''
      ? { level: 'ok', what, text: 'Discord sends button presses and commands through the gateway.' }
      : bad(
          'Discord posts button presses to another address, not through the gateway: clear Interactions Endpoint URL',
        )
  }
  if (application.verify_key.toLowerCase() !== publicKey?.toLowerCase()) {
    return bad('discord.publicKey belongs to another application: copy Public Key')
  }
  return postsTo === ''
    ? bad(
        'Discord does not send button presses: write the public address of /discord as Interactions Endpoint URL',
      )
    : { level: 'ok', what, text: `Discord posts button presses and commands to ${shown(postsTo)}.` }
}

async function checkPermissions(
  self: BotUser,
  place: DiscordPlace,
  { guildId, bot, mentions, pictures }: RequiredFeatures & { guildId: string; bot: Bot },
): Promise<CheckRow[]> {
  const guild = Guild.parse(await bot.rest().get(Routes.guild(guildId)))
  const member = Member.parse(await bot.rest().get(Routes.guildMember(guildId, self.id)))
  const inThread = threads.has(place.type)
  // A thread has no overwrites of its own: its channel's hold.
  const holder =
    inThread && typeof place.parent_id === 'string'
      ? DiscordPlace.parse(await bot.rest().get(Routes.channel(place.parent_id)))
      : place
  const permissions = permissionsOf(self.id, member, guild, holder.permission_overwrites ?? [])

  const has = (bit: bigint) => (permissions & bit) !== 0n
  const notNeeded = inThread ? 'Send Messages' : 'Send Messages in Threads'
  const welcome = ['Attach Files', 'Read Message History']
  const needed = botPermissions.filter(({ name }) => name !== notNeeded && !welcome.includes(name))
  const missing = needed.filter(({ bit }) => !has(bit)).map(({ name }) => name)
  const server = shown(guild.name)
  const findings: CheckRow[] = [
    missing.length === 0
      ? { level: 'ok', what: 'permission', text: `The bot may write there, on the server ${server}.` }
      : {
          level: 'fail',
          what: 'permission',
          text: `The bot lacks ${missing.join(', ')}: allow it in the channel’s settings on the server ${server}, under Permissions.`,
        },
    {
      level: has(PermissionFlagsBits.ReadMessageHistory) ? 'ok' : 'warn',
      what: 'history',
      text: has(PermissionFlagsBits.ReadMessageHistory)
        ? 'The bot may read the channel, so after a failure it can check whether a message has arrived.'
        : 'Without Read Message History, a message can arrive twice after a failure. Allow it to the bot.',
    },
  ]
  findings.push(...checkMentions(mentions, guild, has(PermissionFlagsBits.MentionEveryone)))
  if (pictures && !has(PermissionFlagsBits.AttachFiles)) {
    const text =
      'Alerts will have no chart: the bot lacks Attach Files. Allow it in the channel’s settings, under Permissions.'
    findings.push({ level: 'warn', what: 'pictures', text })
  }
  const until = member.communication_disabled_until
  if (typeof until === 'string' && Date.parse(until) > Date.now()) {
    findings.push({
      level: 'fail',
      what: 'permission',
      text: `The bot is in a time-out until ${shown(until)}: ask a moderator to end it.`,
    })
  }
  return findings
}

/** Discord shows a mention that the bot may not make, but notifies nobody. */
function checkMentions(mentions: readonly string[], { roles }: Guild, mayMentionAll: boolean): CheckRow[] {
  const { users, roles: named } = idsOf(mentions)
  const roleOf = (id: string) => roles.find((role) => role.id === id)
  const isRefused = (one: string) =>
    one === 'here' || one === 'channel' || idsOf([one]).roles.some((id) => roleOf(id)?.mentionable === false)
  const refused = mayMentionAll ? [] : mentions.filter(isRefused)
  const row = (level: CheckRow['level'], text: string): CheckRow => ({ level, what: 'mentions', text })
  return [
    ...(refused.length === 0
      ? []
      : [
          row(
            'warn',
            `The bot lacks Mention Everyone, so ${refused.join(', ')} notifies nobody: allow it in the channel’s settings.`,
          ),
        ]),
    ...users.filter(roleOf).map((id) => row('fail', `${id} is a role: write "&${id}" under mentions.`)),
    ...named.filter((id) => !roleOf(id)).map((id) => row('fail', `There is no role &${id} on the server.`)),
  ]
}

/** What failed and what to do; a bot that is not on the server gets the link that invites it. */
function reasonOf(error: unknown, what: string, bot: Bot): string {
  if (error instanceof z.ZodError)
    return `Discord’s answer about the ${what} cannot be read: check apiUrl and any proxy.`
  const failure = failureOf(error, 'bot')
  if (what === 'permission')
    return `Bluepencil could not check whether the bot may write there. ${failure.why}`
  if (what === 'token' || failure.result !== 'blocked' || bot.applicationId === undefined) return failure.why
  return `${failure.why} Invite: ${inviteLink(bot.applicationId)}`
}

function shown(text: string): string {
  return text.replace(/\p{C}/gu, '')
}
