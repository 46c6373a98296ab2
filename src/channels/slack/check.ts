import type { webApi } from '@slack/bolt'
import type { CheckRow } from '../channel.ts'
import { findConversation, isConversationId, type SlackConversation } from './conversations.ts'
import { type BotScope, botScopes } from './manifest.ts'
import { troubleOf } from './transport.ts'
import { type SlackPlace, unheard, verdictOn } from './verdict.ts'

/** How what people do at messages reaches us. */
export type SlackInteractions =
  | { way: 'signed' }
  /** Asks Slack for a connection, and uses it for nothing. */
  | { way: 'socket'; open(): Promise<unknown> }

/** Would a bot's channel work? Reads only, and posts nothing. */
export async function checkBot(
  client: webApi.WebClient,
  to: string,
  { pictures, hearing }: { pictures: boolean; hearing?: SlackInteractions | undefined },
): Promise<CheckRow[]> {
  const place: SlackPlace = { channel: to, bot: 'the bot', key: 'slack.token' }
  let scopes: string[] | undefined
  const findings: CheckRow[] = []
  try {
    const { user = 'a bot', team = 'a workspace', response_metadata } = await client.auth.test()
    place.bot = `@${user}`
    scopes = response_metadata?.scopes
    findings.push({ level: 'ok', what: 'token', text: `${place.bot} in the workspace "${team}".` })
  } catch (error) {
    return [{ level: 'fail', what: 'token', text: verdictOn(troubleOf(error), place).why }]
  }
  if (scopes && !scopes.includes('chat:write')) {
    findings.push({ level: 'fail', what: 'permission', text: scopeMissing('chat:write', 'cannot post') })
  }
  if (pictures && scopes && !scopes.includes('files:write')) {
    const text = `Alerts will have no chart: ${scopeMissing('files:write', 'cannot upload one')}`
    findings.push({ level: 'warn', what: 'pictures', text })
  }
  const { finding, id, unfound } = await checkConversation(client, place, scopes)
  findings.push(finding)
  if (id !== undefined) findings.push(await checkHistory(client, id))
  if (unfound !== undefined) findings.push(mayDouble(unfound, 'cannot find the channel by its name'))
  if (hearing !== undefined) findings.push(await checkHearing(hearing))
  if (hearing !== undefined && scopes && !scopes.includes('commands')) {
    const text = scopeMissing('commands', 'does not get /bluepencil')
    findings.push({ level: 'warn', what: 'commands', text: `Buttons work; ${text}` })
  }
  return findings
}

async function checkHearing(hearing: SlackInteractions): Promise<CheckRow> {
  const what = 'buttons'
  if (hearing.way === 'signed') {
    const text =
      'Slack must post button presses and commands to /slack: write its public address in the app under Interactivity and Slash Commands.'
    return { level: 'ok', what, text }
  }
  try {
    await hearing.open()
    return { level: 'ok', what, text: 'Socket Mode works: people can use buttons.' }
  } catch (error) {
    return { level: 'fail', what, text: unheard(error).why }
  }
}

async function checkConversation(
  client: webApi.WebClient,
  place: SlackPlace,
  scopes: string[] | undefined,
): Promise<{ finding: CheckRow; id?: string; unfound?: BotScope }> {
  try {
    const conversation = await findConversation(client, place.channel)
    if (!conversation) return { finding: notFound(place) }
    return { finding: membership(conversation, place, scopes), id: conversation.id }
  } catch (error) {
    const trouble = troubleOf(error)
    if (trouble.kind === 'refused' && trouble.code === 'missing_scope') {
      const scope = scopeOf(trouble.needed) ?? 'channels:read'
      const text = `Not checked: ${scopeMissing(scope, 'cannot see whether the channel is there')} Posting may still work.`
      return {
        finding: { level: 'warn', what: 'channel', text },
        ...(isConversationId(place.channel) ? { id: place.channel } : { unfound: scope }),
      }
    }
    return { finding: { level: 'fail', what: 'channel', text: verdictOn(trouble, place).why } }
  }
}

function notFound({ channel, bot }: SlackPlace): CheckRow {
  const text = `${bot} does not see ${channel}: correct the name. If the channel is private, write "/invite ${bot}" in it.`
  return { level: 'fail', what: 'channel', text }
}

function membership(
  conversation: SlackConversation,
  { channel, bot }: SlackPlace,
  scopes: string[] | undefined,
): CheckRow {
  const what = 'channel'
  const label = conversation.name === '' ? channel : `#${conversation.name} (${conversation.id})`
  if (conversation.isArchived) {
    return { level: 'fail', what, text: `${label} is archived: unarchive it, or name another channel.` }
  }
  if (conversation.isMember) return { level: 'ok', what, text: `${bot} is in ${label}.` }
  if (scopes?.includes('chat:write.public') && !conversation.isPrivate) {
    return { level: 'ok', what, text: `${bot} is not in ${label}, but may post in public channels.` }
  }
  return { level: 'fail', what, text: `${bot} is not in ${label}: write "/invite ${bot}" in it.` }
}

/** Either way it works; without the right to read, a crash between posting and noting it can double one message. */
async function checkHistory(client: webApi.WebClient, id: string): Promise<CheckRow> {
  const what = 'history'
  try {
    await client.conversations.history({ channel: id, limit: 1, include_all_metadata: true })
    return {
      level: 'ok',
      what,
      text: 'After a crash, Bluepencil finds what is already posted and does not post it twice.',
    }
  } catch (error) {
    const trouble = troubleOf(error)
    const needed = trouble.kind === 'refused' && trouble.code === 'missing_scope' ? trouble.needed : undefined
    return mayDouble(scopeOf(needed) ?? 'channels:history', 'cannot look up what was already posted')
  }
}

function mayDouble(scope: BotScope, effect: string): CheckRow {
  const text = `A message may be posted twice after a crash: ${scopeMissing(scope, effect)}`
  return { level: 'warn', what: 'history', text }
}

/** Slack names the scopes that would do, separated by commas. */
function scopeOf(needed: string | undefined): BotScope | undefined {
  const named = needed?.split(',') ?? []
  return Object.keys(botScopes).find((scope): scope is BotScope => named.includes(scope))
}

function scopeMissing(scope: BotScope, effect: string): string {
  return `without the scope ${scope} the bot ${effect}; add it under "OAuth & Permissions" and install the app again.`
}
