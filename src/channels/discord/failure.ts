import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js'
import { gaveUpWaiting, NoAnswer } from '../../platform/outbound/exchange.ts'
import { cut, oneLine } from '../../platform/text.ts'
import type { SendFailure, SendResult } from '../channel.ts'

/** Who spoke to Discord: what a person must do differs. */
export type DiscordSender = 'bot' | 'webhook'

/**
 * What a person must do, by Discord's own codes
 * (https://docs.discord.com/developers/topics/opcodes-and-status-codes#json). Nothing gets through before.
 */
const remedies: Record<number, string> = {
  10003: 'The channel does not exist, or the bot is not in its server: check `to`, or invite the bot',
  10004: 'The bot is not in the channel’s server: invite it',
  10007: 'The bot is not in the channel’s server: invite it',
  10015: 'The webhook was deleted: create one in the channel’s settings and copy its address to webhookUrl',
  40001: 'Discord rejects the token: copy the bot’s current one to discord.token',
  40002: 'The bot’s account is not verified: verify it in the Discord Developer Portal',
  40007: 'The bot is banned from the server: ask its moderators to lift the ban',
  40058:
    'The channel is a forum, which does not accept messages: write the id of a text channel or of a thread',
  50001: 'The bot cannot see the channel: invite it to the server and allow it View Channel there',
  50008: 'The channel does not accept messages: write the id of a text channel or of a thread',
  50009: 'The server’s verification level keeps the bot out: ask its moderators',
  50013:
    'The bot may not write there: allow it View Channel, Send Messages and Embed Links in the channel’s settings',
  50014: 'Discord rejects the token: copy the bot’s current one to discord.token',
  50024: 'The channel does not accept messages: write the id of a text channel or of a thread',
  50027: 'Discord rejects the webhook’s token: copy the webhook’s whole address to webhookUrl again',
  50083: 'The thread is archived: open it again, or write another channel’s id',
  160005: 'The thread is locked: unlock it, or write another channel’s id',
  220001: 'The webhook belongs to a forum: add ?thread_id=ID to webhookUrl, or use a text channel’s webhook',
  220003: 'The webhook belongs to a channel without such a thread: remove ?thread_id from webhookUrl',
  220004: 'The webhook belongs to a forum, which does not accept its messages: use a text channel’s webhook',
}

/** Discord is busy, or Cloudflare before it is in the way; it says so with all kinds of statuses. */
const passing = new Set([40004, 40006, 40062, 40333, 130000])

/**
 * How a request failed, in our words. An error of discord.js has the request's address, and so a webhook's token. We only
 * pass on its code and what Discord itself says about the body.
 */
export function failureOf(error: unknown, party: DiscordSender, signal?: AbortSignal): SendFailure {
  if (signal?.aborted) return unanswered('Bluepencil stopped before Discord had answered')
  if (error instanceof RateLimitError) return limited(error)
  if (error instanceof DiscordAPIError) return refused(error, party)
  if (error instanceof HTTPError && gaveUpWaiting.has(error.status)) {
    return unanswered(`Discord did not answer in time (HTTP ${error.status})`)
  }
  if (error instanceof HTTPError)
    return again(`Discord has a problem of its own (HTTP ${error.status})`, true)
  if (error instanceof NoAnswer) return withoutAnswer(error)
  return again(`The request to Discord failed (${nameOf(error)})`, true)
}

function withoutAnswer({ reason, code, uncertain }: NoAnswer): SendFailure {
  switch (reason) {
    case 'stopped':
      return unanswered('Bluepencil stopped before Discord had answered')
    case 'too slow':
      return unanswered('Discord did not answer in time')
    case 'too long':
      return unanswered('The answer is too long to come from Discord: check apiUrl and any proxy')
    case 'broken': {
      const why = `Discord cannot be reached, or the connection broke (${code ?? 'no code'})`
      return uncertain ? unanswered(why) : again(why, false)
    }
  }
}

/** An answer of success that is not what was asked for: a proxy's page, a redirect. */
export function notDiscord(): SendFailure {
  return again('The answer does not come from Discord: check apiUrl and any proxy', true)
}

function limited({ retryAfter, global }: RateLimitError): SendFailure {
  const why = global
    ? 'The bot has reached Discord’s limit for all its messages'
    : 'The bot has reached Discord’s limit for this channel'
  const hasWait = Number.isFinite(retryAfter) && retryAfter > 0
  return { ...again(why, false), ...(hasWait && { afterMs: Math.ceil(retryAfter) }) }
}

function refused(error: DiscordAPIError, party: DiscordSender): SendFailure {
  const code = Number(error.code)
  // Only an answer of Discord's own has a code; 0 stands for "see the status".
  if (error.code === undefined || Number.isNaN(code)) {
    return again(`A proxy in front of Discord rejects the request (HTTP ${error.status})`, false)
  }
  if (passing.has(code))
    return again(`Discord cannot accept messages right now (${sentenceOf(error)})`, false)
  const remedy = remedies[code] ?? remedyByStatus(error.status, party)
  if (remedy !== undefined) return { result: 'blocked', why: `${remedy} (${sentenceOf(error)}).` }
  if (error.status === 400 || error.status === 413) {
    return { result: 'permanent', why: `Discord rejects this message: ${sentenceOf(error)}.` }
  }
  return again(`Discord rejects the message (HTTP ${error.status}, ${sentenceOf(error)})`, false)
}

function remedyByStatus(status: number, party: DiscordSender): string | undefined {
  const bot = party === 'bot'
  if (status === 401) return remedies[bot ? 40001 : 50027]
  if (status === 403) return bot ? remedies[50013] : 'The webhook may not write there: create a new one'
  if (status === 404) return remedies[bot ? 10003 : 10015]
  return undefined
}

/** Discord's sentence with the field that it names, in one line, and its code. A proxy may repeat the address in it. */
function sentenceOf(error: DiscordAPIError): string {
  const line = oneLine(error.message).replace(/\S*\/webhooks\/\S*/g, '…')
  return `${cut(line, 300).replace(/\.$/, '')}, code ${error.code}`
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

function unanswered(why: string): Extract<SendResult, { result: 'retry' }> {
  return { ...again(why, true), unanswered: true }
}

function again(why: string, uncertain: boolean): Extract<SendResult, { result: 'retry' }> {
  return { result: 'retry', why: `${why}.`, uncertain }
}
