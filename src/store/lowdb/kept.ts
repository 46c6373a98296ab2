import type { Entry } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import { namedIn } from '../near.ts'
import { contentOfEntry, detectedMs } from '../said.ts'
import type { Recorded } from './format.ts'
import { allShared, packed } from './sent-messages.ts'

/**
 * One event in memory. What has just come is kept as the text that the journal has of it: nearly all of it is only
 * written once more, and Node's garbage collector copies a text at once, where it walks through every part of an event.
 */
export class Kept implements Recorded {
  readonly id: string
  readonly at: number
  readonly seq: number
  /** When the service saw it; milliseconds since the epoch, 0 where that is not known. */
  readonly detectedMs: number
  readonly outcomes: Record<string, Outcome>
  /** The ids of the others that it is about. */
  readonly names: readonly string[]
  readonly #entry: Entry | string
  #content: string | undefined

  private constructor(
    { id, detectedMs, names }: { id: string; detectedMs: number; names: readonly string[] },
    { at, seq, outcomes }: Omit<Recorded, 'entry'>,
    entry: Entry | string,
  ) {
    this.id = id
    this.detectedMs = detectedMs
    this.at = at
    this.seq = seq
    this.outcomes = outcomes
    this.names = names
    this.#entry = entry
  }

  /** `json`: of its entry. `content`: where the entry has one. */
  static written(
    known: { id: string; detectedMs: number; names: readonly string[]; content: string | undefined },
    recorded: Omit<Recorded, 'entry'>,
    json: string,
  ): Kept {
    const kept = new Kept(known, recorded, json)
    kept.#content = known.content
    return kept
  }

  static read(recorded: Recorded): Kept {
    const { entry } = recorded
    const outcomes = allShared(recorded.outcomes)
    return new Kept(
      { id: entry.id, detectedMs: detectedMs(entry), names: namedIn(entry) },
      { ...recorded, outcomes },
      entry,
    )
  }

  get entry(): Entry {
    return typeof this.#entry === 'string' ? (JSON.parse(this.#entry) as Entry) : this.#entry
  }

  /** What it says, by its hash; undefined for a notice. */
  get content(): string | undefined {
    this.#content ??= contentOfEntry(this.entry)
    return this.#content
  }

  /** What a sealed file has of it. */
  json(): string {
    const entry = typeof this.#entry === 'string' ? this.#entry : JSON.stringify(this.#entry)
    return `{"at":${this.at},"seq":${this.seq},"entry":${entry},"outcomes":${JSON.stringify(packed(this.outcomes))}}`
  }
}
