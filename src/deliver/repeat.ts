import { withoutMentions } from '../channels/mentions.ts'
import type { Message } from '../channels/message.ts'

/** What stands first among the caveats of a copy, in every provider's form. */
const perhapsRepeat =
  'This may be a repeat: an earlier try to send it here ended without an answer, and may have arrived.'

/** The same message, with the same id, marked as one that may be there already. */
export function asRepeat(message: Message): Message {
  return { ...withoutMentions(message), caveats: [perhapsRepeat, ...message.caveats] }
}
