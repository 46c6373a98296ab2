import { gaveUpWaiting } from '../../platform/outbound/exchange.ts'
import type { SendFailure } from '../channel.ts'
import { isRateLimit, type SlackCallFailure, troubleOf } from './transport.ts'

/** Where a message was to go, in words for a person: no address, no token. */
export interface SlackPlace {
  /** `#ai-desk`, `C0123456789`, or `the webhook's channel`. */
  channel: string
  /** `@bluepencil`, or `the bot` if its name is not known. */
  bot: string
  /** The setting with the key that Slack got. */
  key: 'slack.token' | 'webhookUrl'
}

/**
 * Codes after which nothing goes until a person acts, and what to do. From the tables of errors at
 * https://docs.slack.dev/reference/methods/chat.postMessage and
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks.
 */
const remedies: Record<string, (place: SlackPlace, needed: string) => string> = {
  invalid_auth: newKey('Slack does not know it'),
  not_authed: newKey('it is missing'),
  token_revoked: newKey('it was revoked'),
  token_expired: newKey('it has expired'),
  account_inactive: newKey('the bot or its workspace was removed; install the app again'),
  invalid_token: newKey('Slack does not know it'),
  no_service: newKey('the webhook was removed or switched off'),
  no_service_id: newKey('the address is not complete'),
  no_active_hooks: newKey('the webhook was switched off'),
  no_team: newKey('its workspace no longer exists'),
  team_disabled: newKey('its workspace was closed'),
  not_allowed_token_type: () => 'slack.token is not a bot token: use the one that begins with xoxb-',
  missing_scope: (_place, needed) =>
    `the app lacks ${needed === '' ? 'a scope' : `the scope ${needed}`}: add it under "OAuth & Permissions" and install the app again`,
  channel_not_found: ({ channel, bot }) =>
    `Slack does not find ${channel}: correct its name or id. If it is private, write "/invite ${bot}" in it`,
  not_in_channel: ({ channel, bot }) => `${bot} is not in ${channel}: write "/invite ${bot}" in it`,
  is_archived: unarchive,
  channel_is_archived: unarchive,
  action_prohibited: askAdministrator,
  posting_to_general_channel_denied: askAdministrator,
  restricted_action: askAdministrator,
  restricted_action_read_only_channel: askAdministrator,
  restricted_action_thread_only_channel: ({ channel }) =>
    `${channel} accepts only replies in threads: name another channel`,
  no_permission: askAdministrator,
  access_denied: askAdministrator,
  accesslimited: askAdministrator,
  ekm_access_denied: askAdministrator,
  enterprise_is_restricted: askAdministrator,
  team_access_not_granted: askAdministrator,
}

/** Codes that speak of this one message. */
const refusedMessages = new Set([
  'msg_too_long',
  'msg_blocks_too_long',
  'no_text',
  'missing_text_or_fallback_or_attachments',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_payload',
  'invalid_arguments',
  'invalid_arg_name',
  'invalid_attachments',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'metadata_too_large',
  'metadata_must_be_sent_from_app',
  'markdown_text_conflict',
  'too_many_attachments',
])

/** Codes with which Slack did nothing, and says so; after any other the message may stand there. */
const surelyNotPosted = new Set(['ratelimited', 'rate_limited', 'request_timeout', 'message_limit_exceeded'])

/** Codes with which Slack says that it has trouble of its own. */
const passing = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'rate_limited',
  // A search that began long ago; it begins anew.
  'invalid_cursor',
])

/** True if the same request may succeed a while later. */
export function doesPass({ code }: { code: string }): boolean {
  return passing.has(code)
}

/** True if Slack does not know us any more, so that every request fails. */
export function isOfTheToken(code: string): boolean {
  return /^(invalid_auth|not_authed|token_revoked|token_expired|account_inactive|team_disabled)$/.test(code)
}

/**
 * What follows from a failed try. An error that Slack does not document is tried again: the policy's 24 hours
 * and the operators' notice stand behind it, so nothing is lost.
 */
export function verdictOn(trouble: SlackCallFailure, place: SlackPlace): SendFailure {
  const code = 'code' in trouble ? trouble.code : undefined
  if ((trouble.kind === 'refused' || trouble.kind === 'status') && code !== undefined) {
    const remedy = Object.hasOwn(remedies, code) ? remedies[code] : undefined
    const needed = trouble.kind === 'refused' ? (trouble.needed ?? '') : ''
    if (remedy) return { result: 'blocked', why: `Slack answers ${code}: ${remedy(place, needed)}.` }
    if (refusedMessages.has(code)) {
      return { result: 'permanent', why: `Slack rejects this message (${code}).` }
    }
  }
  if (
    trouble.kind === 'status' &&
    place.key === 'webhookUrl' &&
    [401, 403, 404, 410].includes(trouble.status)
  ) {
    const why = `Slack answers ${trouble.status}: the webhook no longer accepts messages. Create a new one and copy its address to webhookUrl.`
    return { result: 'blocked', why }
  }
  if (trouble.kind === 'status' && trouble.status === 413) {
    return { result: 'permanent', why: 'Slack rejects this message as too large (status 413).' }
  }
  return { result: 'retry', ...retrySentence(trouble), ...after(trouble) }
}

function retrySentence(trouble: SlackCallFailure): { why: string; uncertain: boolean; unanswered?: boolean } {
  if (isRateLimit(trouble)) return { why: 'Slack asks us to send more slowly.', uncertain: false }
  switch (trouble.kind) {
    case 'refused':
      return { why: `Slack answers ${trouble.code}.`, uncertain: !surelyNotPosted.has(trouble.code) }
    case 'status':
      return {
        why: `Slack answers with status ${trouble.status}.`,
        uncertain: trouble.status >= 500,
        ...(gaveUpWaiting.has(trouble.status) && { unanswered: true }),
      }
    case 'unreadable':
      return {
        why: 'The answer does not come from Slack: a proxy or a login page may be in between.',
        uncertain: true,
      }
    case 'unreached':
      return {
        why: trouble.uncertain
          ? `Slack did not answer (${trouble.code}).`
          : `Slack cannot be reached (${trouble.code}).`,
        uncertain: trouble.uncertain,
        ...(trouble.uncertain && { unanswered: true }),
      }
    case 'stopped':
      return { why: 'Bluepencil stopped before Slack had answered.', uncertain: true, unanswered: true }
  }
}

function after(trouble: SlackCallFailure): { afterMs?: number } {
  return 'afterMs' in trouble && trouble.afterMs !== undefined ? { afterMs: trouble.afterMs } : {}
}

function newKey(what: string): (place: SlackPlace) => string {
  return ({ key }) =>
    key === 'slack.token'
      ? `the token in slack.token: ${what}; write a new one there`
      : `the address in webhookUrl: ${what}; create a new incoming webhook and copy its address there`
}

function unarchive({ channel }: SlackPlace): string {
  return `${channel} is archived: unarchive it, or name another channel`
}

function askAdministrator({ channel, bot }: SlackPlace): string {
  return `the workspace does not let ${bot} post in ${channel}: ask its administrators`
}

/**
 * Why Slack gives no connection (https://docs.slack.dev/reference/methods/apps.connections.open), and whether it will not
 * before a person acts.
 */
export function unheard(error: unknown): { why: string; isFinal: boolean } {
  const trouble = troubleOf(error)
  if (trouble.kind !== 'refused')
    return { why: `Slack cannot be reached for Socket Mode (${trouble.kind}).`, isFinal: false }
  const { code } = trouble
  if (code === 'missing_scope') {
    const why =
      'slack.appToken lacks the scope connections:write: create one that has it, under "Basic Information", App-Level Tokens.'
    return { why, isFinal: true }
  }
  if (isOfTheToken(code) || code === 'not_allowed_token_type') {
    const why = `Slack rejects slack.appToken (${code}): write an app-level token there, xapp-…, with the scope connections:write.`
    return { why, isFinal: true }
  }
  return { why: `Slack does not open Socket Mode (${code}): is it switched on in the app?`, isFinal: false }
}
