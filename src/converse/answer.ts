import type { Answer, Asked, Asker, Reply } from '../channels/interaction.ts'
import type { Clock } from '../clock.ts'
import { StoreUnavailable } from '../store/store.ts'
import { answerCommand, type Consult, categoryNamed, type SendTest } from './commands.ts'
import { mayNot, notKept } from './refusals.ts'
import { createSilencing, type SilencingParts } from './silencing.ts'

export interface AnswerParts extends SilencingParts {
  clock: Clock
  /** Asks the service. */
  consult: Consult
  /** What works, and what is wrong: a line each. */
  status(): Promise<string[]>
  channels(): string[]
  sendTest: SendTest
  onError(error: unknown): void
}

/** Slack and Discord wait for three seconds; what has come by then is the answer. */
const answerMs = 2_000
/** So many answers are kept, for who asks the same again. */
const remembered = 500

/**
 * Hears what people ask for and do, and answers each once: what the provider repeats gets the answer that is there
 * already. Who may do what is decided here, for every provider and every way to ask.
 */
export function createAnswer(parts: AnswerParts): Answer {
  const known = new Map<string, Promise<Reply>>()

  function once(asked: Asked): { whole: Promise<Reply>; isRepeat: boolean } {
    const { by, ...rest } = asked
    const name = JSON.stringify([by.via, by.id, rest])
    const before = known.get(name)
    if (before !== undefined) return { whole: before, isRepeat: true }
    const reply = replyTo(asked, parts).catch((error: unknown) => {
      // It was not done, and may be tried again.
      known.delete(name)
      return apology(error, parts)
    })
    known.set(name, reply)
    const [oldest] = known.keys()
    if (known.size > remembered && oldest !== undefined) known.delete(oldest)
    return { whole: reply, isRepeat: false }
  }

  return async (asked) => {
    const { whole, isRepeat } = once(asked)
    const timeUp = new AbortController()
    const tooLong = parts.clock.sleep(answerMs, timeUp.signal).then(() => undefined)
    const reply = await Promise.race([whole, tooLong])
    timeUp.abort()
    if (reply !== undefined) return { reply, isRepeat }
    return { reply: takesLonger, later: whole.then(withoutForm), isRepeat }
  }
}

const takesLonger: Reply = { text: 'It takes longer; the answer follows.' }

/** Slack opens a form within three seconds of the click alone, and Discord in place of the first answer. */
function withoutForm(reply: Reply): Reply {
  return reply.form === undefined ? reply : formTooLate
}

const formTooLate: Reply = {
  text: 'The form came too late to be opened, and nothing was done. Press the button again, or write /bluepencil silence MODEL 1h.',
}

async function replyTo(asked: Asked, parts: AnswerParts): Promise<Reply> {
  const silencing = createSilencing(parts)
  switch (asked.does) {
    case 'acknowledge':
      return acknowledge(asked.by, asked, parts)
    case 'ask-silence':
      return silencing.form(asked.by, asked.about)
    case 'silence':
      return silencing.ofAlert(asked)
    case 'history':
      return historyOf(asked.about, parts)
    case 'command':
      return answerCommand(asked, { ...parts, silencing })
  }
}

async function acknowledge(
  by: Asker,
  { key, about }: { key: string; about: string },
  { acts, may }: AnswerParts,
): Promise<Reply> {
  if (!may('acknowledge', by)) return { text: mayNot('acknowledge alerts', 'chat.acknowledge') }
  const { result } = await acts.acknowledge({ by, key }, about)
  if (result === 'unknown') return notKept
  return result === 'already'
    ? { text: 'You have acknowledged it already.' }
    : { text: 'Acknowledged. Its messages say so, in every place where they can be edited.' }
}

async function historyOf(about: string, { store, consult }: AnswerParts): Promise<Reply> {
  const entry = (await store.find(about))?.entry
  if (entry?.kind !== 'alert') return notKept
  const { model } = entry
  if (model === null) return { text: 'The alert names no model.' }
  const category = categoryNamed([entry.category?.toLowerCase() ?? ''])
  return consult({ what: 'history', model, period: '90d', ...(category && { category }) })
}

function apology(error: unknown, { onError }: AnswerParts): Reply {
  onError(error)
  return error instanceof StoreUnavailable
    ? { text: 'It could not be stored, so nothing was done. Please try again in a minute.' }
    : { text: 'Something went wrong, and nothing was done. The log says more.' }
}
