/** One message as it stands before the readers of one place. */
export interface Shown {
  /** `slack #ai-desk`, `mail ombud@desk.example`, … */
  place: string
  /** The true time. */
  at: number
  /** The id that it names as its own: `evt_…`, `poll_…`, `ntc_…`, with `-again-…` after a replay. */
  own: string | undefined
  /** Attempts to send it there, including this one. Counted only for places that cannot be searched. */
  tries: number
  /** All that can be read, and is searched. */
  text: string
  /** When its answer came to a process that was alive. */
  answeredAt: number | undefined
  /** Each text that stood there before an edit. */
  before: string[]
}

/** What everybody got, in the order in which it came. */
export interface Readers {
  readonly shown: Shown[]
  /** A message is on its way to a place, and may never arrive. */
  trying(place: string, text: string): void
  show(place: string, text: string): Shown
  edit(shown: Shown, text: string): void
}

/** "… · evt_01HZX", the last line of every message. */
const signature = /· ([!-;=-~]+?)(?=["\s\\<]|$)/g

export function createReaders(now: () => number): Readers {
  const shown: Shown[] = []
  const tries = new Map<string, number>()
  return {
    shown,
    trying(place, text) {
      const key = `${place} ${ownOf(text)}`
      tries.set(key, (tries.get(key) ?? 0) + 1)
    },
    show(place, text) {
      const id = ownOf(text)
      const message: Shown = {
        place,
        at: now(),
        own: id,
        tries: tries.get(`${place} ${id}`) ?? 1,
        text,
        answeredAt: undefined,
        before: [],
      }
      shown.push(message)
      return message
    },
    edit(one, text) {
      one.before.push(one.text)
      one.text = text
    },
  }
}

function ownOf(text: string): string | undefined {
  return [...text.matchAll(signature)]
    .map(([, id]) => id)
    .filter((id) => id !== undefined && /^[a-z]+_/.test(id))
    .at(-1)
}
