/** What became of each recipient of one message. An address has no colon, so that a mark is never taken for one. */
export interface MailProgress {
  /** Have their copy. */
  has: ReadonlySet<string>
  /** The server refuses them: no such mailbox. */
  refused: ReadonlySet<string>
  /** The server refuses this mail for them, and perhaps not the next. */
  rejected: ReadonlySet<string>
  /** No try was answered: they may have it, and get no further copy. */
  unanswered: ReadonlySet<string>
  /** Put off: the others come first. */
  later: ReadonlySet<string>
}

type RecipientMark = 'refused' | 'rejected' | 'unanswered' | 'later'

export function progressOf(lines: readonly string[]): MailProgress {
  const marked = (mark: RecipientMark) =>
    new Set(lines.flatMap((line) => (line.startsWith(`${mark}:`) ? [line.slice(mark.length + 1)] : [])))
  return {
    has: new Set(lines.filter((line) => !line.includes(':'))),
    refused: marked('refused'),
    rejected: marked('rejected'),
    unanswered: marked('unanswered'),
    later: marked('later'),
  }
}

export function linesOf({ has, refused, rejected, unanswered, later }: MailProgress): string[] {
  const marked = (mark: RecipientMark, addresses: ReadonlySet<string>) =>
    [...addresses].map((address) => `${mark}:${address}`)
  return [
    ...has,
    ...marked('refused', refused),
    ...marked('rejected', rejected),
    ...marked('unanswered', unanswered),
    ...marked('later', later),
  ]
}

export function withOne(progress: MailProgress, what: keyof MailProgress, address: string): MailProgress {
  const later = new Set([...progress.later].filter((one) => one !== address))
  return { ...progress, later, [what]: new Set([...(what === 'later' ? later : progress[what]), address]) }
}

/** The next round: those who were put off are tried again. */
export function anew(progress: MailProgress): MailProgress {
  return { ...progress, later: new Set() }
}
