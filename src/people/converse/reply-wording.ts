import type { Scope } from '../../event/act.ts'
import type { AlertEvent } from '../../event/event.ts'
import type { Words } from '../../message/words/words.ts'

/** How things are said to who asks. */
export interface ReplyWording {
  words: Words
  /** In which times are shown, and read. */
  timeZone: string
  /** "Claude on political prompts". */
  scope(scope: Scope): string
  /** One line on an alert: its headline. */
  headline(alert: AlertEvent): Promise<string>
}
