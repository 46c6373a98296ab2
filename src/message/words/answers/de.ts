import type { en } from './en.ts'

export const de: Record<keyof typeof en, string> = {
  takesLonger: 'Das dauert länger; die Antwort folgt.',
  notStored:
    'Das ließ sich nicht speichern, deshalb wurde nichts geändert. Bitte versuchen Sie es in einer Minute noch einmal.',
  wentWrong: 'Ein Fehler ist aufgetreten; es wurde nichts geändert. Mehr dazu steht im Protokoll.',
  mayNot:
    'Sie dürfen hier {doing, select, acknowledge {keine Meldungen zur Kenntnis nehmen} send {keine zurückgehaltenen Meldungen senden} other {keine Meldungen stummschalten}}; es wurde nichts geändert. Ihr Bluepencil-Administrator kann Ihre ID unter {key} eintragen.',
  alertGone: 'Diese Meldung ist nicht mehr gespeichert; es wurde nichts geändert.',
  noModelNamed: 'Die Meldung nennt kein Modell.',

  youAcknowledged: 'Zur Kenntnis genommen. Die Meldung zeigt das jetzt an, sofern sie sich bearbeiten lässt.',
  hadAcknowledged: 'Sie haben die Meldung bereits zur Kenntnis genommen.',
  deskDone:
    '{state, select, checking {Notiert: Sie prüfen die Meldung.} published {Als veröffentlicht notiert: {story}} other {Notiert: Die Meldung ist wieder neu.}}',
  deskBefore:
    '{was, select, checking {{by} prüfte die Meldung seit dem {at}.} other {{by} hatte am {at} einen Beitrag dazu veröffentlicht: {story}}}',
  deskOutrun:
    'Es wurde nichts geändert: {by} war schneller. Bitte sehen Sie sich die Meldung noch einmal an.',
  badStoryAddress:
    'Bitte die ganze Adresse des Beitrags angeben, mit https:// oder http:// und ohne Passwort. Es wurde nichts geändert.',

  nothingToSilence: 'Die Meldung nennt kein Modell und lässt sich deshalb nicht stummschalten.',
  silenceWhat: 'Stummschalten: {scope}?',
  silenceBegun:
    'Bis {until} werden Meldungen hierzu zurückgehalten: {scope}. Danach fasst eine Nachricht zusammen, was kam.',
  silenceTooLong:
    'Eine Stummschaltung muss in der Zukunft und binnen 30 Tagen enden; es wurde nichts geändert.',
  noSuchCategory:
    'Keine Meldung hatte die Kategorie {category}; bekannt sind {categories}. Es wurde nichts geändert.',
  timeNotRead:
    'Die Zeitangabe ist nicht lesbar; schreiben Sie 1h, 2 days, friday, tomorrow oder einen Zeitpunkt wie 2026-12-01T09:00.',
  noReason: 'nicht genannt',

  forOneHour: '1 Stunde',
  untilTomorrow: 'Bis morgen, 9 Uhr',
  forOneWeek: '1 Woche',
  formTitle: 'Meldungen stummschalten',
  formScope: 'Meldungen in allen Kanälen: {scope}.',
  formDuration: 'Wie lange',
  formWhy: 'Grund',
  formSend: 'Stummschalten',
  formCancel: 'Abbrechen',
  formClose: 'Schließen',
  noForm:
    'Slack hat das Formular nicht geöffnet; es wurde nichts geändert. Versuchen Sie es noch einmal, oder schreiben Sie {written}.',
  formTooLate:
    'Das Formular kam zu spät, um geöffnet zu werden; es wurde nichts geändert. Klicken Sie noch einmal auf die Schaltfläche, oder schreiben Sie {written}.',

  commands: 'Meldungen, Zahlen und Stummschaltungen',
  commandsAre: 'Das können Sie schreiben:',
  noSuchCommand: 'Diesen Befehl gibt es nicht. Das können Sie schreiben:',
  writeThus: 'Schreiben Sie {written}; Modelle sind {models}.',
  'usage.history': 'MODELL [KATEGORIE] [ZEITRAUM]',
  'usage.compare': 'MODELL MODELL',
  'usage.silence': 'MODELL [KATEGORIE] DAUER [GRUND]',
  'usage.checking': 'EREIGNIS_ID',
  'usage.published': 'EREIGNIS_ID ADRESSE',
  'usage.reopen': 'EREIGNIS_ID',
  'usage.why': 'EREIGNIS_ID',
  'usage.send-held': 'KANAL',
  'does.status': 'was funktioniert und was nicht',
  'does.latest': 'die neuesten Meldungen',
  'does.history': 'was ein Modell in 7d, 30d, 90d oder 1y ablehnte',
  'does.compare': 'zwei Modelle im Vergleich',
  'does.silence': 'Meldungen für 1h, 2d, 1w oder bis morgen (tomorrow) zurückhalten',
  'does.silences': 'die laufenden Stummschaltungen',
  'does.checking': 'notieren, dass Sie eine Meldung prüfen',
  'does.published': 'den Beitrag notieren, den Sie zu einer Meldung veröffentlicht haben',
  'does.reopen': 'eine Meldung wieder auf neu setzen',
  'does.send-held': 'jetzt senden, was für einen Kanal zurückgehalten wird',
  'does.channels': 'wohin Meldungen gehen',
  'does.why': 'was auf jedem Kanal aus einer Meldung wurde, und warum',
  'does.test': 'einen Test in diesen Kanal senden',
  'does.help': 'diese Liste',
  optionModel: 'Welches Modell',
  optionChannel: 'Welcher Kanal',
  optionOther: 'Vergleichen mit',
  optionCategory: 'Welche Anfragen; sonst alle',
  optionPeriod: 'Wie weit zurück; sonst 30d',
  optionEvent: 'Die ID einer Meldung, wie latest sie zeigt',
  optionStory: 'Die Adresse des veröffentlichten Beitrags',
  tomorrow: 'bis morgen',

  newestAlerts: 'Die neuesten Meldungen:',
  noAlertStored: 'Es ist keine Meldung gespeichert.',
  alertNotFound:
    'Unter dieser ID ist keine Meldung gespeichert. /bluepencil latest zeigt die neuesten mit ihren IDs.',
  silencesInForce: 'Zurzeit stummgeschaltet:',
  noSilenceInForce: 'Zurzeit ist nichts stummgeschaltet.',
  silenceInForce: '{scope} bis {until}: {by}, Grund: {why}',
  alertsGoTo: 'Meldungen gehen an:',
  heldSent:
    '{count, plural, one {# zurückgehaltene Meldung geht} other {# zurückgehaltene Meldungen gehen}} jetzt an {channel}.',
  nothingHeld: 'Für {channel} wird nichts zurückgehalten.',
  noSuchChannel: 'Kein Kanal heißt {channel}; es gibt {channels}. Nichts wurde gesendet.',

  testSent: 'Gesendet als {channel}.',
  testNotSent: 'Als {channel} nicht gesendet: {why}',
  noChannelHere: 'Kein eingerichteter Kanal sendet hierher; es wurde nichts gesendet.',

  stateIs:
    'Zustand: {status, select, ready {bereit} degraded {eingeschränkt} other {nicht verfügbar}}{stored, select, no {, nichts lässt sich speichern} other {}}',
  waysAre:
    'Abonnement: {subscription, select, active {aktiv} missing {fehlt} inactive {inaktiv} unreachable {Dienst nicht erreichbar} refused {abgelehnt} unknown {noch nicht bekannt} other {nicht eingerichtet}}; Abruf: {polling, select, full {vollständig} slow {langsam} other {aus}}',
  channelWaits: '{channel}: {count, plural, one {# Nachricht wartet} other {# Nachrichten warten}}',
  channelHolds:
    '{channel}: {count, plural, one {# Meldung wird} other {# Meldungen werden}} bis {until} zurückgehalten ({by, select, quiet {Ruhezeit} digest {Überblick} story {gehört zu einer anderen Meldung} burst {zu viele auf einmal} other {Stummschaltung}})',
  troubleSince: '{title} (seit {since})',

  serviceNotSetUp:
    'Hier ist kein Monitoring-Dienst eingerichtet, daher gibt es keine Zahlen. Ihr Administrator kann ihn in der Konfiguration unter monitor eintragen.',
  serviceSilent: 'Der Dienst antwortet nicht. Bitte fragen Sie später noch einmal.',
  serviceUnaware: 'Der Dienst hat keine Daten zu {models}.',
  requestsSpent:
    'Das Kontingent für Abfragen von Hand ist vorerst aufgebraucht. Bitte fragen Sie später noch einmal.',
  leftOut:
    '{count, plural, one {# Wert war nicht lesbar und fehlt} other {# Werte waren nicht lesbar und fehlen}} hier.',
  versionSince: '{day}: aus Version {from} wurde {to}',
  stepSeen: '{day}: in den Zahlen zu sehen, {points} {way, select, rise {mehr} other {weniger}}',
  compared: 'Im Vergleich:',
  comparedNone: 'Der Dienst hat keines dieser Modelle verglichen.',
  rateOf: '{category, select, overall {Ablehnungsquote} other {Ablehnungsquote, {name}}}',
  highestLessLowest: 'Höchste minus niedrigste: {points}',
  trend: 'Trend',
  trendIs: '{trend, select, rising {steigend} falling {sinkend} stable {stabil} other {{trend}}}',
  biasScore: 'Bias-Wert',
  countedOver: '{prompts} Anfragen',
  lastUpdated: 'Stand {at}',
  figuresAsOf: 'Stand der Zahlen: {at}; neuere lassen sich im Moment nicht abrufen.',
  unitAssumed: 'Die Quoten werden als Anteile von 1 gelesen; so wenige Werte können das nicht bestätigen.',

  endMail: '{channel} abbestellen?',
  endMailText:
    '{address} erhält Mails des Bluepencil-Kanals {channel}. Nach dem Abbestellen kommen keine mehr.',
  mailEnded: '{channel} ist abbestellt',
  mailHadEnded: '{channel} war bereits abbestellt',
  noMoreMail:
    'An {address} gehen keine Mails dieses Kanals mehr. Wenn Sie wieder welche erhalten möchten, schreiben Sie an {contact}.',
  linkNotValid: 'Dieser Link ist nicht gültig',
  linkNotWhole: 'Es wurde nichts geändert. Bitte prüfen Sie, ob Sie den vollständigen Link geöffnet haben.',
  endByAnswer: 'Wenn Sie keine Mails mehr erhalten möchten, antworten Sie auf eine der Mails.',
  endByWriting: 'Wenn Sie keine Mails mehr erhalten möchten, schreiben Sie an {contact}.',
  notWrittenDown: 'Das ließ sich nicht speichern',
  stillMail: 'Sie erhalten weiterhin Mails. Bitte versuchen Sie es in einigen Minuten noch einmal.',
  senderOfTheMail: 'den Absender der Mail',
}
