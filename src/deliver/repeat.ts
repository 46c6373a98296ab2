import type { Message } from '../channels/message.ts'
import { wordsOf } from '../words/words.ts'

/**
 * The same message, with the same id, marked as one that may be there already. That stands first among the caveats, in every
 * provider's form.
 */
export function asRepeat(message: Message): Message {
  return { ...message, caveats: [wordsOf(message.language).say('perhapsRepeat'), ...message.caveats] }
}
