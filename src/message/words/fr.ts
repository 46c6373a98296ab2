import { fr as answers } from './answers/fr.ts'
import type { Catalogue } from './phrases.ts'

export const fr: Catalogue = {
  ...answers,

  modelNotNamed: 'modèle non précisé',
  modelUnknown: 'modèle {name}',
  prompts:
    '{category, select, political {requêtes politiques} safety {requêtes touchant à la sécurité} social {requêtes sur des sujets de société} overall {requêtes de toutes catégories} none {requêtes d’une catégorie non précisée} other {requêtes de la catégorie «\u00a0{name}\u00a0»}}',
  category:
    '{category, select, political {politique} safety {sécurité} social {société} overall {ensemble} none {illisible} other {{name}}}',
  typeName:
    '{type, select, policy_change {Changement de règles} censorship_spike {Bond du taux de refus} version_change {Nouvelle version} other {Événement inconnu}}',
  typeInSentence:
    '{type, select, policy_change {changement de règles} censorship_spike {bond du taux de refus} other {événement inconnu}}',
  row: '{field} ({problem})',

  points: '{size} {count, plural, one {point de pourcentage} other {points de pourcentage}}',
  shortPoints: '{size} {count, plural, one {point} other {points}}',
  lessThan: 'moins de {size}',
  tinyChange:
    'une {way, select, rise {hausse} other {baisse}} de moins de {size} {count, plural, one {point de pourcentage} other {points de pourcentage}}',

  refusesLevels:
    '{lead, select, policy {Changement de règles\u00a0: } other {}}{subject} a refusé {now}\u00a0% des {prompts}, contre {before}\u00a0% auparavant{beside, select, further { (après une première {way, select, rise {hausse} other {baisse}} de {was})} other {}}.',
  refusesPoints:
    '{lead, select, policy {Changement de règles\u00a0: } other {}}le taux de refus de {subject} pour les {prompts} a {way, select, rise {augmenté} other {baissé}} de {points}{beside, select, further { (après une première {way, select, rise {hausse} other {baisse}} de {was})} not {, et non de {was}} rise {\u00a0; d’abord signalé en hausse de {was}} fall {\u00a0; d’abord signalé en baisse de {was}} same {\u00a0; d’abord signalé comme inchangé} other {}}.',
  refusesSame:
    '{lead, select, policy {Changement de règles\u00a0: } other {}}le taux de refus de {subject} pour les {prompts} n’a pas changé{beside, select, rise {\u00a0; d’abord signalé en hausse de {was}} fall {\u00a0; d’abord signalé en baisse de {was}} other {}}.',
  versionChanged: '{subject} a changé de version\u00a0: {from} → {to}.',
  withoutSize:
    '{type, select, policy_change {Un changement de règles} censorship_spike {Un bond du taux de refus} other {Un événement inconnu}}{named, select, yes { concernant les {prompts}} other {}} a été signalé pour {subject}\u00a0; son ampleur est illisible.',
  withdrawnHeadline: 'RETIRÉ\u00a0: {headline}',
  correctedHeadline: 'CORRIGÉ\u00a0: {headline}',
  correctionHeadline: 'Rectificatif\u00a0: {headline}',
  testHeadline: 'TEST, et non une alerte\u00a0: {headline}',

  roseAgain: 'Nouvelle hausse',
  fellAgain: 'Nouvelle baisse',
  seenInFigures: 'Constaté dans les chiffres publiés',

  reported:
    'Le service {service} signale {type, select, policy_change {un changement de règles} other {un bond du taux de refus («\u00a0censorship spike\u00a0»)}}.',
  reportedOtherType:
    'Le service {service} a envoyé un événement de type «\u00a0{type}\u00a0», que sa documentation ne décrit pas.',
  reportedWithoutType: 'Le service {service} a envoyé un événement dont le type est illisible.',
  found:
    'Bluepencil l’a constaté dans les chiffres que publie le service {service}.{alone, select, yes { Le service lui-même ne l’a pas signalé.} other {}}',
  foundWithdrawn:
    'Bluepencil retire ce qu’il avait trouvé dans les chiffres que publie le service {service}\u00a0: les relevés suivants ne le confirment pas.',
  alsoSeen: 'Également constaté en relevant les chiffres publiés.',
  alsoReported: 'Également signalé par le service {service} ({id}).',
  withdrawn: 'Retiré le {at}\u00a0: les relevés suivants ne montrent pas ce changement.',
  corrected: 'Corrigé le {at}\u00a0; chiffre désormais signalé\u00a0: {what} ({id}).',
  confirmed: 'Confirmé le {at} par les relevés suivants{sized, select, yes {\u00a0: {size}} other {}}.',
  changeNotReadable: 'un changement dont l’ampleur est illisible',
  changeWasNotReadable: 'un changement dont l’ampleur était illisible',
  earlierFound:
    'Constaté auparavant\u00a0: {was}{dated, select, yes {, détecté le {at}} other {}}, d’après un seul relevé ({id}).',
  earlierReport:
    'Ceci rectifie une annonce antérieure du service {service} ({id})\u00a0: {was}{dated, select, yes {, détecté le {at}} other {}}. Désormais signalé\u00a0: {now}.',
  stepBefore:
    'Nouvelle {way, select, rise {hausse} other {baisse}}\u00a0: désormais {now}. {by, select, figures {Constaté auparavant dans les chiffres publiés} other {Signalé auparavant par le service {service}}}\u00a0: {was} ({id}){dated, select, yes {, détecté le {at}} other {}}.',
  sourceBoth: 'Signalé par le service {service} et constaté dans les chiffres qu’il publie',
  sourceFound: 'Constaté par Bluepencil dans les chiffres que publie le service {service}',
  sourceReported: 'Signalé par le service {service}',

  model: 'Modèle',
  ofCategory: 'Catégorie',
  change: 'Évolution du taux de refus',
  reportedChange: 'Évolution signalée',
  seenBefore: 'Constaté auparavant',
  reportedBefore: 'Signalé auparavant',
  detected: 'Détecté',
  foundAt: 'Trouvé',
  received: 'Reçu',
  version: 'Version',
  before: 'Avant',
  now: 'Maintenant',
  formerly: 'Alors',
  sureness: 'Certitude',
  methodology: 'Méthodologie',
  notReadable: 'illisible',

  versionBecame: '{from} est devenue {to}',
  levelBefore:
    '{rate}\u00a0%{counted, select, yes { de {prompts} requêtes} other {}} en {readings, plural, one {# relevé} other {# relevés}} avant le {day}{drifting, select, yes {, avec une dérive de {drift} {count, plural, one {point de pourcentage} other {points de pourcentage}}} other {}}',
  levelNow:
    '{rate}\u00a0%{counted, select, yes { de {prompts} requêtes} other {}} ({readings, plural, =1 {un seul relevé, {day}} one {# relevé depuis le {day}} other {# relevés depuis le {day}}})',
  howSure:
    '{chance, select, very {Un hasard est très peu probable} unlikely {Un hasard est peu probable} other {Un hasard est possible}} (intervalle à 95\u00a0%\u00a0: de {from} à {to} points)',
  otherSize:
    'Le service {service} signale {reported}\u00a0; les chiffres qu’il publie montrent {shown}, de {before}\u00a0% à {now}\u00a0%.',

  notVisibleYet: 'Pas encore visible dans les chiffres publiés.',
  provisional: 'Provisoire\u00a0: un seul relevé le montre.',
  driftSince: 'Non pas un saut, mais une dérive depuis le {day}.',
  movedAlike:
    '{moved} autres modèles sur {others} ont évolué de même (médiane\u00a0: {points} {count, plural, one {point de pourcentage} other {points de pourcentage}})\u00a0: plutôt un changement de la mesure que d’un modèle.',
  unrecognised:
    'Ne correspond pas à ce que le service {service} documente de ses événements\u00a0: {rows}. À vérifier avant toute publication.',
  asReceived: 'Tel que reçu\u00a0: {body}',
  perhapsRepeat:
    'Peut-être une répétition\u00a0: une tentative précédente de l’envoyer ici est restée sans réponse et a pu aboutir.',

  isBack: 'Bluepencil est de retour',
  couldNotBeSent:
    '{count, plural, one {# message n’a pas pu être envoyé} other {# messages n’ont pas pu être envoyés}} ici depuis le {from}.',
  wereMissed:
    '{count, plural, one {# changement a été manqué depuis le {from}, puis retrouvé} other {# changements ont été manqués depuis le {from}, puis retrouvés}} dans les chiffres publiés.',
  followNow:
    'Les messages suivent, du plus ancien au plus récent. Chacun indique quand le changement a été détecté.',
  fromBluepencil: 'De Bluepencil même',

  digest: 'Récapitulatif',
  silenceOver: 'Fin de la mise en sourdine',
  digestHeadline: '{count, plural, one {# alerte} other {# alertes}} du {from} au {until}.',
  silenceHeadline:
    '{count, plural, one {# alerte est arrivée} other {# alertes sont arrivées}} du {from} au {until}, pendant la mise en sourdine par {by}\u00a0: {scope}\u00a0; motif\u00a0: {why}.',
  digestItem: '• {headline} ({at})',
  moreAlerts:
    'Et {count, plural, one {# autre alerte} other {# autres alertes}}\u00a0; «\u00a0bluepencil explain {id}\u00a0» les énumère toutes.',
  storyKicker: '{count, plural, one {# alerte} other {# alertes}} en une',
  storyGrew: '{count, plural, one {# alerte de plus} other {# alertes de plus}} ci-dessus',
  numberOf:
    '{count, plural, =1 {{what, select, model {un} other {une}}} =2 {deux} =3 {trois} =4 {quatre} =5 {cinq} =6 {six} =7 {sept} =8 {huit} =9 {neuf} =10 {dix} =11 {onze} =12 {douze} other {#}}',
  storyOfModels:
    '{way, select, rise {{number} modèles refusent davantage de {prompts}.} fall {{number} modèles refusent moins de {prompts}.} other {{number} modèles refusent un autre nombre de {prompts} qu’auparavant\u00a0: davantage pour {more}, moins pour {fewer}.}}',
  storyOfCategories:
    '{subject} {way, select, rise {refuse davantage de requêtes dans {number} catégories.} fall {refuse moins de requêtes dans {number} catégories.} other {refuse un autre nombre de requêtes qu’auparavant dans {number} catégories\u00a0: davantage dans {more}, moins dans {fewer}.}}',
  storyOfModel: '{number} alertes concernant {subject}{of, select, yes { et les {prompts}} other {}}.',
  storyOfCategory: '{number} alertes concernant les {prompts}.',
  acknowledged: 'Pris en compte par {by} le {at}.',
  silenced: 'Mis en sourdine par {by} jusqu’au {until}\u00a0: {scope}\u00a0; motif\u00a0: {why}',
  silenceEnded: 'Mise en sourdine levée par {by} le {at}.',
  desk: '{state, select, checking {{by} vérifie cette alerte depuis le {at}.} published {Publié par {by} le {at}\u00a0: {story}} other {{by} a remis cette alerte à l’état nouveau le {at}\u00a0; personne ne la vérifie.}}',
  publishedBefore:
    '{is, select, withdrawal {Ceci retire un signalement} other {Ceci corrige un signalement}} sur lequel {by} a publié un article le {at}\u00a0: {story}',
  toStory: 'Article publié',
  escalated:
    'Transmis depuis «\u00a0{from}\u00a0» le {at}\u00a0: {is, select, unsent {l’envoi y échouait} other {personne ne l’avait pris en compte}} depuis le {since}.',
  allModels: 'tous les modèles',
  scope: '{model}{of, select, yes {, {prompts}} other {}}{placed, select, yes { (canal {channel})} other {}}',

  test: 'Test',
  isTest: 'Ceci est un test de Bluepencil. Une alerte se lirait ainsi.',
  example: '{value} (exemple)',
  nothingReported: 'Rien de tel n’a été signalé ni constaté.',
  testSource: 'Envoyé par {by} avec «\u00a0{command}\u00a0» le {at}',

  labelled: '{label}\u00a0: {value}',
  heading: '{label}\u00a0:',
  alert: 'Alerte',
  link: 'Lien',
  toAcknowledge: 'Prendre en compte',
  toSilence: 'Mettre en sourdine…',
  toHistory: 'Historique',
  toOpen: '{of, select, digest {Ouvrir le récapitulatif} other {Ouvrir l’alerte}}',
  readMore: 'En savoir plus',
  noteToEditors: 'Note à la rédaction',
  addressTooLong: '{label} (son adresse est trop longue pour {place})',
  moreFacts: '{count, plural, one {# autre donnée} other {# autres données}}',
  whyThisMail:
    'Vous recevez ce courriel parce que votre adresse est inscrite au canal {channel} de Bluepencil.',
  howToStop: 'Pour ne plus en recevoir, ou pour en changer le contenu, écrivez à {contact}.',
  howToChange: 'Pour en changer le contenu, écrivez à {contact}. Pour ne plus en recevoir :',
  unsubscribe: 'Se désabonner',

  previewFrom: 'De',
  previewTo: 'À',
  previewSubject: 'Objet',
  previewIn:
    '{channel}, tel qu’il se lit dans {place, select, slack {Slack} discord {Discord} other {une messagerie}}',
  previewEdited: '{heading}, modifié',

  problemOwnId: '«\u00a0{id}\u00a0» a la forme des identifiants de Bluepencil\u00a0; conservé sous un autre',
  problemOther: 'non conforme à la documentation',
  'problem.missing': 'absent',
  'problem.notText': 'n’est pas un texte',
  'problem.empty': 'vide',
  'problem.unseen': 'sans aucun caractère visible',
  'problem.unfitId': 'plus de 200 caractères, ou avec des espaces ou des caractères non imprimables',
  'problem.otherId': 'ne commence pas par evt_',
  'problem.hashForId': 'remplacé par l’empreinte du contenu',
  'problem.otherType': 'ni policy_change ni censorship_spike',
  'problem.otherModel': 'aucun de chatgpt, claude, gemini, mistral, qwen',
  'problem.cutName': 'plus de 200 caractères, tronqué',
  'problem.noChange': 'n’est pas un changement de la forme +12pp',
  'problem.noSign': 'sans signe\u00a0; lu comme une hausse',
  'problem.noDate': 'n’est pas une date',
  'problem.noZone': 'sans fuseau horaire\u00a0; lu comme UTC',
  'problem.longUrl': 'plus de 2048 caractères',
  'problem.noUrl': 'n’est pas une adresse',
  'problem.notWeb': 'n’est pas une adresse en http ou https',
  'problem.urlWithPassword': 'une adresse avec un nom d’utilisateur ou un mot de passe',
  'problem.notUtf8': 'UTF-8 non valide',
  'problem.notJson': 'n’est pas du JSON',
  'problem.notObject': 'n’est pas un objet JSON',
  'problem.tooEarly': 'avant l’an 2000',
  'problem.tooLate': 'plus d’un jour après la réception',

  percent: '{rate}\u00a0%',
  chart: 'Graphique',
  lastDays: '{days, plural, one {Le dernier jour} other {Les # derniers jours}}',
  chartTitle:
    '{category, select, overall {{model}\u00a0: requêtes refusées} none {{model}\u00a0: requêtes refusées} other {{model}\u00a0: requêtes refusées ({name})}}',
  chartSpan: 'Pourcentage par jour, {from} – {to}',
  chartEmpty: 'aucun relevé',
  chartChange: 'changement, {day}',
  chartDenser: 'Dès le {day}, {count, plural, one {# relevé} other {# relevés}} par jour',
  chartDay:
    '{known, select, yes {un jour, avec l’intervalle de confiance à 95\u00a0%{wider, select, yes { (minimum)} other {}}} other {un jour\u00a0; intervalle de confiance inconnu}}',
  chartUsual:
    '{since, select, change {avant le changement} other {moyenne}}\u00a0: {mean}{ranged, select, yes {, d’ordinaire {range}} other {}}',

  altAbout: '{title}, pourcentage par jour, du {from} au {to}.',
  altEmpty: 'Il n’y a aucun relevé.',
  altUsual:
    '{since, select, change {Avant le changement} other {Moyenne}}\u00a0: {mean}{ranged, select, yes {, d’ordinaire {range}} other {}}.',
  altNothingSince: 'Changement marqué le {day}\u00a0; aucun relevé depuis.',
  altSince:
    'Changement marqué le {day}\u00a0; depuis, {mean} sur {days, plural, one {# jour} other {# jours}}.',
  altLast:
    'Dernier relevé\u00a0: {rate} le {day}{known, select, yes { (intervalle de confiance à 95\u00a0%\u00a0: {range}{wider, select, yes {, plus large en réalité} other {}})} other {\u00a0; son intervalle de confiance est inconnu}}.',
  altExtremes: 'Minimum {lowest} ({lowestDay}), maximum {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# jour} other {# jours}} sans relevé.',
}
