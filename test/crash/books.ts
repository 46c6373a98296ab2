import type { StoredEntry } from '../../src/store/store.ts'
import type { Fired } from './sender.ts'

/** One mail as the server took it, and which process sent it: the first is 1. */
export interface Mail {
  id: string
  messageId: string
  life: number
}

/** What there is to hold against each other when everything is settled. */
export interface Evidence {
  /** Every event that was delivered, with the channels that want it. */
  fired: readonly (Fired & { wantedBy: readonly string[] })[]
  /** 2xx answers, by event. */
  answers: ReadonlyMap<string, readonly number[]>
  /** What is stored of them, in order of arrival. */
  stored: readonly StoredEntry[]
  channels: readonly string[]
  /** The ids that readers see, by channel, in their order. */
  read: ReadonlyMap<string, readonly string[]>
  mails: readonly Mail[]
}

/** One line of the table. */
export interface Row {
  channel: string
  /** Answered 2xx and wanted. */
  acked: number
  /** Of those, how many are there. */
  there: number
  lost: number
  /** There more often than once. */
  twice: number
  /** Mails that came again because they were in flight at a kill, with the same Message-ID. */
  inFlight: number
}

/** Holds what was promised against what is there. No fault: nothing lost, doubled, disordered or unexplained. */
export function audit(evidence: Evidence): { rows: Row[]; faults: string[] } {
  const faults = [...auditStore(evidence)]
  const rows = evidence.channels.map((channel) => {
    const wanted = evidence.fired.filter(
      ({ id, wantedBy }) => evidence.answers.has(id) && wantedBy.includes(channel),
    )
    const seen = evidence.read.get(channel) ?? []
    const again = channel === 'mail' ? inFlightRepeats(evidence.mails) : new Set<number>()
    const once = seen.filter((_, index) => !again.has(index))
    const there = new Set(seen)
    const lost = wanted.filter(({ id }) => !there.has(id))
    const twice = once.filter((id, index) => once.indexOf(id) !== index)
    const mayBeThere = new Set(
      evidence.fired.flatMap(({ id, wantedBy }) => (wantedBy.includes(channel) ? [id] : [])),
    )
    const expected = evidence.stored.flatMap(({ entry }) => (there.has(entry.id) ? [entry.id] : []))
    for (const { id } of lost) faults.push(`${channel}: ${id} was acknowledged and is not there`)
    for (const id of twice) faults.push(`${channel}: ${id} is there twice`)
    for (const id of there) if (!mayBeThere.has(id)) faults.push(`${channel}: ${id} does not belong there`)
    const firsts = [...there]
    const outOfPlace = firsts.findIndex((id, index) => id !== expected[index])
    if (outOfPlace !== -1)
      faults.push(`${channel}: ${firsts[outOfPlace]} is out of order, after ${firsts[outOfPlace - 1]}`)
    return {
      channel,
      acked: wanted.length,
      there: wanted.length - lost.length,
      lost: lost.length,
      twice: twice.length,
      inFlight: again.size,
    }
  })
  return { rows, faults }
}

function* auditStore({ fired, answers, stored, channels }: Evidence): Generator<string> {
  const byId = new Map(stored.map((one) => [one.entry.id, one]))
  if (byId.size !== stored.length) yield `${stored.length - byId.size} events are stored twice`
  for (const { id, wantedBy } of fired) {
    const verdicts = answers.get(id) ?? []
    if (verdicts.filter((status) => status === 202).length > 1) yield `${id} was new twice`
    const one = byId.get(id)
    if (one === undefined) {
      if (verdicts.length > 0) yield `${id} was acknowledged and is not stored`
      continue
    }
    const states = channels.map((channel) => `${channel} ${one.outcomes[channel]?.state}`)
    const expected = channels.map(
      (channel) => `${channel} ${wantedBy.includes(channel) ? 'sent' : 'not_sent'}`,
    )
    const isOwed = Object.values(one.outcomes).some(({ state }) => state === 'waiting')
    if (isOwed || states.join() !== expected.join()) yield `${id} ended as ${JSON.stringify(one.outcomes)}`
  }
}

/**
 * A mail server drops no repeats, so a mail that was in flight at a kill comes again: next after the first, from the
 * next process, under the same Message-ID. Answers where in the order such repeats stand; any other is a fault.
 */
function inFlightRepeats(mails: readonly Mail[]): Set<number> {
  const repeats = new Set<number>()
  for (const [index, mail] of mails.entries()) {
    const before = mails[index - 1]
    if (before === undefined || before.life === mail.life) continue
    if (before.id === mail.id && before.messageId === mail.messageId) repeats.add(index)
  }
  return repeats
}
