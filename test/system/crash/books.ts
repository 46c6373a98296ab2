import type { Outcome } from '../../../src/event/outcome.ts'
import type { Fired } from './sender.ts'

/** One mail as the server took it, and which process sent it: the first is 1. */
export interface Mail {
  id: string
  to: string
  messageId: string
  life: number
}

interface Kept {
  entry: { id: string }
  outcomes: Readonly<Record<string, Outcome>>
}

/** What there is to hold against each other when everything is settled. */
export interface Evidence {
  /** Every event that was delivered, with the channels that want it. */
  fired: readonly (Fired & { wantedBy: readonly string[] })[]
  /** 2xx answers, by event. */
  answers: ReadonlyMap<string, readonly number[]>
  /** What is stored of them, in order of arrival. */
  stored: readonly Kept[]
  channels: readonly string[]
  /** Who gets the mails of the channel `mail`: each is to have each of them once. */
  recipients: readonly string[]
  /** The ids that readers of the other channels see, by channel, in their order. */
  read: ReadonlyMap<string, readonly string[]>
  mails: readonly Mail[]
  /** How many processes there were. */
  lives: number
}

/** One line of the table: a channel, and of mail one of its recipients. */
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

/**
 * Holds what was promised against what is there. No fault: nothing lost, doubled, disordered or unexplained.
 * One exception: what a kill left without an answer, on a channel that cannot be searched, may come again and
 * later than others.
 */
export function audit(evidence: Evidence): { rows: Row[]; faults: string[] } {
  const faults = [...auditStore(evidence)]
  const unanswered = unansweredOf(evidence.stored, 'mail')
  const tries = [...unanswered.values()].reduce((sum, count) => sum + count, 0)
  if (tries >= evidence.lives) {
    faults.push(`mail: ${tries} tries without an answer in ${evidence.lives} processes`)
  }
  const repeated = new Map<string, number>()
  const rows = placesOf(evidence).map(({ channel, name, seen, mails }) => {
    const wanted = evidence.fired.filter(
      ({ id, wantedBy }) => evidence.answers.has(id) && wantedBy.includes(channel),
    )
    const open = channel === 'mail' ? unanswered : new Map<string, number>()
    const again = inFlightRepeats(mails, open)
    for (const index of again) {
      const id = seen[index] ?? ''
      repeated.set(id, (repeated.get(id) ?? 0) + 1)
    }
    const once = seen.filter((_, index) => !again.has(index))
    const there = new Set(seen)
    const lost = wanted.filter(({ id }) => !there.has(id))
    const twice = once.filter((id, index) => once.indexOf(id) !== index)
    const mayBeThere = new Set(
      evidence.fired.flatMap(({ id, wantedBy }) => (wantedBy.includes(channel) ? [id] : [])),
    )
    const inOrder = (id: string) => there.has(id) && !open.has(id)
    const expected = evidence.stored.map(({ entry }) => entry.id).filter(inOrder)
    for (const { id } of lost) faults.push(`${name}: ${id} was acknowledged and is not there`)
    for (const id of twice) faults.push(`${name}: ${id} is there twice`)
    for (const id of there) if (!mayBeThere.has(id)) faults.push(`${name}: ${id} does not belong there`)
    const firsts = [...there].filter(inOrder)
    const outOfPlace = firsts.findIndex((id, index) => id !== expected[index])
    if (outOfPlace !== -1)
      faults.push(`${name}: ${firsts[outOfPlace]} is out of order, after ${firsts[outOfPlace - 1]}`)
    return {
      channel: name,
      acked: wanted.length,
      there: wanted.length - lost.length,
      lost: lost.length,
      twice: twice.length,
      inFlight: again.size,
    }
  })
  // One kill leaves one mail in flight in all, not one of each recipient.
  for (const [id, count] of repeated) {
    if (count > (unanswered.get(id) ?? 0)) faults.push(`mail: ${id} was sent again to ${count} recipients`)
  }
  return { rows, faults }
}

interface Place {
  channel: string
  name: string
  seen: readonly string[]
  mails: readonly Mail[]
}

/** Where readers see messages: each recipient of mails is a place of its own. */
function placesOf({ channels, recipients, read, mails }: Evidence): Place[] {
  return channels.flatMap((channel): Place[] => {
    if (channel !== 'mail') return [{ channel, name: channel, seen: read.get(channel) ?? [], mails: [] }]
    return recipients.map((to) => {
      const toRecipient = mails.filter((mail) => mail.to === to)
      return { channel, name: `${channel} ${to}`, seen: toRecipient.map(({ id }) => id), mails: toRecipient }
    })
  })
}

function* auditStore({ fired, answers, stored, channels }: Evidence): Generator<string> {
  const byId = new Map(stored.map((one) => [one.entry.id, one]))
  if (byId.size !== stored.length) yield `${stored.length - byId.size} events are stored twice`
  for (const { id, wantedBy } of fired) {
    const verdicts = answers.get(id) ?? []
    if (verdicts.filter((status) => status === 202).length > 1) yield `${id} was new twice`
    const row = byId.get(id)
    if (row === undefined) {
      if (verdicts.length > 0) yield `${id} was acknowledged and is not stored`
      continue
    }
    const states = channels.map((channel) => `${channel} ${row.outcomes[channel]?.state}`)
    const expected = channels.map(
      (channel) => `${channel} ${wantedBy.includes(channel) ? 'sent' : 'not_sent'}`,
    )
    const isOwed = Object.values(row.outcomes).some(({ state }) => state === 'waiting')
    if (isOwed || states.join() !== expected.join()) yield `${id} ended as ${JSON.stringify(row.outcomes)}`
  }
}

/** How many tries of each event a kill left without an answer, by the store. */
function unansweredOf(stored: readonly Kept[], channel: string): Map<string, number> {
  const open = new Map<string, number>()
  for (const { entry, outcomes } of stored) {
    const outcome = outcomes[channel]
    if (outcome?.state === 'sent' && outcome.unanswered !== undefined) open.set(entry.id, outcome.unanswered)
  }
  return open
}

/**
 * A mail server drops no repeats, so a mail that was in flight at a kill comes again: from a later process, under the
 * same Message-ID. Answers where in the order such repeats stand; any other is a fault.
 */
function inFlightRepeats(mails: readonly Mail[], open: ReadonlyMap<string, number>): Set<number> {
  const repeats = new Set<number>()
  for (const [index, mail] of mails.entries()) {
    const before = mails.slice(0, index).filter(({ id }) => id === mail.id)
    if (before.length === 0 || before.length > (open.get(mail.id) ?? 0)) continue
    if (before.every(({ messageId, life }) => messageId === mail.messageId && life !== mail.life)) {
      repeats.add(index)
    }
  }
  return repeats
}
