import type { Act, Scope } from '../event/act.ts'
import { plain } from '../text/plain.ts'
import { modelName, when } from './words.ts'

/** "Acknowledged by Ana on 21 Nov 2026, 15:05 CET.": what people did about an alert, as its message shows it. */
export function acted(acts: readonly Act[], { timeZone }: { timeZone: string }): string[] {
  return acts.flatMap((act) => inWords(act, timeZone) ?? [])
}

function inWords(act: Act, timeZone: string): string | undefined {
  const by = plain(act.by.name)
  const at = when(act.receivedAt, timeZone)
  switch (act.does) {
    case 'acknowledge':
      return `Acknowledged by ${by} on ${at}.`
    case 'silence':
      return `${by} silenced ${scopeInWords(act.scope)} until ${when(act.until, timeZone)}: ${plain(act.why, 200)}`
    case 'end-silence':
      return `${by} ended the silence on ${at}.`
    case 'send-again':
    case 'subscribe':
    case 'unsubscribe':
      return undefined
  }
}

/** "Claude on political prompts in ai-desk". */
export function scopeInWords({ model, category, channel }: Scope): string {
  const of = model === undefined ? 'all models' : modelName(model)
  const on = category === undefined ? '' : ` on ${plain(category).toLowerCase()} prompts`
  return `${of}${on}${channel === undefined ? '' : ` in ${channel}`}`
}
