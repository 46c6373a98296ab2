import type { webApi } from '@slack/bolt'
import { troubleOf } from './transport.ts'

/** Above 200 rows a page Slack may answer fewer; 999 is the most that it accepts. */
const rowsOfList = 999
const pagesOfList = 20
const rowsOfHistory = 200
const pagesOfHistory = 10

export interface SlackConversation {
  id: string
  name: string
  isMember: boolean
  isPrivate: boolean
  isArchived: boolean
}

/** True for an id (`C0123456789`); names begin with `#`. */
export function isConversationId(to: string): boolean {
  return !to.startsWith('#')
}

/** Looks up a channel by id or by `#name`. Returns undefined if no such channel can be seen by the bot. */
export async function findConversation(
  client: webApi.WebClient,
  to: string,
): Promise<SlackConversation | undefined> {
  if (isConversationId(to)) {
    const { channel } = await client.conversations.info({ channel: to })
    return channel && conversation(channel)
  }
  const name = to.slice(1)
  try {
    return await findByName(client, name, 'public_channel,private_channel')
  } catch (error) {
    const trouble = troubleOf(error)
    if (trouble.kind !== 'refused' || trouble.code !== 'missing_scope') throw error
    // groups:read is granted apart from channels:read, and most apps hold only the latter.
    return await findByName(client, name, 'public_channel')
  }
}

async function findByName(
  client: webApi.WebClient,
  name: string,
  types: string,
): Promise<SlackConversation | undefined> {
  let cursor: string | undefined
  for (let page = 0; page < pagesOfList; page++) {
    const rows = await client.conversations.list({ types, limit: rowsOfList, ...(cursor && { cursor }) })
    const row = rows.channels?.find((each) => each.name === name || each.name_normalized === name)
    if (row) return conversation(row)
    cursor = rows.response_metadata?.next_cursor
    if (!cursor) return undefined
  }
  return undefined
}

/** Who we are to Slack, as a message names its author. */
export interface SlackAuthor {
  user: string | undefined
  bot: string | undefined
}

export async function whoWeAre(client: webApi.WebClient): Promise<SlackAuthor> {
  const { user_id, bot_id } = await client.auth.test()
  return { user: user_id, bot: bot_id }
}

/** How far a search has come. A page that was read is not read again when a rate limit ends it. */
export interface SearchProgress {
  pages: number
  cursor?: string | undefined
  /** The newest `ts` that was there. */
  newest?: string | undefined
}

/**
 * Searches a channel for what we posted about an event, newest first, by the event's id in its metadata; answers its `ts`.
 * `after` is a `ts` behind which it stands. The newest 2,000 messages are read. Any app may write any metadata: only what our
 * own bot wrote is ours. Some apps may read one page a minute (rate-limits, "non-Marketplace apps"): called again with the
 * same `search`, it goes on where it stopped.
 */
export async function findPosted(
  client: webApi.WebClient,
  channel: string,
  {
    mark,
    after,
    author,
    search,
  }: { mark: string; after: string | undefined; author: SlackAuthor; search: SearchProgress },
): Promise<string | undefined> {
  while (search.pages < pagesOfHistory) {
    const rows = await client.conversations.history({
      channel,
      limit: rowsOfHistory,
      include_all_metadata: true,
      ...(after !== undefined && { oldest: after }),
      ...(search.cursor && { cursor: search.cursor }),
    })
    const messages = rows.messages ?? []
    if (search.pages === 0) search.newest = messages[0]?.ts
    const posted = messages.find((message) => isBy(author, message) && markOf(message) === mark)
    if (posted !== undefined) return posted.ts ?? ''
    search.cursor = rows.response_metadata?.next_cursor
    if (!search.cursor) return undefined
    search.pages += 1
  }
  return undefined
}

/** `user` is the bot's user; a message under a name of its own has the bot's id alone. */
function isBy(author: SlackAuthor, { user, bot_id }: { user?: string; bot_id?: string }): boolean {
  return (user !== undefined && user === author.user) || (bot_id !== undefined && bot_id === author.bot)
}

function markOf({ metadata }: { metadata?: object }): string | undefined {
  if (!metadata || !('event_type' in metadata) || metadata.event_type !== 'bluepencil_alert') return undefined
  if (!('event_payload' in metadata)) return undefined
  const payload = metadata.event_payload
  if (typeof payload !== 'object' || payload === null || !('event_id' in payload)) return undefined
  return String(payload.event_id)
}

function conversation(row: {
  id?: string
  name?: string
  is_member?: boolean
  is_im?: boolean
  is_private?: boolean
  is_archived?: boolean
}): SlackConversation {
  return {
    id: row.id ?? '',
    name: row.name ?? '',
    isMember: row.is_member === true || row.is_im === true,
    isPrivate: row.is_private === true,
    isArchived: row.is_archived === true,
  }
}
