import * as z from 'zod'
import { CommonSettings, channelType, key } from '../settings.ts'

export const ConsoleSettings = CommonSettings.extend({
  type: channelType('console'),
  /** Shows each message as it would read there. */
  as: key(
    'Shows each message as it would read there',
    'slack',
    z.enum(['plain', 'slack', 'discord', 'email']).default('plain'),
    'Look',
  ),
})
export type ConsoleSettings = z.infer<typeof ConsoleSettings>
