import type { Act, Scope } from '../../event/act.ts'
import { deskOf, type PublishedStory } from '../../event/desk.ts'
import type { Escalation } from '../../event/outcome.ts'
import { plain } from '../../platform/text.ts'
import type { Link } from '../message.ts'
import { english, type Words } from '../words/words.ts'
import { modelName, promptsOf, type Wording } from './words.ts'

/** "Acknowledged by Ana on 21 Nov 2026, 15:05 CET.": what people did about an alert, as its message shows it. */
export function actTexts(acts: readonly Act[], wording: Wording): string[] {
  return acts.flatMap((act) => actText(act, wording) ?? [])
}

/** What the desk does about an alert, unless an acknowledgement says so: a message begins with it. */
export function deskTexts(acts: readonly Act[], { words, timeZone }: Wording): string[] {
  if (!acts.some(({ does }) => does === 'set-desk')) return []
  const { state, by, at = '', story = '' } = deskOf(acts)
  return [words.say('desk', { state, by: plain(by?.name ?? ''), at: words.time(at, timeZone), story })]
}

/** The state of an alert in a line about it, also if only an acknowledgement says so. */
export function memberDeskTexts(acts: readonly Act[], wording: Wording): string[] {
  const { act } = deskOf(acts)
  return [
    ...deskTexts(acts, wording),
    ...actTexts(
      acts.filter(({ id }) => id === act),
      wording,
    ),
  ]
}

/** "This corrects a report that Ana published on 21 Nov 2026, 15:05 CET: https://…": a correction or withdrawal begins with it. */
export function publishedTexts(
  published: readonly PublishedStory[],
  is: 'correction' | 'withdrawal',
  { words, timeZone }: Pick<Wording, 'words' | 'timeZone'>,
): string[] {
  return published.map(({ by, at, story }) =>
    words.say('publishedBefore', { is, by: plain(by.name), at: words.time(at, timeZone), story }),
  )
}

/** "Escalated from “ai-desk” on …: nobody had acknowledged it since …." */
export function escalationText(
  { from, since, at, isUnsent }: Escalation,
  { words, timeZone }: Wording,
): string {
  const times = { at: words.time(at, timeZone), since: words.time(since, timeZone) }
  return words.say('escalated', { from, is: isUnsent ? 'unsent' : 'sent', ...times })
}

/** The stories that were published, of the alert and of what it corrects. */
export function storyLinks(
  acts: readonly Act[],
  published: readonly PublishedStory[],
  { say }: Words,
): Link[] {
  const stories = [deskOf(acts).story, ...published.map(({ story }) => story)]
  return [...new Set(stories)].flatMap((url) => (url === undefined ? [] : [{ label: say('toStory'), url }]))
}

function actText(act: Act, { words, timeZone }: Wording): string | undefined {
  const by = plain(act.by.name)
  const at = words.time(act.receivedAt, timeZone)
  switch (act.does) {
    case 'acknowledge':
      return words.say('acknowledged', { by, at })
    case 'silence': {
      const until = words.time(act.until, timeZone)
      const scope = scopeInWords(act.scope, words)
      return words.say('silenced', { by, scope, until, why: whyInWords(act.why, words) })
    }
    case 'end-silence':
      return words.say('silenceEnded', { by, at })
    case 'set-desk':
    case 'subscribe':
    case 'unsubscribe':
    case 'send-again':
    case 'test':
    case 'change-filters':
    case 'restore-filters':
    case 'make-token':
    case 'revoke-token':
    case 'change-config':
    case 'sign-in':
      return undefined
  }
}

/** Why somebody asked for quiet, if they said it. */
export function whyInWords(why: string, words: Words): string {
  return why === '' ? words.say('noReason') : plain(why, 200)
}

/** "Claude on political prompts in ai-desk". */
export function scopeInWords({ model, category, channel }: Scope, words: Words = english): string {
  return words.say('scope', {
    model: model === undefined ? words.say('allModels') : modelName(model, words),
    of: category === undefined ? 'no' : 'yes',
    prompts: category === undefined ? '' : promptsOf(category, words),
    placed: channel === undefined ? 'no' : 'yes',
    channel: channel ?? '',
  })
}
