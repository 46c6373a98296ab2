import * as z from 'zod'
import { type Earlier, type Outcome, type Receipt, rules, type Sent } from '../event/outcome.ts'
import type { SentEdit, SentMessage } from '../event/sent-message.ts'

const StoredReceipt = z.looseObject({
  place: z.string().exactOptional(),
  id: z.string().exactOptional(),
  thread: z.string().exactOptional(),
  text: z.string(),
}) satisfies z.ZodType<Receipt>

const waiting = {
  state: z.literal('waiting'),
  dueAt: z.string(),
  why: z.string(),
  attempts: z.number(),
  firstAttemptAt: z.string().exactOptional(),
  triedMs: z.number().exactOptional(),
  uncertain: z.boolean().exactOptional(),
  begun: z.string().exactOptional(),
  unanswered: z.number().exactOptional(),
  unansweredOfDone: z.number().exactOptional(),
  holdMs: z.number().exactOptional(),
  asked: z.literal(true).exactOptional(),
  progress: z.array(z.string()).exactOptional(),
  without: z.array(z.string()).exactOptional(),
  againAt: z.string().exactOptional(),
}

const words = {
  language: z.string().exactOptional(),
  text: z.array(z.string()).exactOptional(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })).exactOptional(),
  links: z.array(z.object({ label: z.string(), url: z.string() })).exactOptional(),
  caveats: z.array(z.string()).exactOptional(),
}

const StoredMessage = z.looseObject({
  tone: z.string(),
  kicker: z.string(),
  headline: z.string(),
  source: z.string(),
  ...words,
  mentions: z.array(z.string()).exactOptional(),
  picture: z.string().exactOptional(),
  unsure: z.literal(true).exactOptional(),
}) satisfies z.ZodType<SentMessage>

const StoredEdit = z.looseObject({
  at: z.string(),
  tone: z.string().exactOptional(),
  kicker: z.string().exactOptional(),
  headline: z.string().exactOptional(),
  source: z.string().exactOptional(),
  ...words,
}) satisfies z.ZodType<SentEdit>

const sent = {
  state: z.literal('sent'),
  at: z.string(),
  attempts: z.number(),
  receipt: StoredReceipt,
  unanswered: z.number().exactOptional(),
  againAt: z.string().exactOptional(),
  shows: z.string().exactOptional(),
  alsoTells: z.array(z.string()).exactOptional(),
  message: StoredMessage.exactOptional(),
  edits: z.array(StoredEdit).exactOptional(),
  picture: z.looseObject({ begun: z.string(), why: z.string().exactOptional() }).exactOptional(),
  editedAt: z.string().exactOptional(),
  unedited: z.looseObject({ why: z.string(), shows: z.string().exactOptional() }).exactOptional(),
}

const failed = {
  state: z.literal('failed'),
  at: z.string(),
  attempts: z.number(),
  why: z.string(),
  unanswered: z.number().exactOptional(),
  progress: z.array(z.string()).exactOptional(),
}

const notSent = { state: z.literal('not_sent'), rule: z.enum(rules), why: z.string() }

const held = { state: z.literal('held'), until: z.string(), by: z.string(), why: z.string() }

const merged = { state: z.literal('merged'), in: z.string() }

const replaced = { replacedAt: z.string() }

const StoredEarlier = z.discriminatedUnion('state', [
  z.looseObject({ ...waiting, ...replaced }),
  z.looseObject({ ...sent, ...replaced }),
  z.looseObject({ ...failed, ...replaced }),
  z.looseObject({ ...notSent, ...replaced }),
  z.looseObject({ ...held, ...replaced }),
  z.looseObject({ ...merged, ...replaced }),
]) satisfies z.ZodType<Earlier>

const before = {
  earlier: z.array(StoredEarlier).exactOptional(),
  earlierDropped: z.int().exactOptional(),
}

const StoredSent = z.looseObject({
  ...sent,
  receipt: z.union([StoredReceipt, z.string()]),
  // Of before there were edits: why the message could not be completed.
  incomplete: z.string().exactOptional(),
  ...before,
})

const OutcomeAsWritten = z.discriminatedUnion('state', [
  z.looseObject({
    ...waiting,
    // Of before there were edits: it was sent, and owed one.
    completes: StoredSent.exactOptional(),
    ...before,
  }),
  StoredSent,
  z.looseObject({ ...failed, ...before }),
  z.looseObject({ ...notSent, ...before }),
  z.looseObject({ ...held, ...before }),
  z.looseObject({ ...merged, ...before }),
])

/** An outcome as it is stored, whichever Bluepencil wrote it. */
export const StoredOutcome = OutcomeAsWritten.transform((written): Outcome => {
  if (written.state === 'waiting')
    return written.completes === undefined ? written : asSent(written.completes)
  return written.state === 'sent' ? asSent(written) : written
}) satisfies z.ZodType<Outcome>

function asSent({ receipt, incomplete, ...rest }: z.infer<typeof StoredSent>): Sent {
  return {
    ...rest,
    receipt: typeof receipt === 'string' ? receiptFrom(receipt) : receipt,
    ...(incomplete !== undefined && { unedited: { why: incomplete } }),
  }
}

/**
 * Receipts were text alone: Slack's conversation and `ts`, Discord's id, a Message-ID, or words; each perhaps with a
 * remark behind it.
 */
function receiptFrom(text: string): Receipt {
  const [, place, ts] = /^([A-Z0-9]+)\/(\d+\.\d+)/.exec(text) ?? []
  if (place !== undefined && ts !== undefined) return { place, id: ts, text }
  const [id] = /^(\d{17,20}(?!\d)|<[^<>\s]+>)/.exec(text) ?? []
  return { ...(id !== undefined && { id }), text }
}
