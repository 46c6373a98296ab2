import type { Failed, Outcome, ResendHistory, Sent, Waiting } from '../../event/outcome.ts'
import { counted, plain } from '../../platform/text.ts'
import type { NearAlert } from '../../store/near.ts'

/** Why an outcome is as it is, in a sentence. `rest`: until when its channel rests after a failure (ISO 8601), and why. */
export function reason(outcome: Outcome, rest?: { until: string; why: string }): string {
  switch (outcome.state) {
    case 'sent':
      return `${outcome.at}, ${counted(outcome.attempts, 'attempt')}: ${plain(outcome.receipt.text, 500)}`
    case 'failed':
      return `${outcome.at}, ${counted(outcome.attempts, 'attempt')}: ${plain(outcome.why, 500)}`
    case 'merged':
      return `in the message about ${plain(outcome.in)}`
    case 'held':
      return `until ${outcome.until}: ${plain(outcome.why, 500)}`
    case 'not_sent':
      return `${outcome.rule}: ${plain(outcome.why, 500)}`
    case 'waiting': {
      const until = rest !== undefined && rest.until > outcome.dueAt ? rest.until : outcome.dueAt
      const why =
        outcome.attempts === 0 && rest !== undefined ? `the channel is paused: ${rest.why}` : outcome.why
      const tried =
        outcome.begun === undefined ? `until ${until}` : `an attempt has been running since ${outcome.begun}`
      return `${tried}, ${counted(outcome.attempts, 'attempt')} so far: ${plain(why, 500)}`
    }
  }
}

/** What a reason ends with: copies, edits, an escalation. `later`: what came after the event. */
export function remarksOn(outcome: Outcome, later: readonly NearAlert[] = []): string {
  if (outcome.state === 'sent') return `${escalationOf(outcome)}${copies(outcome)}${edits(outcome, later)}`
  return outcome.state === 'failed' || outcome.state === 'waiting' ? copies(outcome) : ''
}

function escalationOf({ escalated }: Sent): string {
  if (escalated === undefined) return ''
  const { from, since, at, isUnsent } = escalated
  const why = isUnsent ? 'it could not be sent to' : 'nobody had acknowledged it in'
  return `; escalated ${at}: ${why} ${from} since ${since}`
}

/** What stays uncertain: tries that may have arrived. */
function copies({ state, unanswered = 0 }: Pick<Waiting | Sent | Failed, 'state' | 'unanswered'>): string {
  if (unanswered === 0) return ''
  const ended = `${counted(unanswered, 'attempt')} got no answer`
  if (state === 'sent') return `; ${ended} before, so it may have arrived ${unanswered + 1} times`
  return unanswered === 1
    ? `; ${ended}, so it may have arrived`
    : `; ${ended}, so it may have arrived ${unanswered} times`
}

/** Its picture, what the message reports beside its own event, and what it is still to report. */
function edits(
  { alsoTells = [], editedAt, unedited, shows, picture }: Sent,
  later: readonly NearAlert[],
): string {
  const names = (ids: readonly string[]) => ids.map((id) => plain(id)).join(', ')
  const acts = alsoTells.filter((id) => id.startsWith('act_'))
  const others = alsoTells.filter((id) => !acts.includes(id))
  const reported = [
    ...(others.length > 0 ? [`it also reports ${names(others)}`] : []),
    ...(acts.length > 0 ? [`it shows what people did (${names(acts)})`] : []),
  ]
  const at = editedAt === undefined ? [] : [`edited ${editedAt}`]
  const missing = later
    .map(({ id }) => id)
    .filter((id) => !alsoTells.includes(id) && later.every(({ revises }) => revises !== id))
  const pending = shows === undefined || missing.length === 0 ? [] : [`to be edited with ${names(missing)}`]
  const end = unedited === undefined ? pending : [`not edited: ${plain(unedited.why, 500)}`]
  const drawn =
    picture?.why === undefined ? 'with a picture' : `without a picture: ${plain(picture.why, 500)}`
  const shown = picture === undefined ? [] : [drawn]
  return [...shown, ...reported, ...at, ...end].map((part) => `; ${part}`).join('')
}

/** How it stood when somebody asked for it to be sent again; no state if only a number is known. */
export interface EarlierEnd {
  state?: Outcome['state']
  reason: string
}

/** How it stood each time that somebody asked for it to be sent again, oldest first. */
export function earlierEnds(
  { earlier = [], earlierDropped = 0 }: ResendHistory,
  reason: (outcome: Outcome) => string,
): EarlierEnd[] {
  const dropped =
    earlierDropped === 0 ? [] : [{ reason: `${counted(earlierDropped, 'older result')} no longer kept` }]
  const ends = earlier.map(({ replacedAt, ...stood }) => {
    const why = stood.state === 'waiting' ? broken(stood) : reason(stood)
    return { state: stood.state, reason: `${why}; sent again on request ${replacedAt}` }
  })
  return [...dropped, ...ends]
}

/** What it waited for is of no interest any more. */
function broken({ attempts, begun, why }: { attempts: number; begun?: string; why: string }): string {
  const tried = begun === undefined ? '' : `an attempt was running since ${begun}, `
  return `${tried}${counted(attempts, 'attempt')} so far: ${plain(why, 500)}`
}

const waits: Record<string, string> = {
  quiet: 'quiet hours',
  digest: 'they come as a digest',
  story: 'they belong to another message, which could not be changed',
  burst: 'more than ten alerts came within ten minutes',
}

/** What holds alerts, by `Held.by`. */
export function whatHolds(by: string): string {
  return waits[by] ?? 'a silence'
}
