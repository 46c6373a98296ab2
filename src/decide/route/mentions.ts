import type { MentionRule } from '../../channels/mentions.ts'
import type { AlertEvent, Entry } from '../../event/event.ts'
import type { Message } from '../../message/message.ts'
import { refusal } from './filters.ts'

/**
 * Whom a message about an entry mentions, by the rules of its channel, each once. A correction or a withdrawal goes also to those
 * who were mentioned with what it takes the place of. Pure.
 */
export function mentionsOf(entry: Entry, rules: readonly MentionRule[] = []): string[] {
  const named = rules.filter((rule) => applies(rule, entry)).map(({ who }) => who)
  return [...new Set(named)]
}

/** The message, with whom it mentions. */
export function mentioning(message: Message, who: string[]): Message {
  return who.length === 0 ? message : { ...message, mentions: who }
}

function applies({ when = {} }: MentionRule, entry: Entry): boolean {
  const { notices, ...ofAlerts } = when
  switch (entry.kind) {
    case 'notice':
      return notices === true && entry.phase === 'trouble' && entry.status !== true
    case 'alert':
      return notices === undefined && reportsOf(entry).some((one) => passes(one, ofAlerts))
    case 'digest':
    case 'act':
      return false
  }
}

/** The alert as it is now, and if it is a correction, also as it was before. */
function reportsOf(event: AlertEvent): AlertEvent[] {
  const { revises, before } = event
  if (revises === undefined || before === undefined) return [event]
  const { type, model, category, delta } = before
  return [event, { ...event, type, model, category, delta }]
}

function passes(
  event: AlertEvent,
  { direction = 'both', ...when }: NonNullable<MentionRule['when']>,
): boolean {
  return refusal(event, { direction, ...when }) === undefined
}
