import type { en } from './en.ts'

/** The languages that a channel can have. `en` is always loaded; the others are loaded if a channel has them. */
export const languages = ['en', 'de', 'fr', 'es', 'pt'] as const
export type Language = (typeof languages)[number]

/** Every sentence, label and phrase for readers, by its name. */
export type PhraseName = keyof typeof en

/** All phrases in one language: ICU messages (https://unicode-org.github.io/icu/userguide/format_parse/messages/). */
export type Catalogue = Record<PhraseName, string>

type CommandOf<Name> = Name extends `does.${infer Command}` ? Command : never
/** What people can write behind `/bluepencil`. */
export type CommandName = CommandOf<PhraseName>

/** `political`, `safety` and `social` are known; `overall` is all of them, `other` is `name` as the service wrote it. */
export interface CategoryArguments {
  category: 'political' | 'safety' | 'social' | 'overall' | 'none' | 'other'
  name: string
}

/** What the desk does about an alert. */
type StateOfDesk = 'new' | 'checking' | 'published'

type StepDirection = 'rise' | 'fall'

/** After a policy change, or not; who refuses; what; and what a headline says of an earlier figure. */
interface HeadlineArguments {
  lead: 'policy' | 'none'
  subject: string
  prompts: string
  /** `further`: after an earlier step the same way. `not`, `rise`, `fall`, `same`: what the corrected report said. */
  beside: 'further' | 'not' | 'rise' | 'fall' | 'same' | 'none'
  was: string
}

/** Of an event that is spoken of; `dated` if it is known when it was detected. */
interface EarlierEvent {
  id: string
  was: string
  dated: 'yes' | 'no'
  at: string
}

/** A level of refusals. */
interface LevelArguments {
  rate: string
  /** `yes` if the number of prompts is known. */
  counted: 'yes' | 'no'
  prompts: string
  readings: number
  day: string
}

/** So many moved: all of them one way, or some more and some fewer. */
interface MovedModels {
  way: StepDirection | 'both'
  number: string
  more: string
  fewer: string
}

/** So many alerts of a time. */
interface AlertsInSpan {
  count: number
  from: string
  until: string
}

/** Who is refused what, and which setting permits it. */
interface MissingPermission {
  doing: 'acknowledge' | 'silence' | 'send'
  key: string
}

/** What was usual: before the change, or over all that is shown if there is none. */
interface UsualRateArguments {
  since: 'change' | 'all'
  mean: string
  /** `yes` if enough days show a range. */
  ranged: 'yes' | 'no'
  range: string
}

/** `wider`: the sizes count the prompts of all categories. */
interface SamplingError {
  known: 'yes' | 'no'
  wider: 'yes' | 'no'
}

/** The arguments of the phrases that have some. Sizes are percentage points. */
export interface PhraseArguments {
  modelUnknown: { name: string }
  prompts: CategoryArguments
  category: CategoryArguments
  typeName: { type: string }
  typeInSentence: { type: string }
  row: { field: string; problem: string }

  points: { size: string; count: number }
  /** In headlines. */
  shortPoints: { size: string; count: number }
  lessThan: { size: string }
  tinyChange: { way: StepDirection; size: string; count: number }

  refusesLevels: HeadlineArguments & { way: StepDirection; now: string; before: string }
  refusesPoints: HeadlineArguments & { way: StepDirection; points: string }
  refusesSame: HeadlineArguments
  versionChanged: { subject: string; from: string; to: string }
  withoutSize: { type: string; named: 'yes' | 'no'; prompts: string; subject: string }
  withdrawnHeadline: { headline: string }
  correctedHeadline: { headline: string }
  correctionHeadline: { headline: string }
  testHeadline: { headline: string }

  reported: { service: string; type: string }
  reportedOtherType: { service: string; type: string }
  reportedWithoutType: { service: string }
  changeFound: { service: string; alone: 'yes' | 'no' }
  findingWithdrawn: { service: string }
  alsoReported: { service: string; id: string }
  withdrawn: { at: string }
  corrected: { at: string; what: string; id: string }
  confirmed: { at: string; sized: 'yes' | 'no'; size: string }
  earlierFinding: EarlierEvent
  earlierReport: EarlierEvent & { service: string; now: string; redated: 'yes' | 'no'; since: string }
  stepBefore: EarlierEvent & { way: StepDirection; now: string; by: 'figures' | 'service'; service: string }
  sourceBoth: { service: string }
  sourceFigures: { service: string }
  sourceReported: { service: string }

  versionBecame: { from: string; to: string }
  levelBefore: LevelArguments & { drifting: 'yes' | 'no'; drift: string; count: number }
  levelNow: LevelArguments
  /** How likely chance alone is, and the 95% confidence interval of the change. `open`: it hardly excludes zero. */
  howSure: { chance: 'very' | 'unlikely' | 'possible'; size: 'open' | 'clear'; from: string; to: string }
  otherSize: { service: string; reported: string; shown: string; before: string; now: string }

  gradualSince: { day: string }
  otherModelsChanged: { moved: number; others: number; points: string; count: number }
  unrecognised: { service: string; rows: string }
  asReceived: { body: string }

  couldNotBeSent: { count: number; from: string }
  wereMissed: { count: number; from: string }

  digestHeadline: AlertsInSpan
  silenceHeadline: AlertsInSpan & { by: string; scope: string; why: string }
  /** `incomplete`: a field could not be read as documented. */
  digestItem: { headline: string; at: string; found: 'yes' | 'no'; incomplete: 'yes' | 'no' }
  moreAlerts: { count: number; id: string }
  storyKicker: { count: number }
  /** In the thread of a story. */
  storyGrew: { count: number }
  /** From two to twelve in words, in the form for models, categories or alerts. */
  numberOf: { count: number; what: 'model' | 'category' | 'alert' }
  /** Several models; several categories of one model; and several alerts with nothing else in common. */
  storyOfModels: MovedModels & { prompts: string }
  storyOfCategories: MovedModels & { subject: string }
  storyOfModel: { number: string; subject: string; of: 'yes' | 'no'; prompts: string }
  storyOfCategory: { number: string; prompts: string }
  acknowledged: { by: string; at: string }
  desk: { state: StateOfDesk; by: string; at: string; story: string }
  publishedBefore: { is: 'correction' | 'withdrawal'; by: string; at: string; story: string }
  /** Which channel had it before, or could not be sent it, since when, and when it went on. */
  escalated: { from: string; is: 'sent' | 'unsent'; at: string; since: string }
  silenced: { by: string; scope: string; until: string; why: string }
  silenceEnded: { by: string; at: string }
  scope: { model: string; of: 'yes' | 'no'; prompts: string; placed: 'yes' | 'no'; channel: string }

  example: { value: string }
  testSource: { by: string; at: string; command: string }

  labelled: { label: string; value: string }
  heading: { label: string }
  toOpen: { of: 'alert' | 'digest' }
  addressTooLong: { label: string; place: string }
  moreFacts: { count: number }
  whyThisMail: { channel: string }
  howToStop: { contact: string }
  /** The link that ends it follows. */
  howToChange: { contact: string }

  previewIn: { channel: string; place: 'slack' | 'discord' | 'email' }
  previewEdited: { heading: string }

  problemOwnId: { id: string }

  // Answers to people: in a chat, and on the page that ends mail.
  mayNot: MissingPermission

  deskDone: { state: StateOfDesk; story: string }
  deskBefore: { was: Exclude<StateOfDesk, 'new'>; by: string; at: string; story: string }
  deskOutrun: { by: string }
  silenceWhat: { scope: string }
  silenceBegun: { scope: string; until: string }
  noSuchCategory: { category: string; categories: string }

  formScope: { scope: string }
  noForm: { written: string }
  formTooLate: { written: string }

  /** `written` is the command with what stands behind it. */
  writeThus: { written: string; models: string }

  silenceInForce: { scope: string; until: string; by: string; why: string }
  heldSent: { count: number; channel: string }
  nothingHeld: { channel: string }
  noSuchChannel: { channel: string; channels: string }

  testSent: { channel: string }
  /** Why it was not is for operators, and in English. */
  testNotSent: { channel: string; why: string }

  stateIs: { status: 'ready' | 'degraded' | 'unavailable'; stored: 'yes' | 'no' }
  waysAre: { subscription: string; polling: string }
  channelWaits: { channel: string; count: number }
  /** `by` as in `Held`. */
  channelHolds: { channel: string; count: number; until: string; by: string }
  troubleSince: { title: string; since: string }

  serviceUnaware: { models: string }
  leftOut: { count: number }
  versionSince: { day: string; from: string; to: string }
  /** A step that the published figures show. */
  stepSeen: { day: string; way: 'rise' | 'fall'; points: string }
  rateOf: CategoryArguments
  highestLessLowest: { points: string }
  trendIs: { trend: string }
  countedOver: { prompts: string }
  lastUpdated: { at: string }
  figuresAsOf: { at: string }

  endMail: { channel: string }
  endMailText: { address: string; channel: string }
  mailEnded: { channel: string }
  mailHadEnded: { channel: string }
  noMoreMail: { address: string; contact: string }
  endByWriting: { contact: string }

  // What stands on a chart, and the same in words. Rates, ranges and days are written by Intl.
  /** A rate or a range of them. */
  percent: { rate: string }
  lastDays: { days: number }
  /** Of some 46 characters, so that it fits on the picture. */
  chartTitle: CategoryArguments & { model: string }
  chartSpan: { from: string; to: string }
  chartChange: { day: string }
  chartDenser: { day: string; count: number }
  chartDay: SamplingError
  chartUsual: UsualRateArguments

  altAbout: { title: string; from: string; to: string }
  altUsual: UsualRateArguments
  altNothingSince: { day: string }
  altSince: { day: string; mean: string; days: number }
  altLast: SamplingError & { rate: string; day: string; range: string }
  altExtremes: { lowest: string; lowestDay: string; highest: string; highestDay: string }
  altMissing: { days: number }
}
