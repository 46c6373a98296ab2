import { withoutMentions } from '../channels/mentions.ts'
import type { Message } from '../message/message.ts'
import { wordsOf } from '../message/words/words.ts'

/**
 * The same message, with the same id, marked as one that may be there already. That stands first among the caveats, in every
 * provider's form.
 */
export function asRepeat(message: Message): Message {
  const caveat = wordsOf(message.language).say('perhapsRepeat')
  return { ...withoutMentions(message), caveats: [caveat, ...message.caveats] }
}
