import { de as answers } from './answers/de.ts'
import type { Catalogue } from './phrases.ts'

export const de: Catalogue = {
  ...answers,

  modelNotNamed: 'Modell ohne Namensangabe',
  modelUnknown: 'Modell {name}',
  prompts:
    '{category, select, political {Anfragen zu politischen Themen} safety {Anfragen zu Sicherheitsthemen} social {Anfragen zu gesellschaftlichen Themen} overall {Anfragen insgesamt} none {Anfragen einer nicht genannten Kategorie} other {Anfragen der Kategorie „{name}“}}',
  category:
    '{category, select, political {Politik} safety {Sicherheit} social {Gesellschaft} overall {insgesamt} none {nicht lesbar} other {{name}}}',
  typeName:
    '{type, select, policy_change {Richtlinienänderung} censorship_spike {Sprung der Ablehnungsquote} version_change {Neue Version} other {Unbekanntes Ereignis}}',
  typeInSentence:
    '{type, select, policy_change {Richtlinienänderung} censorship_spike {Sprung der Ablehnungsquote} other {unbekanntes Ereignis}}',
  row: '{field} ({problem})',

  points: '{size} {count, plural, one {Prozentpunkt} other {Prozentpunkte}}',
  shortPoints: '{size} {count, plural, one {Prozentpunkt} other {Prozentpunkte}}',
  lessThan: 'weniger als {size}',
  tinyChange:
    '{way, select, rise {ein Plus} other {ein Minus}} von weniger als {size} {count, plural, one {Prozentpunkt} other {Prozentpunkten}}',

  refusesLevels:
    '{lead, select, policy {Richtlinienänderung: } other {}}{subject} lehnte {now}\u00a0% der {prompts} ab, zuvor {before}\u00a0%{beside, select, further { (nach einem ersten {way, select, rise {Anstieg} other {Rückgang}} um {was} {was, select, 1 {Prozentpunkt} other {Prozentpunkte}})} other {}}.',
  refusesPoints:
    '{lead, select, policy {Richtlinienänderung: } other {}}Die Ablehnungsquote von {subject} bei {prompts} {way, select, rise {stieg} other {sank}} um {points}{beside, select, further { (nach einem ersten {way, select, rise {Anstieg} other {Rückgang}} um {was})} not {, nicht um {was}} rise {; zuerst als Anstieg um {was} gemeldet} fall {; zuerst als Rückgang um {was} gemeldet} same {; zuerst als unverändert gemeldet} other {}}.',
  refusesSame:
    '{lead, select, policy {Richtlinienänderung: } other {}}Die Ablehnungsquote von {subject} bei {prompts} ist unverändert{beside, select, rise {; zuerst als Anstieg um {was} gemeldet} fall {; zuerst als Rückgang um {was} gemeldet} other {}}.',
  versionChanged: 'Neue Version von {subject}: {from} → {to}.',
  withoutSize:
    'Für {subject} wurde {type, select, policy_change {eine Richtlinienänderung} censorship_spike {ein Sprung der Ablehnungsquote} other {ein unbekanntes Ereignis}}{named, select, yes { bei {prompts}} other {}} gemeldet, aber ohne lesbares Ausmaß.',
  withdrawnHeadline: 'ZURÜCKGEZOGEN: {headline}',
  correctedHeadline: 'KORRIGIERT: {headline}',
  correctionHeadline: 'Korrektur: {headline}',
  testHeadline: 'TEST, keine echte Meldung: {headline}',

  roseAgain: 'Erneut gestiegen',
  fellAgain: 'Erneut gesunken',
  foundInFigures: 'In den veröffentlichten Zahlen entdeckt',

  reported:
    'Der Dienst {service} meldet {type, select, policy_change {eine Richtlinienänderung} other {einen Sprung der Ablehnungsquote („censorship spike“)}}.',
  reportedOtherType:
    'Der Dienst {service} hat ein Ereignis gesendet, dessen Art „{type}“ nicht dokumentiert ist.',
  reportedWithoutType: 'Der Dienst {service} hat ein Ereignis gesendet, dessen Art nicht lesbar ist.',
  changeFound:
    'Bluepencil hat diese Änderung in den veröffentlichten Zahlen des Dienstes {service} entdeckt.{alone, select, yes { Der Dienst selbst hat sie nicht gemeldet.} other {}}',
  findingWithdrawn:
    'Bluepencil zieht eine frühere Meldung zurück. Neuere Zahlen des Dienstes {service} bestätigen sie nicht.',
  alsoFound: 'Auch in den veröffentlichten Zahlen entdeckt.',
  alsoReported: 'Auch vom Dienst {service} gemeldet ({id}).',
  withdrawn: 'Zurückgezogen am {at}: Spätere Messungen zeigen diese Änderung nicht.',
  corrected: 'Korrigiert am {at}; jetzt gemeldet: {what} ({id}).',
  confirmed: 'Am {at} durch spätere Messungen bestätigt{sized, select, yes {: {size}} other {}}.',
  changeNotReadable: 'eine Änderung ohne lesbares Ausmaß',
  earlierFinding:
    'Die frühere Meldung lautete: {was}, gestützt auf eine einzige Messung ({id}{dated, select, yes {, festgestellt am {at}} other {}}).',
  earlierReport:
    'Dies korrigiert eine frühere Meldung des Dienstes {service} ({id}{dated, select, yes {, festgestellt am {at}} other {}}): {was}. Der Dienst {redated, select, yes {gibt als Zeitpunkt jetzt {since} an} other {meldet jetzt {now}}}.',
  stepBefore:
    'Die Quote ist erneut {way, select, rise {gestiegen} other {gesunken}}: jetzt {now}. {by, select, figures {Zuvor zeigten die veröffentlichten Zahlen {was}} other {Zuvor hatte der Dienst {service} {was} gemeldet}} ({id}{dated, select, yes {, festgestellt am {at}} other {}}).',
  sourceBoth: 'Gemeldet vom Dienst {service} und in dessen veröffentlichten Zahlen entdeckt',
  sourceFigures: 'Von Bluepencil in den veröffentlichten Zahlen des Dienstes {service} entdeckt',
  sourceReported: 'Gemeldet vom Dienst {service}',

  model: 'Modell',
  ofCategory: 'Kategorie',
  change: 'Änderung der Ablehnungsquote',
  reportedChange: 'Gemeldete Änderung',
  foundBefore: 'Zuvor entdeckt',
  reportedBefore: 'Zuvor gemeldet',
  detected: 'Festgestellt',
  foundAt: 'Von Bluepencil entdeckt',
  received: 'Empfangen',
  version: 'Version',
  before: 'Vorher',
  now: 'Jetzt',
  atTheTime: 'Damals',
  sureness: 'Aussagekraft',
  methodology: 'Methodik',
  notReadable: 'nicht lesbar',

  versionBecame: 'aus {from} wurde {to}',
  levelBefore:
    '{rate}\u00a0%{counted, select, yes { von {prompts} Anfragen} other {}} in {readings, plural, one {# Messung} other {# Messungen}} vor dem {day}{drifting, select, yes {, dazu eine allmähliche Änderung um {drift} {count, plural, one {Prozentpunkt} other {Prozentpunkte}}} other {}}',
  levelNow:
    '{rate}\u00a0%{counted, select, yes { von {prompts} Anfragen} other {}} ({readings, plural, one {eine Messung, {day}} other {# Messungen seit dem {day}}})',
  howSure:
    '{chance, select, very {Zufall ist sehr unwahrscheinlich} unlikely {Zufall ist unwahrscheinlich} other {Zufall ist möglich}}{size, select, open {, die Größe ist offen} other {}} (95-%-Bereich {from} bis {to} Prozentpunkte)',
  otherSize:
    'Der Dienst {service} meldet {reported}; seine veröffentlichten Zahlen zeigen {shown}, von {before}\u00a0% auf {now}\u00a0%.',

  notVisibleYet: 'In den veröffentlichten Zahlen noch nicht zu sehen.',
  provisional: 'Vorläufig: gestützt auf eine einzige Messung.',
  gradualSince: 'Allmähliche Änderung seit dem {day}, kein plötzlicher Sprung.',
  otherModelsChanged:
    '{moved} von {others} anderen Modellen haben sich ähnlich verändert (im Median {points} {count, plural, one {Prozentpunkt} other {Prozentpunkte}}). Das spricht eher für eine geänderte Messung als für ein geändertes Modell.',
  unrecognised:
    'Dieses Ereignis entspricht nicht der Dokumentation des Dienstes {service}: {rows}. Bitte vor einer Veröffentlichung prüfen.',
  asReceived: 'Wie empfangen: {body}',
  possibleDuplicate:
    'Möglicherweise doppelt: Ein früherer Versuch, diese Nachricht hierher zu senden, blieb ohne Antwort.',

  isBack: 'Bluepencil ist zurück',
  couldNotBeSent:
    '{count, plural, one {# Nachricht konnte} other {# Nachrichten konnten}} hier seit dem {from} nicht zugestellt werden.',
  wereMissed:
    '{count, plural, one {# seit dem {from} verpasste Änderung wurde} other {# seit dem {from} verpasste Änderungen wurden}} nachträglich in den veröffentlichten Zahlen entdeckt.',
  followNow:
    'Sie folgen jetzt, die ältesten zuerst. In jeder Nachricht steht, wann die Änderung festgestellt wurde.',
  fromBluepencil: 'Von Bluepencil selbst',

  digest: 'Überblick',
  afterSilence: 'Stummschaltung beendet',
  digestHeadline: '{count, plural, one {# Meldung} other {# Meldungen}} vom {from} bis {until}.',
  silenceHeadline:
    '{count, plural, one {# Meldung} other {# Meldungen}} vom {from} bis {until} zurückgehalten. Stummgeschaltet von {by}: {scope}; Grund: {why}.',
  digestItem:
    '• {headline} ({at}{found, select, yes {, in den veröffentlichten Zahlen entdeckt} other {}}){incomplete, select, yes { Nicht wie dokumentiert: bitte vor einer Veröffentlichung prüfen.} other {}}',
  moreAlerts:
    'Dazu {count, plural, one {# weitere Meldung} other {# weitere Meldungen}}. Alle auflisten: bluepencil explain {id}',
  storyKicker: '{count, plural, one {# Meldung} other {# Meldungen}} in einer',
  storyGrew: 'Oben ergänzt: {count, plural, one {# Meldung} other {# Meldungen}}',
  numberOf:
    '{count, plural, =1 {{what, select, model {einem} other {einer}}} =2 {zwei} =3 {drei} =4 {vier} =5 {fünf} =6 {sechs} =7 {sieben} =8 {acht} =9 {neun} =10 {zehn} =11 {elf} =12 {zwölf} other {#}}',
  storyOfModels:
    '{way, select, rise {{number} Modelle lehnen mehr {prompts} ab.} fall {{number} Modelle lehnen weniger {prompts} ab.} other {Die Ablehnungsquote bei {prompts} hat sich bei {number} Modellen geändert: bei {more} höher, bei {fewer} niedriger.}}',
  storyOfCategories:
    'Die Ablehnungsquote von {subject} {way, select, rise {stieg in {number} Kategorien} fall {sank in {number} Kategorien} other {hat sich in {number} Kategorien geändert: in {more} höher, in {fewer} niedriger}}.',
  storyOfModel: '{number} Meldungen zu {subject}{of, select, yes { bei {prompts}} other {}}.',
  storyOfCategory: '{number} Meldungen zu {prompts}.',
  acknowledged: 'Zur Kenntnis genommen von {by} am {at}.',
  silenced: 'Stummgeschaltet von {by} bis {until}: {scope}; Grund: {why}',
  silenceEnded: 'Stummschaltung beendet von {by} am {at}.',
  desk: '{state, select, checking {{by} prüft die Meldung seit dem {at}.} published {Veröffentlicht von {by} am {at}: {story}} other {{by} hat die Meldung am {at} wieder auf „neu“ gesetzt; niemand prüft sie.}}',
  publishedBefore:
    '{is, select, withdrawal {Dies zieht eine Meldung zurück} other {Dies korrigiert eine Meldung}}, auf der ein Beitrag beruht, den {by} am {at} veröffentlicht hat: {story}',
  toStory: 'Veröffentlichter Beitrag',
  escalated:
    'Weitergeleitet aus „{from}“ am {at}: {is, select, unsent {Seit dem {since} konnte die Meldung dort nicht zugestellt werden.} other {Seit dem {since} hatte niemand die Meldung zur Kenntnis genommen.}}',
  allModels: 'alle Modelle',
  scope: '{model}{of, select, yes {, {prompts}} other {}}{placed, select, yes { (Kanal {channel})} other {}}',

  test: 'Test',
  isTest: 'Das ist ein Test von Bluepencil. So sieht eine echte Meldung aus.',
  example: '{value} (Beispiel)',
  noSuchChange: 'Die Zahlen sind erfunden: Eine solche Änderung wurde weder gemeldet noch entdeckt.',
  testSource: 'Gesendet von {by} mit „{command}“ am {at}',

  labelled: '{label}: {value}',
  heading: '{label}:',
  alert: 'Meldung',
  link: 'Link',
  toAcknowledge: 'Zur Kenntnis nehmen',
  toSilence: 'Stummschalten…',
  toHistory: 'Verlauf',
  toOpen: '{of, select, digest {Überblick öffnen} other {Meldung öffnen}}',
  readMore: 'Mehr dazu',
  noteToEditors: 'Hinweis für die Redaktion',
  addressTooLong: '{label} (die Adresse ist zu lang für {place})',
  moreFacts: '{count, plural, one {# weitere Angabe} other {# weitere Angaben}}',
  whyThisMail:
    'Sie erhalten diese Mail, weil Ihre Adresse für den Bluepencil-Kanal {channel} eingetragen ist.',
  howToStop: 'Wenn Sie keine oder andere Mails erhalten möchten, schreiben Sie an {contact}.',
  howToChange: 'Wenn Sie andere Mails erhalten möchten, schreiben Sie an {contact}. Zum Abbestellen:',
  unsubscribe: 'Abbestellen',

  previewFrom: 'Von',
  previewTo: 'An',
  previewSubject: 'Betreff',
  previewIn:
    '{channel}, wie es {place, select, slack {in Slack} discord {in Discord} other {in einem Mailprogramm}} aussieht',
  previewEdited: '{heading}, bearbeitet',

  problemOwnId: '„{id}“ hat die Form der Kennungen von Bluepencil; unter einer anderen Kennung gespeichert',
  problemOther: 'nicht wie dokumentiert',
  'problem.missing': 'fehlt',
  'problem.notText': 'kein Text',
  'problem.empty': 'leer',
  'problem.unseen': 'ohne ein sichtbares Zeichen',
  'problem.unfitId': 'länger als 200 Zeichen oder mit Leerzeichen oder nicht druckbaren Zeichen',
  'problem.otherId': 'beginnt nicht mit evt_',
  'problem.hashForId': 'ersetzt durch den Hash des Inhalts',
  'problem.otherType': 'weder policy_change noch censorship_spike',
  'problem.otherModel': 'nicht chatgpt, claude, gemini, mistral oder qwen',
  'problem.cutName': 'länger als 200 Zeichen und gekürzt',
  'problem.noChange': 'keine Änderung der Form +12pp',
  'problem.noSign': 'ohne Vorzeichen; als Anstieg gelesen',
  'problem.noDate': 'kein Datum',
  'problem.noZone': 'ohne Zeitzone; als UTC gelesen',
  'problem.longUrl': 'länger als 2048 Zeichen',
  'problem.noUrl': 'keine Adresse',
  'problem.notWeb': 'keine Adresse mit http oder https',
  'problem.urlWithPassword': 'eine Adresse mit Benutzername oder Passwort',
  'problem.notUtf8': 'kein gültiges UTF-8',
  'problem.notJson': 'kein JSON',
  'problem.notObject': 'kein JSON-Objekt',
  'problem.tooEarly': 'vor dem Jahr 2000',
  'problem.tooLate': 'mehr als einen Tag nach dem Empfang',

  percent: '{rate}\u00a0%',
  chart: 'Grafik',
  lastDays: '{days, plural, one {Der letzte Tag} other {Die letzten # Tage}}',
  chartTitle:
    '{category, select, overall {{model}: abgelehnte Anfragen} none {{model}: abgelehnte Anfragen} other {{model}: abgelehnte Anfragen ({name})}}',
  chartSpan: 'Prozent je Tag, {from} – {to}',
  chartEmpty: 'keine Messung',
  chartChange: 'Änderung, {day}',
  chartDenser: 'Ab {day}: {count, plural, one {# Messung} other {# Messungen}} am Tag',
  chartDay:
    '{known, select, yes {ein Tag mit 95-%-Konfidenzintervall{wider, select, yes { (mindestens so breit)} other {}}} other {ein Tag; Konfidenzintervall unbekannt}}',
  chartUsual:
    '{since, select, change {vor der Änderung} other {Mittelwert}}: {mean}{ranged, select, yes {, meist {range}} other {}}',

  altAbout: '{title}, Prozent je Tag, {from} bis {to}.',
  altEmpty: 'Es gibt keine Messung.',
  altUsual:
    '{since, select, change {Vor der Änderung} other {Mittelwert}}: {mean}{ranged, select, yes {, meist {range}} other {}}.',
  altNothingSince: 'Änderung markiert am {day}; seither keine Messung.',
  altSince: 'Änderung markiert am {day}; seither {mean} in {days, plural, one {# Tag} other {# Tagen}}.',
  altLast:
    'Zuletzt: {rate} am {day}{known, select, yes { (95-%-Konfidenzintervall {range}{wider, select, yes {, mindestens so breit} other {}})} other {; Konfidenzintervall unbekannt}}.',
  altExtremes: 'Niedrigster Wert {lowest} ({lowestDay}), höchster {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# Tag} other {# Tage}} ohne Messung.',
}
