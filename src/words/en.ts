import { en as answers } from './answers/en.ts'
import { en as charts } from './charts/en.ts'
import type { Catalogue } from './said.ts'

export const en: Catalogue = {
  ...answers,
  ...charts,

  modelNotNamed: 'a model that is not named',
  modelUnknown: 'the model {name}',
  prompts:
    '{category, select, overall {prompts overall} none {prompts of a category that is not named} other {{name} prompts}}',
  category: '{category, select, none {not readable} other {{name}}}',
  typeName:
    '{type, select, policy_change {Policy change} censorship_spike {Censorship spike} other {Unrecognised event}}',
  typeInSentence:
    '{type, select, policy_change {policy change} censorship_spike {censorship spike} other {unrecognised event}}',
  row: '{field} ({problem})',

  points: '{size} percentage {count, plural, one {point} other {points}}',
  lessThan: 'less than {size}',
  tinyChange:
    'a {way, select, rise {rise} other {fall}} of less than {size} percentage {count, plural, one {point} other {points}}',

  refusesLevels:
    '{lead, select, policy {After a policy change, {subject} refuses} other {{subject} now refuses}} {way, select, rise {more} other {fewer}} {prompts}: {now} %, {way, select, rise {up} other {down}} {change} {count, plural, one {point} other {points}} from {before} %{beside, select, seen {, after {was} seen before} reported {, after {was} reported before} other {}}.',
  refusesPoints:
    '{lead, select, policy {After a policy change, } other {}}{subject} refuses {points} {way, select, rise {more} other {fewer}} {prompts}{beside, select, seen {, after {was} seen before} reported {, after {was} reported before} not {, not {was}} rise {, not {was} more} fall {, not {was} fewer} same {, not as many as before} other {}}.',
  refusesSame:
    '{lead, select, policy {After a policy change, } other {}}{subject} refuses as many {prompts} as before{beside, select, seen {, after {was} seen before} reported {, after {was} reported before} rise {, not {was} more} fall {, not {was} fewer} other {}}.',
  otherVersion: '{subject} runs as another version.',
  withoutSize:
    '{type, select, policy_change {A policy change} censorship_spike {A censorship spike} other {An unrecognised event}}{named, select, yes { on {prompts}} other {}} is reported for {subject}; its size cannot be read.',
  withdrawnHeadline: 'Withdrawn: {headline}',
  correctedHeadline: 'Since corrected: {headline}',
  correctionHeadline: 'Correction: {headline}',
  testHeadline: 'TEST, not a report: {headline}',

  roseAgain: 'Rose again',
  fellAgain: 'Fell again',
  seenInFigures: 'Seen in the published figures',

  reported:
    'The {service} reports {type, select, policy_change {a policy change: the model’s stated policy, or the rules that it is observed to follow, changed} other {a censorship spike: a refusal rate rose sharply against its baseline}}.',
  reportedOtherType:
    'The {service} sent an event of the type “{type}”, which its documentation does not describe.',
  reportedWithoutType: 'The {service} sent an event without a type that can be read.',
  found:
    'Bluepencil found {type, select, policy_change {a change that stays, or a new version,} censorship_spike {a step that chance does not explain} other {a change}} in the figures that the {service} publishes.{alone, select, yes { The service itself has not reported it.} other {}}',
  foundWithdrawn:
    'Bluepencil withdraws what it had found in the figures that the {service} publishes: the readings after it do not bear it out.',
  alsoSeen: 'Also seen by polling in the published figures.',
  alsoSeenAs: 'Also seen by polling: {what}.',
  theChange: 'the change',
  alsoReported: 'Also reported by the {service} ({id}): {size}.',
  sizeNotReadable: 'size not readable',
  withdrawn: 'Withdrawn on {at}: the readings after it do not show this change.',
  corrected: 'Corrected on {at}: now reported as {what} ({id}).',
  confirmed: 'Confirmed on {at} by the readings after it{sized, select, yes {: {size}} other {}}.',
  changeNotReadable: 'a change whose size cannot be read',
  changeWasNotReadable: 'a change whose size could not be read',
  earlierFound: 'It had found {was}{dated, select, yes {, detected {at}} other {}}, by one reading ({id}).',
  earlierReport:
    'This corrects an earlier report of the {service} ({id}): {was}{dated, select, yes {, detected {at}} other {}}. Now it reports {now}.',
  stepBefore:
    'It {way, select, rise {rose} other {fell}} again: now {now}. Before, {by, select, figures {{was} had been seen in the published figures ({id})} other {the {service} had reported {was} ({id})}}{dated, select, yes {, detected {at}} other {}}.',
  sourceBoth: 'Reported by the {service} and seen in its published figures',
  sourceFound: 'Seen by Bluepencil in the figures that the {service} publishes',
  sourceReported: 'Reported by the {service}',

  model: 'Model',
  ofCategory: 'Category',
  change: 'Change of refusal rate',
  reportedChange: 'Reported change',
  seenBefore: 'Seen before',
  reportedBefore: 'Reported before',
  detected: 'Detected',
  foundAt: 'Found',
  received: 'Received',
  publishedFigures: 'Published figures',
  version: 'Version',
  before: 'Before',
  now: 'Now',
  formerly: 'Then',
  howSure: 'How sure',
  methodology: 'Methodology',
  notReadable: 'not readable',
  noneSeen: 'none seen',

  versionBecame: '{from} became {to}',
  levelBefore:
    '{of, select, yes {{category}: } other {}}{rate} %{counted, select, yes { of {prompts} prompts} other {}} in {readings, plural, one {# reading} other {# readings}} before {day}{drifting, select, yes {, and a drift of {drift} {count, plural, other {points}}} other {}}',
  levelNow:
    '{of, select, yes {{category}: } other {}}{rate} %{counted, select, yes { of {prompts} prompts} other {}} ({readings, plural, one {one reading, {day}} other {# readings since {day}}})',
  sureness:
    '{size} {count, plural, other {points}} (95 %: {from} to {to}); {errors} standard errors, noise {noise} × binomial{more, select, yes { and an error of {besides} points besides} other {}}',
  otherSize:
    'The {service} reports {reported}; its published figures show {shown}{of, select, yes { for {category}} other {}}.',
  figuresShow:
    '{rate} %{counted, select, yes { of {prompts}} other {}}{compared, select, yes {, against {baseline} % over {days, plural, one {# day} other {# days}}} other {}}{judged, select, yes {; {errors} standard errors} other {}}',
  versionShown: 'version {from} became {to}',
  figuresWithoutLevels: 'They show this change, but not the level before and after.',
  figuresNotShown: 'The published figures do not show the level before and after.',
  figuresNotRead: 'Bluepencil does not read the published figures.',

  notVisibleYet: 'Not visible in the published figures yet.',
  provisional: 'Provisional: one reading shows it.',
  driftSince: 'No step but a drift since {day}.',
  movedAlike:
    '{moved} of {others} other models moved alike ({points} {count, plural, other {points}} in the middle): more likely a change of the measurement than of a model.',
  unrecognised: 'Not as the {service} documents its events: {rows}. Check before you publish.',
  asReceived: 'As received: {body}',
  perhapsRepeat:
    'This may be a repeat: an earlier try to send it here ended without an answer, and may have arrived.',

  isBack: 'Bluepencil is back',
  couldNotBeSent: '{count, plural, one {# message} other {# messages}} could not be sent here since {from}.',
  wereMissed:
    '{count, plural, one {# change was} other {# changes were}} missed since {from}, and found now in the published figures.',
  followNow: 'They follow now, oldest first. Each says when its change was detected.',
  fromBluepencil: 'From Bluepencil itself',

  digest: 'Digest',
  silenceOver: 'Silence over',
  digestHeadline: '{count, plural, one {# alert} other {# alerts}} from {from} to {until}.',
  silenceHeadline:
    '{count, plural, one {# alert} other {# alerts}} came while {by} had silenced {scope} ({why}), from {from} to {until}.',
  digestItem: '• {headline} ({at})',
  moreAlerts:
    'And {count, plural, one {# more alert} other {# more alerts}}; bluepencil explain {id} names them all.',
  storyKicker: '{count, plural, one {# alert} other {# alerts}} in one',
  storyGrew: '{count, plural, one {# more alert} other {# more alerts}} above',
  numberOf:
    '{what, select, other {{count, plural, =1 {one} =2 {two} =3 {three} =4 {four} =5 {five} =6 {six} =7 {seven} =8 {eight} =9 {nine} =10 {ten} =11 {eleven} =12 {twelve} other {#}}}}',
  storyOfModels:
    '{way, select, rise {{number} models refuse more {prompts}.} fall {{number} models refuse fewer {prompts}.} other {{number} models changed how many {prompts} they refuse: {more} more, {fewer} fewer.}}',
  storyOfCategories:
    '{subject} {way, select, rise {refuses more prompts in {number} categories.} fall {refuses fewer prompts in {number} categories.} other {changed how many prompts it refuses in {number} categories: {more} more, {fewer} fewer.}}',
  storyOfModel: '{number} alerts about {subject}{of, select, yes { and {prompts}} other {}}.',
  storyOfCategory: '{number} alerts about {prompts}.',
  acknowledged: 'Acknowledged by {by} on {at}.',
  silenced: '{by} silenced {scope} until {until}: {why}',
  silenceEnded: '{by} ended the silence on {at}.',
  allModels: 'all models',
  scope: '{model}{of, select, yes { on {prompts}} other {}}{placed, select, yes { in {channel}} other {}}',

  test: 'Test',
  isTest: 'This is a test of Bluepencil. An alert would read like this.',
  example: '{value} (an example)',
  nothingReported: 'Nothing of the sort was reported, and nothing was found.',
  testSource: 'Sent by {by} with “{command}” on {at}',

  labelled: '{label}: {value}',
  heading: '{label}:',
  alert: 'Alert',
  link: 'Link',
  toAcknowledge: 'Acknowledge',
  toSilence: 'Silence…',
  toHistory: 'History',
  readMore: 'Read more',
  noteToEditors: 'Note to editors',
  addressTooLong: '{label} (its address is too long for {place})',
  moreFacts: '{count, plural, one {# more fact} other {# more facts}}',
  whyThisMail: 'You get this mail because your address is listed for the Bluepencil channel {channel}.',
  howToStop: 'To stop it, or to change what you get, write to {contact}.',
  howToChange: 'To change what you get, write to {contact}. To stop it:',
  unsubscribe: 'Unsubscribe',

  previewFrom: 'From',
  previewTo: 'To',
  previewSubject: 'Subject',
  previewIn:
    '{channel}, as it reads in {place, select, slack {Slack} discord {Discord} other {a mail reader}}',
  previewEdited: '{heading}, edited',

  problemOwnId: '“{id}” has the form of Bluepencil’s own ids; kept under another',
  problemOther: 'not as documented',
  'problem.missing': 'missing',
  'problem.notText': 'not a text',
  'problem.empty': 'empty',
  'problem.unseen': 'without a character that can be seen',
  'problem.unfitId': 'longer than 200 characters, or with blanks or unprintable characters',
  'problem.otherId': 'does not begin with evt_',
  'problem.hashForId': 'the hash of the body stands for it',
  'problem.otherType': 'not one of policy_change, censorship_spike',
  'problem.otherModel': 'not one of chatgpt, claude, gemini, mistral, qwen',
  'problem.cutName': 'longer than 200 characters and cut',
  'problem.noChange': 'not a change such as +12pp',
  'problem.noSign': 'without a sign; read as a rise',
  'problem.noDate': 'not a date',
  'problem.noZone': 'without a time zone; read as UTC',
  'problem.longUrl': 'longer than 2048 characters',
  'problem.noUrl': 'not an address',
  'problem.notWeb': 'not an http or https address',
  'problem.urlWithPassword': 'an address with a user name or password',
  'problem.notUtf8': 'not valid UTF-8',
  'problem.notJson': 'not JSON',
  'problem.notObject': 'not a JSON object',
  'problem.tooEarly': 'before the year 2000',
  'problem.tooLate': 'more than a day after it was received',
}
