import { en as answers } from './answers/en.ts'

export const en = {
  ...answers,

  modelNotNamed: 'an unnamed model',
  modelUnknown: 'the model {name}',
  prompts:
    '{category, select, overall {all prompts} none {prompts in an unnamed category} other {{name} prompts}}',
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
    '{type, select, policy_change {A policy change} censorship_spike {A censorship spike} other {An unrecognised event}} was reported for {subject}{named, select, yes { on {prompts}} other {}}, but its size is unreadable.',
  withdrawnHeadline: 'WITHDRAWN: {headline}',
  correctedHeadline: 'CORRECTED: {headline}',
  correctionHeadline: 'Correction: {headline}',
  testHeadline: 'TEST, not a real alert: {headline}',

  roseAgain: 'Rose again',
  fellAgain: 'Fell again',
  foundInFigures: 'Found in the published figures',

  reported:
    'The {service} reports {type, select, policy_change {a policy change} other {a censorship spike}}.',
  reportedOtherType: 'The {service} sent an event of an undocumented type: “{type}”.',
  reportedWithoutType: 'The {service} sent an event without a readable type.',
  changeFound:
    'Bluepencil found this change in the published figures of the {service}.{alone, select, yes { The service itself has not reported it.} other {}}',
  findingWithdrawn:
    'Bluepencil withdraws an earlier alert. Later figures from the {service} do not confirm it.',
  alsoFound: 'Also found in the published figures.',
  alsoReported: 'Also reported by the {service} ({id}).',
  withdrawn: 'Withdrawn on {at}: later readings do not show this change.',
  corrected: 'Corrected on {at}: now reported as {what} ({id}).',
  confirmed: 'Confirmed on {at} by later readings{sized, select, yes {: {size}} other {}}.',
  changeNotReadable: 'a change of unreadable size',
  earlierFinding:
    'The earlier alert said {was}, based on one reading ({id}{dated, select, yes {, detected on {at}} other {}}).',
  earlierReport:
    'This corrects an earlier report by the {service} ({id}{dated, select, yes {, detected on {at}} other {}}): {was}. The service now {redated, select, yes {gives {since} as the time of detection} other {reports {now}}}.',
  stepBefore:
    'The rate {way, select, rise {rose} other {fell}} again: now {now}. Earlier, {by, select, figures {the published figures had shown} other {the {service} had reported}} {was} ({id}{dated, select, yes {, detected on {at}} other {}}).',
  sourceBoth: 'Reported by the {service} and found in its published figures',
  sourceFigures: 'Found by Bluepencil in the published figures of the {service}',
  sourceReported: 'Reported by the {service}',

  model: 'Model',
  ofCategory: 'Category',
  change: 'Change in refusal rate',
  reportedChange: 'Reported change',
  foundBefore: 'Previously found',
  reportedBefore: 'Previously reported',
  detected: 'Detected',
  foundAt: 'Found by Bluepencil',
  received: 'Received',
  version: 'Version',
  before: 'Before',
  now: 'Now',
  atTheTime: 'At the time',
  sureness: 'How sure',
  methodology: 'Methodology',
  notReadable: 'not readable',

  versionBecame: '{from} became {to}',
  levelBefore:
    '{rate}%{counted, select, yes { of {prompts} prompts} other {}} in {readings, plural, one {# reading} other {# readings}} before {day}{drifting, select, yes {, plus a gradual change of {drift} {count, plural, other {points}}} other {}}',
  levelNow:
    '{rate}%{counted, select, yes { of {prompts} prompts} other {}} ({readings, plural, one {one reading, {day}} other {# readings since {day}}})',
  howSure:
    '{chance, select, very {Very unlikely to be chance} unlikely {Unlikely to be chance} other {May be chance}}{size, select, open {, but its size is open} other {}} (95% range {from} to {to} points)',
  otherSize:
    'The {service} reports {reported}; its published figures show {shown}, from {before}% to {now}%.',

  notVisibleYet: 'Not visible in the published figures yet.',
  provisional: 'Provisional: based on one reading.',
  gradualSince: 'A gradual change since {day}, not a sudden one.',
  otherModelsChanged:
    '{moved} of {others} other models changed in the same way (median {points} {count, plural, other {points}}). This suggests a change in the measurement rather than in this model.',
  unrecognised:
    'This event does not match the documentation of the {service}: {rows}. Check it before you publish.',
  asReceived: 'As received: {body}',
  possibleDuplicate: 'This may be a duplicate: Bluepencil tried to send it here before and got no answer.',

  isBack: 'Bluepencil is back',
  couldNotBeSent: '{count, plural, one {# message} other {# messages}} could not be sent here since {from}.',
  wereMissed:
    '{count, plural, one {# change} other {# changes}} missed since {from} {count, plural, one {has} other {have}} now been found in the published figures.',
  followNow: 'They follow now, oldest first. Each says when its change was detected.',
  fromBluepencil: 'From Bluepencil itself',

  digest: 'Digest',
  afterSilence: 'Silence ended',
  digestHeadline: '{count, plural, one {# alert} other {# alerts}} from {from} to {until}.',
  silenceHeadline:
    '{count, plural, one {# alert was} other {# alerts were}} held from {from} to {until}, because {by} silenced {scope} ({why}).',
  digestItem:
    '• {headline} ({at}{found, select, yes {, found in the published figures} other {}}){incomplete, select, yes { Not as documented: check it before you publish.} other {}}',
  moreAlerts:
    'And {count, plural, one {# more alert} other {# more alerts}}. To list all: bluepencil explain {id}',
  storyKicker: '{count, plural, one {# alert} other {# alerts}} in one',
  storyGrew: '{count, plural, one {# alert} other {# alerts}} added above',
  numberOf:
    '{what, select, other {{count, plural, =1 {one} =2 {two} =3 {three} =4 {four} =5 {five} =6 {six} =7 {seven} =8 {eight} =9 {nine} =10 {ten} =11 {eleven} =12 {twelve} other {#}}}}',
  storyOfModels:
    '{way, select, rise {{number} models refuse more {prompts}.} fall {{number} models refuse fewer {prompts}.} other {The refusal rate on {prompts} changed for {number} models: up for {more}, down for {fewer}.}}',
  storyOfCategories:
    '{subject}’s refusal rate {way, select, rise {rose in {number} categories} fall {fell in {number} categories} other {changed in {number} categories: up in {more}, down in {fewer}}}.',
  storyOfModel: '{number} alerts about {subject}{of, select, yes { on {prompts}} other {}}.',
  storyOfCategory: '{number} alerts about {prompts}.',
  acknowledged: 'Acknowledged by {by} on {at}.',
  silenced: '{by} silenced {scope} until {until}: {why}',
  silenceEnded: '{by} ended the silence on {at}.',
  desk: '{state, select, checking {{by} has been checking this since {at}.} published {Published by {by} on {at}: {story}} other {{by} marked this as new again on {at}; nobody is checking it.}}',
  publishedBefore:
    'This {is, select, withdrawal {withdraws} other {corrects}} a report behind the story that {by} published on {at}: {story}',
  toStory: 'Published story',
  escalated:
    'Escalated from “{from}” on {at}: {is, select, unsent {it could not be sent there} other {nobody had acknowledged it}} since {since}.',
  allModels: 'all models',
  scope: '{model}{of, select, yes { on {prompts}} other {}}{placed, select, yes { in {channel}} other {}}',

  test: 'Test',
  isTest: 'This is a test from Bluepencil. A real alert looks like this.',
  example: '{value} (example)',
  noSuchChange: 'The figures are made up: no such change was reported or found.',
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
  addressTooLong: '{label} (the address is too long for {place})',
  moreFacts: '{count, plural, one {# more detail} other {# more details}}',
  whyThisMail: 'You get this mail because your address is listed for the Bluepencil channel {channel}.',
  howToStop: 'To stop these mails or change what you get, write to {contact}.',
  howToChange: 'To change what you get, write to {contact}. To stop these mails:',
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
    '{known, select, yes {a day, with its 95% confidence interval{wider, select, yes { (at least this wide)} other {}}} other {a day; confidence interval unknown}}',
  chartUsual:
    '{since, select, change {before the change} other {mean}}: {mean}{ranged, select, yes {, usually {range}} other {}}',

  altAbout: '{title}, percent per day, {from} to {to}.',
  altEmpty: 'There is no reading.',
  altUsual:
    '{since, select, change {Before the change} other {Mean}}: {mean}{ranged, select, yes {, usually {range}} other {}}.',
  altNothingSince: 'Change marked on {day}; no reading since.',
  altSince: 'Change marked on {day}; since then {mean} over {days, plural, one {# day} other {# days}}.',
  altLast:
    'Latest: {rate} on {day}{known, select, yes { (95% confidence interval {range}{wider, select, yes {, at least this wide} other {}})} other {; confidence interval unknown}}.',
  altExtremes: 'Lowest {lowest} on {lowestDay}, highest {highest} on {highestDay}.',
  altMissing: '{days, plural, one {# day} other {# days}} without a reading.',
}
