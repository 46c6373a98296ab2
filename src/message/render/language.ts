import type { Message } from '../message.ts'
import type { Words } from '../words/words.ts'

/** What a message says of its language; where it says nothing, it is English. */
export function inLanguage({ language }: Words): Pick<Message, 'language'> {
  return language === 'en' ? {} : { language }
}
