import type { en } from './en.ts'

export const fr: Record<keyof typeof en, string> = {
  takesLonger: 'Cela prend plus de temps\u00a0; la réponse suit.',
  notStored: 'L’enregistrement a échoué, rien n’a donc été fait. Veuillez réessayer dans une minute.',
  wentWrong: 'Une erreur est survenue, et rien n’a été fait. Les logs donnent plus de détails.',
  mayNot:
    'Vous ne pouvez pas {doing, select, acknowledge {prendre en compte les alertes} send {envoyer maintenant les alertes retenues} other {mettre les alertes en sourdine}} ici\u00a0; rien n’a été fait. L’administrateur de Bluepencil peut ajouter votre identifiant sous {key}.',
  alertGone: 'Cette alerte n’est plus conservée\u00a0; rien n’a été fait.',
  noModelNamed: 'L’alerte ne nomme aucun modèle.',

  youAcknowledged: 'Alerte prise en compte. Ses messages l’indiquent désormais, s’ils peuvent être modifiés.',
  hadAcknowledged: 'Vous avez déjà pris cette alerte en compte.',
  deskDone:
    '{state, select, checking {C’est noté\u00a0: vous vérifiez cette alerte.} published {C’est noté, article publié\u00a0: {story}} other {C’est noté\u00a0: cette alerte est de nouveau à l’état «\u00a0nouveau\u00a0».}}',
  deskBefore:
    '{was, select, checking {{by} vérifiait cette alerte depuis le {at}.} other {{by} avait publié un article à ce sujet le {at}\u00a0: {story}}}',
  deskOutrun: 'Rien n’a été fait\u00a0: {by} a été plus rapide. Consultez de nouveau l’alerte.',
  badStoryAddress:
    'Indiquez l’adresse complète de l’article, avec https:// ou http:// et sans mot de passe. Rien n’a été fait.',

  nothingToSilence: 'L’alerte ne nomme aucun modèle\u00a0: elle ne peut pas être mise en sourdine.',
  silenceWhat: 'Mettre en sourdine\u00a0: {scope}\u00a0?',
  silenceBegun:
    'Alertes retenues jusqu’au {until}\u00a0: {scope}. Un message indiquera ensuite celles qui sont arrivées.',
  silenceTooLong: 'Une mise en sourdine doit prendre fin dans les 30 jours à venir\u00a0; rien n’a été fait.',
  noSuchCategory:
    'Aucune alerte n’a encore relevé de la catégorie {category}\u00a0; les catégories connues sont {categories}. Rien n’a été fait.',
  timeNotRead:
    'La durée est illisible\u00a0; écrivez 1h, 2 days, friday, tomorrow ou une date comme 2026-12-01T09:00.',
  noReason: 'non précisé',

  forOneHour: '1 heure',
  untilTomorrow: 'Jusqu’à demain, 9\u00a0h',
  forOneWeek: '1 semaine',
  formTitle: 'Mise en sourdine',
  formScope: 'Alertes, dans tous les canaux\u00a0: {scope}.',
  formDuration: 'Durée',
  formWhy: 'Motif',
  formSend: 'Mettre en sourdine',
  formCancel: 'Annuler',
  formClose: 'Fermer',
  noForm: 'Slack n’a pas ouvert le formulaire, et rien n’a été fait. Réessayez, ou écrivez {written}.',
  formTooLate:
    'Le formulaire est arrivé trop tard pour s’ouvrir, et rien n’a été fait. Appuyez de nouveau sur le bouton, ou écrivez {written}.',

  commands: 'Alertes, chiffres et mises en sourdine',
  commandsAre: 'Ce que vous pouvez écrire\u00a0:',
  noSuchCommand: 'Cette commande n’existe pas. Ce que vous pouvez écrire\u00a0:',
  writeThus: 'Écrivez {written}\u00a0; les modèles sont {models}.',
  'usage.history': 'MODÈLE [CATÉGORIE] [PÉRIODE]',
  'usage.compare': 'MODÈLE MODÈLE',
  'usage.silence': 'MODÈLE [CATÉGORIE] DURÉE [MOTIF]',
  'usage.checking': 'ID_ÉVÉNEMENT',
  'usage.published': 'ID_ÉVÉNEMENT ADRESSE',
  'usage.reopen': 'ID_ÉVÉNEMENT',
  'usage.why': 'ID_ÉVÉNEMENT',
  'usage.send-held': 'CANAL',
  'does.status': 'ce qui fonctionne et ce qui ne va pas',
  'does.latest': 'les dernières alertes',
  'does.history': 'ce qu’un modèle a refusé sur 7d, 30d, 90d ou 1y',
  'does.compare': 'deux modèles côte à côte',
  'does.silence': 'retenir les alertes pendant 1h, 2d, 1w ou jusqu’à demain (tomorrow)',
  'does.silences': 'les mises en sourdine en cours',
  'does.checking': 'signaler que vous vérifiez une alerte',
  'does.published': 'noter l’article publié sur une alerte',
  'does.reopen': 'remettre une alerte à l’état nouveau',
  'does.send-held': 'envoyer maintenant ce qui est retenu pour un canal',
  'does.channels': 'où vont les alertes',
  'does.why': 'ce qu’une alerte est devenue sur chaque canal, et pourquoi',
  'does.test': 'envoyer un test dans ce canal',
  'does.help': 'cette liste',
  optionModel: 'Quel modèle',
  optionChannel: 'Quel canal',
  optionOther: 'À comparer avec',
  optionCategory: 'Quelles requêtes\u00a0; par défaut\u00a0: toutes',
  optionPeriod: 'Sur quelle période\u00a0; par défaut\u00a0: 30d',
  optionEvent: 'L’identifiant d’une alerte, tel que latest l’affiche',
  optionStory: 'L’adresse de l’article publié',
  tomorrow: 'jusqu’à demain',

  newestAlerts: 'Les dernières alertes\u00a0:',
  noAlertStored: 'Aucune alerte n’est conservée.',
  alertNotFound:
    'Aucune alerte n’est conservée sous cet identifiant. /bluepencil latest affiche les plus récentes avec leurs identifiants.',
  silencesInForce: 'En sourdine actuellement\u00a0:',
  noSilenceInForce: 'Rien n’est en sourdine actuellement.',
  silenceInForce: '{scope}, jusqu’au {until}\u00a0: {by}\u00a0; motif\u00a0: {why}',
  alertsGoTo: 'Les alertes vont à\u00a0:',
  heldSent:
    '{count, plural, one {# alerte retenue part} other {# alertes retenues partent}} maintenant vers {channel}.',
  nothingHeld: 'Rien n’est retenu pour {channel}.',
  noSuchChannel:
    'Aucun canal ne s’appelle {channel}\u00a0; canaux existants\u00a0: {channels}. Rien n’a été envoyé.',

  testSent: 'Envoyé par le canal {channel}.',
  testNotSent: 'Non envoyé par le canal {channel}\u00a0: {why}',
  noChannelHere: 'Aucun canal configuré ne publie ici\u00a0; rien n’a été envoyé.',

  stateIs:
    'État\u00a0: {status, select, ready {prêt} degraded {dégradé} other {indisponible}}{stored, select, no {, rien ne peut être enregistré} other {}}',
  waysAre:
    'Abonnement\u00a0: {subscription, select, active {actif} missing {absent} inactive {inactif} unreachable {service injoignable} refused {refusé} unknown {pas encore connu} other {non configuré}}\u00a0; interrogation\u00a0: {polling, select, full {complète} slow {lente} other {arrêtée}}',
  channelWaits: '{channel}\u00a0: {count, plural, one {# message en attente} other {# messages en attente}}',
  channelHolds:
    '{channel}\u00a0: {count, plural, one {# alerte retenue} other {# alertes retenues}} jusqu’au {until} ({by, select, quiet {heures de silence} digest {récapitulatif} story {liée à une autre alerte} burst {trop d’alertes à la fois} other {mise en sourdine}})',
  troubleSince: '{title} (depuis le {since})',

  serviceNotSetUp:
    'Aucun service de surveillance n’est configuré ici, il n’y a donc pas de chiffres à consulter. Votre administrateur peut en ajouter un sous monitor dans la configuration.',
  serviceSilent: 'Le service ne répond pas. Veuillez réessayer plus tard.',
  serviceUnaware: 'Le service n’a pas de données sur {models}.',
  requestsSpent:
    'Le quota de demandes des utilisateurs est épuisé pour le moment. Veuillez réessayer plus tard.',
  leftOut:
    '{count, plural, one {# valeur est illisible et a été laissée} other {# valeurs sont illisibles et ont été laissées}} de côté.',
  versionSince: '{day}\u00a0: passage de la version {from} à {to}',
  stepSeen: '{day}\u00a0: visible dans les chiffres, {way, select, rise {hausse} other {baisse}} de {points}',
  compared: 'Comparaison\u00a0:',
  comparedNone: 'Le service n’a comparé aucun de ces modèles.',
  rateOf: '{category, select, overall {Taux de refus} other {Taux de refus, {name}}}',
  highestLessLowest: 'Écart entre le plus haut et le plus bas\u00a0: {points}',
  trend: 'Tendance',
  trendIs: '{trend, select, rising {en hausse} falling {en baisse} stable {stable} other {{trend}}}',
  biasScore: 'Score de biais',
  countedOver: '{prompts} requêtes',
  lastUpdated: 'dernière mise à jour le {at}',
  figuresAsOf: 'Chiffres du {at}\u00a0; il n’est pas possible d’en lire de plus récents pour le moment.',
  unitAssumed:
    'Les taux sont lus comme des fractions de 1\u00a0; ces quelques valeurs ne permettent pas de le vérifier.',

  endMail: 'Se désabonner de {channel}\u00a0?',
  endMailText:
    '{address} reçoit les courriels du canal {channel} de Bluepencil. Ensuite, cette adresse n’en recevra plus.',
  mailEnded: 'Désabonnement de {channel} effectué',
  mailHadEnded: 'Désabonnement de {channel} déjà effectué',
  noMoreMail:
    '{address} ne reçoit plus les courriels de ce canal. Pour les recevoir de nouveau, écrivez à {contact}.',
  linkNotValid: 'Ce lien n’est pas valable',
  linkNotWhole: 'Rien n’a été modifié. Vérifiez que vous avez ouvert le lien en entier.',
  endByAnswer: 'Pour ne plus recevoir de courriels, répondez à l’un d’eux.',
  endByWriting: 'Pour ne plus recevoir de courriels, écrivez à {contact}.',
  notWrittenDown: 'Votre demande n’a pas pu être enregistrée',
  stillMail: 'Vous recevez toujours des courriels. Veuillez réessayer dans quelques minutes.',
  senderOfTheMail: 'l’expéditeur du courriel',
}
