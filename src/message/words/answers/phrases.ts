import type { CategoryArguments } from '../phrases.ts'

/** What people can write behind `/bluepencil`. */
export type CommandName =
  | 'status'
  | 'latest'
  | 'history'
  | 'compare'
  | 'silence'
  | 'silences'
  | 'send-held'
  | 'channels'
  | 'why'
  | 'test'
  | 'help'

/** Who is refused what, and which setting permits it. */
interface MissingPermission {
  doing: 'acknowledge' | 'silence' | 'send'
  key: string
}

/** What people are answered, each alone: in a chat, and on the page that ends mail. */
export interface AnswerPhrases extends Record<`does.${CommandName}`, null> {
  takesLonger: null
  notStored: null
  wentWrong: null
  mayNot: MissingPermission
  alertGone: null
  noModelNamed: null

  youAcknowledged: null
  hadAcknowledged: null

  nothingToSilence: null
  silenceWhat: { scope: string }
  silenceBegun: { scope: string; until: string }
  silenceTooLong: null
  noSuchCategory: { category: string; categories: string }
  timeNotRead: null
  noReason: null

  forOneHour: null
  untilTomorrow: null
  forOneWeek: null
  /** The form of a silence. Slack shows 24 characters of its title and of its buttons. */
  formTitle: null
  formScope: { scope: string }
  formDuration: null
  formWhy: null
  formSend: null
  formCancel: null
  formClose: null
  noForm: { written: string }
  formTooLate: { written: string }

  commands: null
  commandsAre: null
  noSuchCommand: null
  /** `written` is the command with what stands behind it. */
  writeThus: { written: string; models: string }
  'usage.history': null
  'usage.compare': null
  'usage.silence': null
  'usage.why': null
  'usage.send-held': null
  optionModel: null
  optionChannel: null
  optionOther: null
  optionCategory: null
  optionPeriod: null
  optionEvent: null
  tomorrow: null

  newestAlerts: null
  noAlertStored: null
  alertNotFound: null
  silencesInForce: null
  noSilenceInForce: null
  silenceInForce: { scope: string; until: string; by: string; why: string }
  alertsGoTo: null
  heldSent: { count: number; channel: string }
  nothingHeld: { channel: string }
  noSuchChannel: { channel: string; channels: string }

  testSent: { channel: string }
  /** Why it was not is for operators, and in English. */
  testNotSent: { channel: string; why: string }
  noChannelHere: null

  stateIs: { status: 'ready' | 'degraded' | 'unavailable'; stored: 'yes' | 'no' }
  waysAre: { subscription: string; polling: string }
  channelWaits: { channel: string; count: number }
  /** `by` as in `Held`. */
  channelHolds: { channel: string; count: number; until: string; by: string }
  troubleSince: { title: string; since: string }

  serviceNotSetUp: null
  serviceSilent: null
  serviceUnaware: { models: string }
  requestsSpent: null
  leftOut: { count: number }
  versionSince: { day: string; from: string; to: string }
  compared: null
  comparedNone: null
  rateOf: CategoryArguments
  highestLessLowest: { points: string }
  trend: null
  trendIs: { trend: string }
  biasScore: null
  countedOver: { prompts: string }
  lastUpdated: { at: string }
  figuresAsOf: { at: string }
  unitAssumed: null

  endMail: { channel: string }
  endMailText: { address: string; channel: string }
  mailEnded: { channel: string }
  mailHadEnded: { channel: string }
  noMoreMail: { address: string; contact: string }
  linkNotValid: null
  linkNotWhole: null
  endByAnswer: null
  endByWriting: { contact: string }
  notWrittenDown: null
  stillMail: null
  senderOfTheMail: null
}
