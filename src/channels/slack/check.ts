import type { webApi } from '@slack/bolt'
import type { CheckResult } from '../channel.ts'
import { type Conversation, findConversation, isConversationId } from './conversations.ts'
import { type BotScope, botScopes } from './scopes.ts'
import { troubleOf } from './trouble.ts'
import { type SlackPlace, verdictOn } from './verdict.ts'

/** Would a bot's channel work? Reads only; nobody is told anything. */
export async function checkBot(client: webApi.WebClient, to: string): Promise<CheckResult[]> {
  const place: SlackPlace = { channel: to, bot: 'the bot', key: 'slack.token' }
  let scopes: string[] | undefined
  const findings: CheckResult[] = []
  try {
    const { user = 'a bot', team = 'a workspace', response_metadata } = await client.auth.test()
    place.bot = `@${user}`
    scopes = response_metadata?.scopes
    findings.push({ ok: true, what: 'token', detail: `${place.bot} in the workspace "${team}".` })
  } catch (error) {
    return [{ ok: false, what: 'token', detail: verdictOn(troubleOf(error), place).why }]
  }
  if (scopes && !scopes.includes('chat:write')) {
    findings.push({ ok: false, what: 'permission', detail: scopeMissing('chat:write', 'cannot post') })
  }
  const { finding, id, unfound } = await checkConversation(client, place, scopes)
  findings.push(finding)
  if (id !== undefined) findings.push(await checkHistory(client, id))
  if (unfound !== undefined) findings.push(mayDouble(unfound, 'cannot find the channel by its name'))
  return findings
}

async function checkConversation(
  client: webApi.WebClient,
  place: SlackPlace,
  scopes: string[] | undefined,
): Promise<{ finding: CheckResult; id?: string; unfound?: BotScope }> {
  try {
    const found = await findConversation(client, place.channel)
    if (!found) return { finding: notFound(place) }
    return { finding: membership(found, place, scopes), id: found.id }
  } catch (error) {
    const trouble = troubleOf(error)
    if (trouble.kind === 'refused' && trouble.code === 'missing_scope') {
      const scope = scopeOf(trouble.needed) ?? 'channels:read'
      const detail = `Not checked: ${scopeMissing(scope, 'cannot see whether the channel is there')} Posting may work all the same.`
      return {
        finding: { ok: true, what: 'channel', detail },
        ...(isConversationId(place.channel) ? { id: place.channel } : { unfound: scope }),
      }
    }
    return { finding: { ok: false, what: 'channel', detail: verdictOn(trouble, place).why } }
  }
}

function notFound({ channel, bot }: SlackPlace): CheckResult {
  const detail = `${bot} sees no ${channel}: correct the name; where the channel is private, write "/invite ${bot}" in it.`
  return { ok: false, what: 'channel', detail }
}

function membership(
  found: Conversation,
  { channel, bot }: SlackPlace,
  scopes: string[] | undefined,
): CheckResult {
  const what = 'channel'
  const label = found.name === '' ? channel : `#${found.name} (${found.id})`
  if (found.isArchived) {
    return { ok: false, what, detail: `${label} is archived: bring it back, or name another channel.` }
  }
  if (found.isMember) return { ok: true, what, detail: `${bot} is in ${label}.` }
  if (scopes?.includes('chat:write.public') && !found.isPrivate) {
    return { ok: true, what, detail: `${bot} is not in ${label}, but may post in public channels.` }
  }
  return { ok: false, what, detail: `${bot} is not in ${label}: write "/invite ${bot}" in it.` }
}

/** Either way it works; without the right to read, a crash between posting and noting it can double one message. */
async function checkHistory(client: webApi.WebClient, id: string): Promise<CheckResult> {
  const what = 'history'
  try {
    await client.conversations.history({ channel: id, limit: 1, include_all_metadata: true })
    return { ok: true, what, detail: 'After a crash, what was already posted is found and not posted twice.' }
  } catch (error) {
    const trouble = troubleOf(error)
    const needed = trouble.kind === 'refused' && trouble.code === 'missing_scope' ? trouble.needed : undefined
    return mayDouble(scopeOf(needed) ?? 'channels:history', 'cannot look up what was already posted')
  }
}

function mayDouble(scope: BotScope, effect: string): CheckResult {
  const detail = `A message may be posted twice after a crash: ${scopeMissing(scope, effect)}`
  return { ok: true, what: 'history', detail }
}

/** Slack names the scopes that would do, separated by commas. */
function scopeOf(needed: string | undefined): BotScope | undefined {
  const named = needed?.split(',') ?? []
  return Object.keys(botScopes).find((scope): scope is BotScope => named.includes(scope))
}

function scopeMissing(scope: BotScope, effect: string): string {
  return `without the scope ${scope} the bot ${effect}; add it under "OAuth & Permissions" and install the app again.`
}
