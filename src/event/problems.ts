import { knownModels, knownTypes } from './event.ts'

/** The longest name and address that are read, in characters. */
export const longestName = 200
export const longestUrl = 2048

/** What may be wrong with a field of an event, as it is stored with it. What readers see of it is in their language. */
export const problems = {
  missing: 'missing',
  notText: 'not a text',
  empty: 'empty',
  unseen: 'without a character that can be seen',
  unfitId: `longer than ${longestName} characters, or with blanks or unprintable characters`,
  otherId: 'does not begin with evt_',
  hashForId: 'the hash of the body stands for it',
  otherType: `not one of ${knownTypes.join(', ')}`,
  otherModel: `not one of ${knownModels.join(', ')}`,
  cutName: `longer than ${longestName} characters and cut`,
  noChange: 'not a change such as +12pp',
  noSign: 'without a sign; read as a rise',
  noDate: 'not a date',
  noZone: 'without a time zone; read as UTC',
  longUrl: `longer than ${longestUrl} characters`,
  noUrl: 'not an address',
  notWeb: 'not an http or https address',
  urlWithPassword: 'an address with a user name or password',
  notUtf8: 'not valid UTF-8',
  notJson: 'not JSON',
  notObject: 'not a JSON object',
  tooEarly: 'before the year 2000',
  tooLate: 'more than a day after it was received',
} as const

/** Of an id that looks like one of ours. */
export function ownIdProblem(id: string): string {
  return `“${id}” has the form of Bluepencil’s own ids; kept under another`
}
