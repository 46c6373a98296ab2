import type { webApi } from '@slack/bolt'
import type { Page, Posted } from '../earlier.ts'
import { isRateLimit, troubleOf } from './trouble.ts'

/** Above 200 rows a page Slack may answer fewer; 999 is the most that it takes. */
const rowsOfList = 999
const pagesOfList = 20
const rowsOfHistory = 200
const pagesOfHistory = 10

export interface Conversation {
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

/** Looks up a channel by id or by `#name`. Answers undefined where no such channel can be seen by the bot. */
export async function findConversation(
  client: webApi.WebClient,
  to: string,
): Promise<Conversation | undefined> {
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
): Promise<Conversation | undefined> {
  let cursor: string | undefined
  for (let page = 0; page < pagesOfList; page++) {
    const rows = await client.conversations.list({ types, limit: rowsOfList, ...(cursor && { cursor }) })
    const found = rows.channels?.find((row) => row.name === name || row.name_normalized === name)
    if (found) return conversation(found)
    cursor = rows.response_metadata?.next_cursor
    if (!cursor) return undefined
  }
  return undefined
}

/**
 * What we posted into a channel since `from` (milliseconds since the epoch), newest first, by the event's id in its
 * metadata; the receipt is its `ts`. The newest 2,000 messages are looked at.
 */
export async function* readPosted(
  client: webApi.WebClient,
  channel: string,
  from: number,
  next: string | undefined,
): AsyncGenerator<Page> {
  // Behind the last page.
  if (next === '') return
  const oldest = (from / 1000).toFixed(6)
  let cursor = next
  for (let page = 0; page < pagesOfHistory; page++) {
    try {
      const rows = await client.conversations.history({
        channel,
        oldest,
        limit: rowsOfHistory,
        include_all_metadata: true,
        ...(cursor && { cursor }),
      })
      cursor = rows.response_metadata?.next_cursor
      yield { posted: (rows.messages ?? []).flatMap(posted), next: cursor ?? '' }
      if (!cursor) return
    } catch (error) {
      // Some apps may read one page a minute: they would never come to the end (rate-limits, "non-Marketplace apps").
      if (page > 0 && isRateLimit(troubleOf(error))) return
      throw error
    }
  }
}

function posted({ metadata, ts = '' }: { metadata?: object; ts?: string }): Posted[] {
  if (!metadata || !('event_type' in metadata) || metadata.event_type !== 'bluepencil_alert') return []
  if (!('event_payload' in metadata)) return []
  const payload = metadata.event_payload
  if (typeof payload !== 'object' || payload === null || !('event_id' in payload)) return []
  return [{ mark: String(payload.event_id), receipt: ts }]
}

function conversation(row: {
  id?: string
  name?: string
  is_member?: boolean
  is_im?: boolean
  is_private?: boolean
  is_archived?: boolean
}): Conversation {
  return {
    id: row.id ?? '',
    name: row.name ?? '',
    isMember: row.is_member === true || row.is_im === true,
    isPrivate: row.is_private === true,
    isArchived: row.is_archived === true,
  }
}
