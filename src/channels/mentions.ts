import * as z from 'zod'
import type { Message } from '../message/message.ts'
import type { KeyText } from './settings.ts'

/** A text that is longer than this many names is read by nobody. */
const mostRules = 20

/** With which messages somebody is mentioned: alerts that pass all of these, or notices of trouble. */
const When = z
  .strictObject({
    /** Percentage points, absolute. */
    minDelta: z.number().min(0).max(100).optional(),
    models: z.array(z.string().min(1)).min(1).optional(),
    categories: z.array(z.string().min(1)).min(1).optional(),
    direction: z.enum(['rise', 'fall', 'both']).optional(),
    notices: z.literal(true, 'must be true; leave the key out for alerts').optional(),
  })
  .refine(({ notices, ...ofAlerts }) => notices === undefined || Object.keys(ofAlerts).length === 0, {
    path: ['notices'],
    error:
      'stands alone: notices of trouble have no model, category or size; write a rule of its own for alerts',
  })

export interface MentionRule {
  /** As the provider names them, or `here`, or `channel`. */
  who: string
  when?: z.infer<typeof When> | undefined
}

/** Whom a channel's messages mention, and when; `who` is what the provider can mention. */
export function mentionRules(who: z.ZodType<string>) {
  return z
    .array(z.strictObject({ who, when: When.optional() }))
    .min(1)
    .max(mostRules)
    .optional()
}

/** What the keys of `mentions` are for. */
export function mentionKeys(who: KeyText): Record<string, KeyText> {
  return {
    mentions: {
      is: 'Whom alerts and their corrections mention; nobody but these, whatever a text says',
      example: [{ who: who.example, when: { minDelta: 15 } }],
    },
    'mentions.who': who,
    'mentions.when': { is: 'With which alerts; all of them where it is not set', example: { minDelta: 15 } },
    'mentions.when.minDelta': {
      is: 'Changes of at least so many percentage points, up or down',
      example: 15,
    },
    'mentions.when.models': { is: 'Alerts about these models', example: ['claude'] },
    'mentions.when.categories': { is: 'Alerts about these categories of prompts', example: ['political'] },
    'mentions.when.direction': { is: 'More refusals (rise), fewer (fall), or both', example: 'rise' },
    'mentions.when.notices': { is: 'With notices of trouble, and not with alerts', example: true },
  }
}

/** The same message, which mentions nobody: an edit, or a copy of what may have rung already. */
export function withoutMentions(message: Message): Message {
  const { mentions: _, ...silent } = message
  return silent
}
