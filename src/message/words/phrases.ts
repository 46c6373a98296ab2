import type { problems } from '../../event/problems.ts'
import type { AnswerPhrases } from './answers/phrases.ts'
import type { ChartPhrases } from './charts/phrases.ts'

/** `political`, `safety` and `social` are known; `overall` is all of them, `other` is `name` as the service wrote it. */
export interface CategoryArguments {
  category: 'political' | 'safety' | 'social' | 'overall' | 'none' | 'other'
  name: string
}

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

/** Of an event that is spoken of; `dated` where it is known when it was detected. */
interface EarlierEvent {
  id: string
  was: string
  dated: 'yes' | 'no'
  at: string
}

/** A level of refusals. */
interface LevelArguments {
  rate: string
  /** `yes` where the number of prompts is known. */
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

/** Every sentence, label and phrase for readers, with its arguments: `null` where it has none. Sizes are percentage points. */
export interface Phrases
  extends AnswerPhrases,
    ChartPhrases,
    Record<`problem.${keyof typeof problems}`, null> {
  modelNotNamed: null
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

  roseAgain: null
  fellAgain: null
  seenInFigures: null

  reported: { service: string; type: string }
  reportedOtherType: { service: string; type: string }
  reportedWithoutType: { service: string }
  found: { service: string; alone: 'yes' | 'no' }
  foundWithdrawn: { service: string }
  alsoSeen: null
  alsoReported: { service: string; id: string }
  withdrawn: { at: string }
  corrected: { at: string; what: string; id: string }
  confirmed: { at: string; sized: 'yes' | 'no'; size: string }
  changeNotReadable: null
  changeWasNotReadable: null
  earlierFound: EarlierEvent
  earlierReport: EarlierEvent & { service: string; now: string }
  stepBefore: EarlierEvent & { way: StepDirection; now: string; by: 'figures' | 'service'; service: string }
  sourceBoth: { service: string }
  sourceFound: { service: string }
  sourceReported: { service: string }

  model: null
  ofCategory: null
  change: null
  reportedChange: null
  seenBefore: null
  reportedBefore: null
  detected: null
  foundAt: null
  received: null
  version: null
  before: null
  now: null
  formerly: null
  range: null
  methodology: null
  notReadable: null

  versionBecame: { from: string; to: string }
  levelBefore: LevelArguments & { drifting: 'yes' | 'no'; drift: string; count: number }
  levelNow: LevelArguments
  rangeOf: { from: string; to: string }
  otherSize: { service: string; reported: string; shown: string; before: string; now: string }

  notVisibleYet: null
  provisional: null
  driftSince: { day: string }
  movedAlike: { moved: number; others: number; points: string; count: number }
  unrecognised: { service: string; rows: string }
  asReceived: { body: string }
  perhapsRepeat: null

  isBack: null
  couldNotBeSent: { count: number; from: string }
  wereMissed: { count: number; from: string }
  followNow: null
  fromBluepencil: null

  digest: null
  silenceOver: null
  digestHeadline: AlertsInSpan
  silenceHeadline: AlertsInSpan & { by: string; scope: string; why: string }
  digestItem: { headline: string; at: string }
  moreAlerts: { count: number; id: string }
  storyKicker: { count: number }
  /** In the thread of a story. */
  storyGrew: { count: number }
  /** From two to twelve in words, in the form for models, categories or alerts. */
  numberOf: { count: number; what: 'model' | 'category' | 'alert' }
  /** Several models, several categories of one model; then several alerts of which no more can be said. */
  storyOfModels: MovedModels & { prompts: string }
  storyOfCategories: MovedModels & { subject: string }
  storyOfModel: { number: string; subject: string; of: 'yes' | 'no'; prompts: string }
  storyOfCategory: { number: string; prompts: string }
  acknowledged: { by: string; at: string }
  silenced: { by: string; scope: string; until: string; why: string }
  silenceEnded: { by: string; at: string }
  allModels: null
  scope: { model: string; of: 'yes' | 'no'; prompts: string; placed: 'yes' | 'no'; channel: string }

  test: null
  isTest: null
  example: { value: string }
  nothingReported: null
  testSource: { by: string; at: string; command: string }

  labelled: { label: string; value: string }
  heading: { label: string }
  alert: null
  link: null
  /** Buttons. */
  toAcknowledge: null
  toSilence: null
  toHistory: null
  toOpen: { of: 'alert' | 'digest' }
  readMore: null
  noteToEditors: null
  addressTooLong: { label: string; place: string }
  moreFacts: { count: number }
  whyThisMail: { channel: string }
  howToStop: { contact: string }
  /** The link that ends it follows. */
  howToChange: { contact: string }
  unsubscribe: null

  previewFrom: null
  previewTo: null
  previewSubject: null
  previewIn: { channel: string; place: 'slack' | 'discord' | 'email' }
  previewEdited: { heading: string }

  problemOwnId: { id: string }
  problemOther: null
}

/** All that is said, in one language: a message of ICU (https://unicode-org.github.io/icu/userguide/format_parse/messages/). */
export type Catalogue = Record<keyof Phrases, string>
