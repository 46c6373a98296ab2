import { fr as answers } from './answers/fr.ts'
import { fr as charts } from './charts/fr.ts'
import type { Catalogue } from './said.ts'

export const fr: Catalogue = {
  ...answers,
  ...charts,

  modelNotNamed: 'un modèle non précisé',
  modelUnknown: 'le modèle {name}',
  prompts:
    '{category, select, political {requêtes politiques} safety {requêtes touchant à la sécurité} social {requêtes sur des sujets de société} overall {requêtes, toutes catégories confondues} none {requêtes d’une catégorie non précisée} other {requêtes de la catégorie «\u00a0{name}\u00a0»}}',
  category:
    '{category, select, political {politique} safety {sécurité} social {société} overall {ensemble} none {illisible} other {{name}}}',
  typeName:
    '{type, select, policy_change {Changement de règles} censorship_spike {Bond du taux de refus} other {Événement inconnu}}',
  typeInSentence:
    '{type, select, policy_change {changement de règles} censorship_spike {bond du taux de refus} other {événement inconnu}}',
  row: '{field} ({problem})',

  points: '{size} {count, plural, one {point de pourcentage} other {points de pourcentage}}',
  lessThan: 'moins de {size}',
  tinyChange:
    'une {way, select, rise {hausse} other {baisse}} de moins de {size} {count, plural, one {point de pourcentage} other {points de pourcentage}}',

  refusesLevels:
    '{lead, select, policy {Après un changement de règles, {subject} refuse} other {{subject} refuse désormais}} {way, select, rise {davantage} other {moins}} de {prompts}\u00a0: {now}\u00a0%, contre {before}\u00a0% auparavant, soit {change} {count, plural, one {point de pourcentage} other {points de pourcentage}} de {way, select, rise {plus} other {moins}}{beside, select, seen { (déjà constaté\u00a0: {was})} reported { (déjà signalé\u00a0: {was})} other {}}.',
  refusesPoints:
    '{lead, select, policy {Après un changement de règles, {subject} refuse} other {{subject} refuse}} {way, select, rise {davantage} other {moins}} de {prompts}\u00a0: {points} de {way, select, rise {plus} other {moins}}{beside, select, seen { (déjà constaté\u00a0: {was})} reported { (déjà signalé\u00a0: {was})} not {, et non {was}} rise {, et non {was} de plus} fall {, et non {was} de moins} same {, et non un niveau inchangé} other {}}.',
  refusesSame:
    '{lead, select, policy {Après un changement de règles, {subject} refuse} other {{subject} refuse}} autant de {prompts} qu’auparavant{beside, select, seen { (déjà constaté\u00a0: {was})} reported { (déjà signalé\u00a0: {was})} rise {, et non {was} de plus} fall {, et non {was} de moins} other {}}.',
  otherVersion: '{subject} fonctionne dans une autre version.',
  withoutSize:
    '{type, select, policy_change {Un changement de règles} censorship_spike {Un bond du taux de refus} other {Un événement inconnu}}{named, select, yes { concernant les {prompts}} other {}} est signalé pour {subject}\u00a0; son ampleur est illisible.',
  withdrawnHeadline: 'Retiré\u00a0: {headline}',
  correctedHeadline: 'Corrigé depuis\u00a0: {headline}',
  correctionHeadline: 'Rectificatif\u00a0: {headline}',
  testHeadline: 'TEST, et non une alerte\u00a0: {headline}',

  roseAgain: 'Nouvelle hausse',
  fellAgain: 'Nouvelle baisse',
  seenInFigures: 'Constaté dans les chiffres publiés',

  reported:
    'Le service {service} signale {type, select, policy_change {un changement de règles\u00a0: la politique déclarée du modèle, ou les règles qu’il suit visiblement, ont changé} other {un bond du taux de refus, qu’il appelle «\u00a0pic de censure\u00a0»\u00a0: ce taux a fortement augmenté par rapport à son niveau de référence}}.',
  reportedOtherType:
    'Le service {service} a envoyé un événement de type «\u00a0{type}\u00a0», que sa documentation ne décrit pas.',
  reportedWithoutType: 'Le service {service} a envoyé un événement dont le type est illisible.',
  found:
    'Bluepencil a trouvé {type, select, policy_change {un changement durable, ou une nouvelle version,} censorship_spike {un saut que le hasard n’explique pas} other {un changement}} dans les chiffres que publie le service {service}.{alone, select, yes { Le service lui-même ne l’a pas signalé.} other {}}',
  foundWithdrawn:
    'Bluepencil retire ce qu’il avait trouvé dans les chiffres que publie le service {service}\u00a0: les relevés suivants ne le confirment pas.',
  alsoSeen: 'Également constaté en relevant les chiffres publiés.',
  alsoSeenAs: 'Également constaté en relevant les chiffres publiés\u00a0: {what}.',
  theChange: 'le changement',
  alsoReported: 'Également signalé par le service {service} ({id})\u00a0: {size}.',
  sizeNotReadable: 'ampleur illisible',
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
  publishedFigures: 'Chiffres publiés',
  version: 'Version',
  before: 'Avant',
  now: 'Maintenant',
  formerly: 'Alors',
  howSure: 'Degré de certitude',
  methodology: 'Méthodologie',
  notReadable: 'illisible',
  noneSeen: 'aucune constatée',

  versionBecame: '{from} est devenue {to}',
  levelBefore:
    '{of, select, yes {{category}\u00a0: } other {}}{rate}\u00a0%{counted, select, yes { de {prompts} requêtes} other {}} en {readings, plural, one {# relevé} other {# relevés}} avant le {day}{drifting, select, yes {, avec une dérive de {drift} {count, plural, one {point de pourcentage} other {points de pourcentage}}} other {}}',
  levelNow:
    '{of, select, yes {{category}\u00a0: } other {}}{rate}\u00a0%{counted, select, yes { de {prompts} requêtes} other {}} ({readings, plural, =1 {un seul relevé, {day}} one {# relevé depuis le {day}} other {# relevés depuis le {day}}})',
  sureness:
    '{size} {count, plural, one {point de pourcentage} other {points de pourcentage}} (95\u00a0%\u00a0: de {from} à {to})\u00a0; {errors} erreurs types, bruit {noise}\u00a0× binomial{more, select, yes { et une erreur supplémentaire de {besides}, en points de pourcentage} other {}}',
  otherSize:
    'Le service {service} signale {reported}\u00a0; les chiffres qu’il publie montrent {shown}{of, select, yes { (catégorie\u00a0: {category})} other {}}.',
  figuresShow:
    '{rate}\u00a0%{counted, select, yes { de {prompts}} other {}}{compared, select, yes {, contre {baseline}\u00a0% sur {days, plural, one {# jour} other {# jours}}} other {}}{judged, select, yes {\u00a0; {errors} erreurs types} other {}}',
  versionShown: 'la version {from} est devenue {to}',
  figuresWithoutLevels: 'Ils montrent ce changement, mais pas le niveau avant et après.',
  figuresNotShown: 'Les chiffres publiés ne montrent pas le niveau avant et après.',
  figuresNotRead: 'Bluepencil ne relève pas les chiffres publiés.',

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
}
