import * as z from 'zod'
import type { Message } from '../message/message.ts'
import { key } from './settings.ts'

/** A text that is longer than this many names is read by nobody. */
const mostRules = 20

/** With which messages somebody is mentioned: alerts that pass all of these, or notices of trouble. */
const When = z
  .strictObject({
    minDelta: key(
      'Changes of at least this many percentage points, up or down',
      15,
      z.number().min(0).max(100).optional(),
    ),
    models: key('Alerts about these models', ['claude'], z.array(z.string().min(1)).min(1).optional()),
    categories: key(
      'Alerts about these categories of prompts',
      ['political'],
      z.array(z.string().min(1)).min(1).optional(),
    ),
    direction: key(
      'More refusals (rise), fewer (fall), or both',
      'rise',
      z.enum(['rise', 'fall', 'both']).optional(),
    ),
    notices: key(
      'With notices of trouble, and not with alerts',
      true,
      z.literal(true, 'must be true; leave the key out for alerts').optional(),
    ),
  })
  .refine(({ notices, ...ofAlerts }) => notices === undefined || Object.keys(ofAlerts).length === 0, {
    path: ['notices'],
    error:
      'cannot be combined: notices about problems have no model, category or size; write a separate rule for alerts',
  })

export interface MentionRule {
  /** As the provider names them, or `here`, or `channel`. */
  who: string
  when?: z.infer<typeof When> | undefined
}

/** Whom a channel's messages mention, and when; `who` is what the provider can mention, and an example of it. */
export function mentionRules(who: z.ZodType<string>, description: string, example: string) {
  return key(
    'Who is mentioned in alerts and their corrections; nobody else is, even if a text names them',
    [{ who: example, when: { minDelta: 15 } }],
    z
      .array(
        z.strictObject({
          who: key(description, example, who),
          when: key('With which alerts; all of them where it is not set', { minDelta: 15 }, When.optional()),
        }),
      )
      .min(1)
      .max(mostRules)
      .optional(),
    'Mentions',
  )
}

/** The same message, which mentions nobody: an edit, or a copy of what may have rung already. */
export function withoutMentions(message: Message): Message {
  const { mentions: _, ...silent } = message
  return silent
}
