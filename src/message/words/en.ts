import { en as answers } from './answers/en.ts'

export const en = {
  ...answers,

  modelNotNamed: 'an unnamed model',
  modelUnknown: 'the model {name}',
  prompts:
    '{category, select, overall {all prompts} none {prompts of an unnamed category} other {{name} prompts}}',
  category: '{category, select, none {not readable} other {{name}}}',
  typeName:
    '{type, select, policy_change {Policy change} censorship_spike {Censorship spike} version_change {New version} other {Unrecognised event}}',
  typeInSentence:
    '{type, select, policy_change {policy change} censorship_spike {censorship spike} other {unrecognised event}}',
  row: '{field} ({problem})',

  points: '{size} percentage {count, plural, one {point} other {points}}',
  shortPoints: '{size} {count, plural, one {point} other {points}}',
  lessThan: 'less than {size}',
  tinyChange:
    'a {way, select, rise {rise} other {fall}} of less than {size} percentage {count, plural, one {point} other {points}}',

  refusesLevels:
    '{lead, select, policy {{subject} policy change: {now}% of {prompts} refused} other {{subject} refused {now}% of {prompts}}}, {way, select, rise {up} other {down}} from {before}%{beside, select, further { (after a first {way, select, rise {rise} other {fall}} of {was})} other {}}.',
  refusesPoints:
    '{lead, select, policy {{subject} policy change: refusals of {prompts} {way, select, rise {up} other {down}} {points}} other {{subject}’s refusal rate on {prompts} {way, select, rise {rose} other {fell}} {points}}}{beside, select, further { (after a first {way, select, rise {rise} other {fall}} of {was})} not {, not {was}} rise {; first reported as up {was}} fall {; first reported as down {was}} same {; first reported as unchanged} other {}}.',
  refusesSame:
    '{lead, select, policy {{subject} policy change: refusals of {prompts} unchanged} other {{subject}’s refusal rate on {prompts} did not change}}{beside, select, rise {; first reported as up {was}} fall {; first reported as down {was}} other {}}.',
  versionChanged: '{subject}’s version changed: {from} → {to}.',
  withoutSize:
    '{type, select, policy_change {A policy change} censorship_spike {A censorship spike} other {An unrecognised event}}{named, select, yes { on {prompts}} other {}} was reported for {subject}, without a readable size.',
  withdrawnHeadline: 'WITHDRAWN: {headline}',
  correctedHeadline: 'CORRECTED: {headline}',
  correctionHeadline: 'Correction: {headline}',
  testHeadline: 'TEST, not a report: {headline}',

  roseAgain: 'Rose again',
  fellAgain: 'Fell again',
  seenInFigures: 'Seen in the published figures',

  reported:
    'The {service} reports {type, select, policy_change {a policy change} other {a censorship spike}}.',
  reportedOtherType:
    'The {service} sent an event of the type “{type}”, which its documentation does not describe.',
  reportedWithoutType: 'The {service} sent an event without a type that can be read.',
  found:
    'Bluepencil found this in the figures that the {service} publishes.{alone, select, yes { The service itself has not reported it.} other {}}',
  foundWithdrawn:
    'Bluepencil withdraws what it had found in the figures that the {service} publishes: the readings after it do not bear it out.',
  alsoSeen: 'Also seen by polling in the published figures.',
  alsoReported: 'Also reported by the {service} ({id}).',
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
  version: 'Version',
  before: 'Before',
  now: 'Now',
  formerly: 'Then',
  sureness: 'How sure',
  methodology: 'Methodology',
  notReadable: 'not readable',

  versionBecame: '{from} became {to}',
  levelBefore:
    '{rate}%{counted, select, yes { of {prompts} prompts} other {}} in {readings, plural, one {# reading} other {# readings}} before {day}{drifting, select, yes {, and a drift of {drift} {count, plural, other {points}}} other {}}',
  levelNow:
    '{rate}%{counted, select, yes { of {prompts} prompts} other {}} ({readings, plural, one {one reading, {day}} other {# readings since {day}}})',
  howSure:
    '{chance, select, very {Very unlikely to be chance} unlikely {Unlikely to be chance} other {May be chance}} (95% range {from} to {to} points)',
  otherSize:
    'The {service} reports {reported}; its published figures show {shown}, from {before}% to {now}%.',

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
  desk: '{state, select, checking {{by} has been checking this since {at}.} published {Published by {by} on {at}: {story}} other {{by} put this back to new on {at}; nobody is checking it.}}',
  publishedBefore:
    'This {is, select, withdrawal {withdraws} other {corrects}} a report that {by} published a story about on {at}: {story}',
  toStory: 'Published story',
  escalated:
    'Escalated from “{from}” on {at}: {is, select, unsent {it could not be sent there} other {nobody had acknowledged it}} since {since}.',
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
  toOpen: '{of, select, digest {Open digest} other {Open alert}}',
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

  percent: '{rate}%',
  chart: 'Chart',
  lastDays: 'The last {days, plural, one {day} other {# days}}',
  // Of some 46 characters, so that it fits on the picture.
  chartTitle:
    '{category, select, overall {{model}: prompts refused} none {{model}: prompts refused} other {{model}: {name} prompts refused}}',
  chartSpan: 'Percent per day, {from} – {to}',
  chartEmpty: 'no reading',
  chartChange: 'change, {day}',
  chartDenser: 'From {day} on, {count, plural, one {# reading} other {# readings}} a day',
  chartDay:
    '{known, select, yes {a day, with its 95% confidence interval{wider, select, yes { (wider in truth)} other {}}} other {a day; confidence interval not known}}',
  chartUsual:
    '{since, select, change {before the change} other {mean}}: {mean}{ranged, select, yes {, usually {range}} other {}}',

  altAbout: '{title}, percent per day, {from} to {to}.',
  altEmpty: 'There is no reading.',
  altUsual:
    '{since, select, change {Before the change} other {Mean}}: {mean}{ranged, select, yes {, usually {range}} other {}}.',
  altNothingSince: 'Change marked on {day}; no reading since.',
  altSince: 'Change marked on {day}; since then {mean} over {days, plural, one {# day} other {# days}}.',
  altLast:
    'Last: {rate} on {day}{known, select, yes { (95% confidence interval {range}{wider, select, yes {, wider in truth} other {}})} other {; its confidence interval is not known}}.',
  altExtremes: 'Lowest {lowest} on {lowestDay}, highest {highest} on {highestDay}.',
  altMissing: '{days, plural, one {# day} other {# days}} without a reading.',
}
