import type { Entry } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import type { Recorded } from './format.ts'

/**
 * One event in memory. What has just come is kept as the text that the journal has of it: nearly all of it is only
 * written once more, and Node's garbage collector copies a text at once, where it walks through every part of an event.
 */
export class Kept implements Recorded {
  readonly id: string
  readonly at: number
  readonly seq: number
  readonly outcomes: Record<string, Outcome>
  readonly #entry: Entry | string

  private constructor(id: string, { at, seq, outcomes }: Omit<Recorded, 'entry'>, entry: Entry | string) {
    this.id = id
    this.at = at
    this.seq = seq
    this.outcomes = outcomes
    this.#entry = entry
  }

  /** `json`: of its entry. */
  static written(id: string, recorded: Omit<Recorded, 'entry'>, json: string): Kept {
    return new Kept(id, recorded, json)
  }

  static read(recorded: Recorded): Kept {
    return new Kept(recorded.entry.id, recorded, recorded.entry)
  }

  get entry(): Entry {
    return typeof this.#entry === 'string' ? (JSON.parse(this.#entry) as Entry) : this.#entry
  }

  /** What `JSON.stringify` makes of it as a `Recorded`. */
  json(): string {
    const entry = typeof this.#entry === 'string' ? this.#entry : JSON.stringify(this.#entry)
    return `{"at":${this.at},"seq":${this.seq},"entry":${entry},"outcomes":${JSON.stringify(this.outcomes)}}`
  }
}
