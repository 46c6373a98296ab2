import type { AnswerChat, Asker, ChatReply, ChatRequest } from '../../channels/interaction.ts'
import type { Words } from '../../message/words/words.ts'
import type { Clock } from '../../platform/clock.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { answerCommand, type CommandParts, categoryNamed } from './commands.ts'
import { createSilencing, type ReplyWording } from './silencing.ts'

export interface AnswerParts extends Omit<CommandParts, 'telling' | 'silencing'> {
  clock: Clock
  /** In the language and the time zone of the place. Never rejects. */
  telling(asked: ChatRequest): Promise<ReplyWording>
  onError(error: unknown): void
}

/** The same, for one request. */
type WordedAnswerParts = Omit<AnswerParts, 'telling'> & { telling: ReplyWording }

/** Slack and Discord wait for three seconds; what has come by then is the answer. */
const answerMs = 2_000
/** So many answers are kept, for requests that are repeated. */
const remembered = 500

/**
 * Answers what people ask for and do, once each: what the provider repeats gets the answer that is there
 * already. Who may do what is decided here, for every provider and every way to ask.
 */
export function createAnswer(parts: AnswerParts): AnswerChat {
  const replies = new Map<string, Promise<ChatReply>>()

  function once(asked: ChatRequest, telling: ReplyWording): { whole: Promise<ChatReply>; isRepeat: boolean } {
    const { by, ...rest } = asked
    const name = JSON.stringify([by.via, by.id, rest])
    const before = replies.get(name)
    if (before !== undefined) return { whole: before, isRepeat: true }
    const reply = replyTo(asked, { ...parts, telling }).catch((error: unknown) => {
      // It was not done, and may be tried again.
      replies.delete(name)
      parts.onError(error)
      return { text: telling.words.say(error instanceof StoreUnavailable ? 'notStored' : 'wentWrong') }
    })
    replies.set(name, reply)
    const [oldest] = replies.keys()
    if (replies.size > remembered && oldest !== undefined) replies.delete(oldest)
    return { whole: reply, isRepeat: false }
  }

  return async (asked) => {
    const telling = await parts.telling(asked)
    const { language } = telling.words
    const { whole, isRepeat } = once(asked, telling)
    const inLanguage = whole.then((reply): ChatReply => ({ ...reply, language }))
    const timeUp = new AbortController()
    const tooLong = parts.clock.sleep(answerMs, timeUp.signal).then(() => undefined)
    const reply = await Promise.race([inLanguage, tooLong])
    timeUp.abort()
    if (reply !== undefined) return { reply, isRepeat }
    const later = inLanguage.then((whole) =>
      whole.form === undefined ? whole : { text: tooLateForForm(telling.words), language },
    )
    return { reply: { text: telling.words.say('takesLonger'), language }, later, isRepeat }
  }
}

/** Slack opens a form within three seconds of the click alone, and Discord in place of the first answer. */
function tooLateForForm(words: Words): string {
  return words.say('formTooLate', { written: '/bluepencil silence claude 1h' })
}

async function replyTo(asked: ChatRequest, parts: WordedAnswerParts): Promise<ChatReply> {
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
  { acts, may, telling: { words } }: WordedAnswerParts,
): Promise<ChatReply> {
  if (!may('acknowledge', by)) {
    return { text: words.say('mayNot', { doing: 'acknowledge', key: 'chat.acknowledge' }) }
  }
  const { result } = await acts.acknowledge({ by, key }, about)
  if (result === 'unknown') return { text: words.say('alertGone') }
  return { text: words.say(result === 'already' ? 'hadAcknowledged' : 'youAcknowledged') }
}

async function historyOf(
  about: string,
  { store, consult, telling: { words } }: WordedAnswerParts,
): Promise<ChatReply> {
  const entry = (await store.find(about))?.entry
  if (entry?.kind !== 'alert') return { text: words.say('alertGone') }
  const { model } = entry
  if (model === null) return { text: words.say('noModelNamed') }
  const category = categoryNamed([entry.category?.toLowerCase() ?? ''])
  return consult({ what: 'history', model, period: '90d', ...(category && { category }) }, words)
}
