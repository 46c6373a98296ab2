import type { Outcome, Sent, SentEdit, SentMessage } from '../../event/outcome.ts'
import { plain } from '../../platform/text.ts'

const longest = 2_000

/** What readers were sent, or how it reads since: whom and when, and its lines. */
export interface SentWords {
  head: string
  lines: string[]
}

/** What readers of each channel were sent, and how it reads since: in the words of that time. */
export function sentMessages(outcomes: Readonly<Record<string, Outcome>>): SentWords[] {
  const sent = Object.entries(outcomes).flatMap(([channel, outcome]) =>
    outcome.state === 'sent' ? [{ channel, outcome, words: JSON.stringify(outcome.message) }] : [],
  )
  return [...Map.groupBy(sent, ({ words }) => words).values()].flatMap((alike) => {
    const names = alike.map(({ channel }) => channel).join(', ')
    const message = alike[0]?.outcome.message
    if (message === undefined) {
      return [
        {
          head: `The text sent to ${names} was not kept: it is older than the archive of messages.`,
          lines: [],
        },
      ]
    }
    const edits = alike.flatMap(({ channel, outcome }) => editsOf(channel, outcome))
    const unsure = message.unsure ? ' (or the text of an earlier attempt)' : ''
    return [{ head: `As it was sent to ${names}${unsure}:`, lines: partsOf(message) }, ...edits]
  })
}

function editsOf(channel: string, { edits = [] }: Sent): SentWords[] {
  return edits.map((edit) => ({
    head: `On ${channel} since ${edit.at}, after an edit:`,
    lines: partsOf(edit),
  }))
}

function partsOf(said: Partial<SentMessage> | SentEdit): string[] {
  const { kicker, headline, text, facts, links, caveats, source } = said
  const { picture, mentions } = { picture: undefined, mentions: undefined, ...said }
  const removed = Object.entries({ text, facts, links, caveats }).flatMap(([name, part]) =>
    part?.length === 0 ? [`(no ${name})`] : [],
  )
  const lines = [
    ...(kicker === undefined ? [] : [kicker]),
    ...(headline === undefined ? [] : [headline]),
    ...(text ?? []),
    ...(facts ?? []).map(({ label, value }) => `${label}: ${value}`),
    ...(links ?? []).map(({ label, url }) => `${label}: ${url}`),
    ...(caveats ?? []).map((caveat) => `! ${caveat}`),
    ...(source === undefined ? [] : [source]),
    ...(picture === undefined ? [] : [`(picture: ${picture})`]),
    ...(mentions === undefined ? [] : [`(rang ${mentions.join(', ')})`]),
    ...removed,
  ]
  return lines.map((line) => plain(line, longest))
}
