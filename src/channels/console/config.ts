import * as z from 'zod'
import { CommonSettings } from '../settings.ts'

export const ConsoleSettings = CommonSettings.extend({
  type: z.literal('console'),
  /** Shows each message as it would read there. */
  as: z.enum(['plain', 'slack', 'discord', 'email']).default('plain'),
})
export type ConsoleSettings = z.infer<typeof ConsoleSettings>
