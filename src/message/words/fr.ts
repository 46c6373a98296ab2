import { fr as answers } from './answers/fr.ts'
import type { Catalogue } from './phrases.ts'

export const fr: Catalogue = {
  ...answers,

  modelNotNamed: 'un modèle non précisé',
  modelUnknown: 'le modèle {name}',
  prompts:
    '{category, select, political {requêtes politiques} safety {requêtes touchant à la sécurité} social {requêtes sur des sujets de société} overall {requêtes de toutes catégories} none {requêtes d’une catégorie non précisée} other {requêtes de la catégorie «\u00a0{name}\u00a0»}}',
  category:
    '{category, select, political {politique} safety {sécurité} social {société} overall {toutes catégories} none {illisible} other {{name}}}',
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
    '{lead, select, policy {Changement de règles\u00a0: } other {}}le taux de refus des {prompts} par {subject} a {way, select, rise {augmenté} other {baissé}} de {points}{beside, select, further { (après une première {way, select, rise {hausse} other {baisse}} de {was})} not {, et non de {was}} rise {\u00a0; d’abord signalé en hausse de {was}} fall {\u00a0; d’abord signalé en baisse de {was}} same {\u00a0; d’abord signalé comme inchangé} other {}}.',
  refusesSame:
    '{lead, select, policy {Changement de règles\u00a0: } other {}}le taux de refus des {prompts} par {subject} n’a pas changé{beside, select, rise {\u00a0; d’abord signalé en hausse de {was}} fall {\u00a0; d’abord signalé en baisse de {was}} other {}}.',
  versionChanged: '{subject} a changé de version\u00a0: {from} → {to}.',
  withoutSize:
    '{type, select, policy_change {Un changement de règles} censorship_spike {Un bond du taux de refus} other {Un événement inconnu}} a été signalé pour {subject}{named, select, yes { concernant les {prompts}} other {}}, mais son ampleur n’a pas pu être lue.',
  withdrawnHeadline: 'RETIRÉ\u00a0: {headline}',
  correctedHeadline: 'CORRIGÉ\u00a0: {headline}',
  correctionHeadline: 'Rectificatif\u00a0: {headline}',
  testHeadline: 'TEST, et non une véritable alerte\u00a0: {headline}',

  roseAgain: 'Nouvelle hausse',
  fellAgain: 'Nouvelle baisse',
  foundInFigures: 'Constaté dans les chiffres publiés',

  reported:
    'Le service {service} signale {type, select, policy_change {un changement de règles} other {un bond du taux de refus («\u00a0censorship spike\u00a0»)}}.',
  reportedOtherType:
    'Le service {service} a envoyé un événement d’un type non documenté\u00a0: «\u00a0{type}\u00a0».',
  reportedWithoutType: 'Le service {service} a envoyé un événement dont le type est illisible.',
  changeFound:
    'Bluepencil a constaté ce changement dans les chiffres publiés par le service {service}.{alone, select, yes { Le service lui-même ne l’a pas signalé.} other {}}',
  findingWithdrawn:
    'Bluepencil retire une alerte précédente. Les chiffres plus récents du service {service} ne la confirment pas.',
  alsoFound: 'Également constaté dans les chiffres publiés.',
  alsoReported: 'Également signalé par le service {service} ({id}).',
  withdrawn: 'Retiré le {at}\u00a0: les relevés ultérieurs ne montrent pas ce changement.',
  corrected: 'Corrigé le {at}\u00a0; désormais signalé\u00a0: {what} ({id}).',
  confirmed: 'Confirmé le {at} par les relevés ultérieurs{sized, select, yes {\u00a0: {size}} other {}}.',
  changeNotReadable: 'un changement d’ampleur illisible',
  earlierFinding:
    'L’alerte précédente ({id}{dated, select, yes {, détectée le {at}} other {}}) indiquait {was}, d’après un seul relevé.',
  earlierReport:
    'Ceci rectifie un signalement antérieur du service {service} ({id}{dated, select, yes {, détecté le {at}} other {}})\u00a0: {was}. Le service {redated, select, yes {donne désormais comme date de détection le {since}} other {signale désormais {now}}}.',
  stepBefore:
    'Le taux a de nouveau {way, select, rise {augmenté} other {baissé}}\u00a0: désormais {now}. Auparavant, {by, select, figures {les chiffres publiés montraient} other {le service {service} avait signalé}} {was} ({id}{dated, select, yes {, détecté le {at}} other {}}).',
  sourceBoth: 'Signalé par le service {service} et constaté dans les chiffres qu’il publie',
  sourceFigures: 'Constaté par Bluepencil dans les chiffres publiés par le service {service}',
  sourceReported: 'Signalé par le service {service}',

  model: 'Modèle',
  ofCategory: 'Catégorie',
  change: 'Évolution du taux de refus',
  reportedChange: 'Évolution signalée',
  foundBefore: 'Constaté auparavant',
  reportedBefore: 'Signalé auparavant',
  detected: 'Détecté',
  foundAt: 'Constaté par Bluepencil',
  received: 'Reçu',
  version: 'Version',
  before: 'Avant',
  now: 'Maintenant',
  atTheTime: 'À ce moment-là',
  sureness: 'Degré de certitude',
  methodology: 'Méthodologie',
  notReadable: 'illisible',

  versionBecame: 'passage de {from} à {to}',
  levelBefore:
    '{rate}\u00a0%{counted, select, yes { des {prompts} requêtes} other {}} sur {readings, plural, one {# relevé} other {# relevés}} avant le {day}{drifting, select, yes {, plus une évolution progressive de {drift} {count, plural, one {point de pourcentage} other {points de pourcentage}}} other {}}',
  levelNow:
    '{rate}\u00a0%{counted, select, yes { des {prompts} requêtes} other {}} ({readings, plural, =1 {un seul relevé, {day}} one {# relevé depuis le {day}} other {# relevés depuis le {day}}})',
  howSure:
    '{chance, select, very {Hasard très peu probable} unlikely {Hasard peu probable} other {Hasard possible}}{size, select, open {, mais l’ampleur reste incertaine} other {}} (intervalle à 95\u00a0%\u00a0: de {from} à {to} points)',
  otherSize:
    'Le service {service} signale {reported}\u00a0; les chiffres qu’il publie montrent {shown}, de {before}\u00a0% à {now}\u00a0%.',

  notVisibleYet: 'Pas encore visible dans les chiffres publiés.',
  provisional: 'Provisoire\u00a0: d’après un seul relevé.',
  gradualSince: 'Évolution progressive depuis le {day}, et non soudaine.',
  otherModelsChanged:
    '{moved} autres modèles sur {others} ont évolué de façon similaire (médiane\u00a0: {points} {count, plural, one {point de pourcentage} other {points de pourcentage}}). Cela laisse supposer un changement dans la mesure plutôt que dans ce modèle.',
  unrecognised:
    'Cet événement ne correspond pas à la documentation du service {service}\u00a0: {rows}. À vérifier avant toute publication.',
  asReceived: 'Tel que reçu\u00a0: {body}',
  possibleDuplicate:
    'Doublon possible\u00a0: une tentative précédente d’envoyer ce message ici est restée sans réponse.',

  isBack: 'Bluepencil est de retour',
  couldNotBeSent:
    '{count, plural, one {# message n’a pas pu être envoyé} other {# messages n’ont pas pu être envoyés}} ici depuis le {from}.',
  wereMissed:
    '{count, plural, one {# changement manqué depuis le {from} vient d’être constaté} other {# changements manqués depuis le {from} viennent d’être constatés}} dans les chiffres publiés.',
  followNow:
    'Les messages suivent, du plus ancien au plus récent. Chacun indique quand le changement a été détecté.',
  fromBluepencil: 'Message de Bluepencil',

  digest: 'Récapitulatif',
  afterSilence: 'Fin de la mise en sourdine',
  digestHeadline: '{count, plural, one {# alerte} other {# alertes}} du {from} au {until}.',
  silenceHeadline:
    '{count, plural, one {# alerte retenue} other {# alertes retenues}} du {from} au {until}. Mis en sourdine par {by}\u00a0: {scope}\u00a0; motif\u00a0: {why}.',
  digestItem:
    '• {headline} ({at}{found, select, yes {, constaté dans les chiffres publiés} other {}}){incomplete, select, yes { Non conforme à la documentation\u00a0: à vérifier avant toute publication.} other {}}',
  moreAlerts:
    'Et {count, plural, one {# autre alerte} other {# autres alertes}}. Pour tout afficher\u00a0: bluepencil explain {id}',
  storyKicker: '{count, plural, one {# alerte} other {# alertes regroupées}}',
  storyGrew: '{count, plural, one {# alerte ajoutée} other {# alertes ajoutées}} ci-dessus',
  numberOf:
    '{count, plural, =1 {{what, select, model {un} other {une}}} =2 {deux} =3 {trois} =4 {quatre} =5 {cinq} =6 {six} =7 {sept} =8 {huit} =9 {neuf} =10 {dix} =11 {onze} =12 {douze} other {#}}',
  storyOfModels:
    '{way, select, rise {{number} modèles refusent davantage de {prompts}.} fall {{number} modèles refusent moins de {prompts}.} other {Le taux de refus des {prompts} a changé pour {number} modèles\u00a0: en hausse pour {more}, en baisse pour {fewer}.}}',
  storyOfCategories:
    'Pour {subject}, le taux de refus {way, select, rise {a augmenté dans {number} catégories} fall {a baissé dans {number} catégories} other {a changé dans {number} catégories\u00a0: en hausse dans {more}, en baisse dans {fewer}}}.',
  storyOfModel: '{number} alertes concernant {subject}{of, select, yes { pour les {prompts}} other {}}.',
  storyOfCategory: '{number} alertes concernant les {prompts}.',
  acknowledged: 'Alerte prise en compte par {by} le {at}.',
  silenced: 'Mis en sourdine par {by} jusqu’au {until}\u00a0: {scope}\u00a0; motif\u00a0: {why}',
  silenceEnded: 'Mise en sourdine levée par {by} le {at}.',
  desk: '{state, select, checking {{by} vérifie cette alerte depuis le {at}.} published {Publié par {by} le {at}\u00a0: {story}} other {{by} a remis cette alerte à l’état «\u00a0nouveau\u00a0» le {at}\u00a0; personne ne la vérifie.}}',
  publishedBefore:
    '{is, select, withdrawal {Ceci retire un signalement} other {Ceci rectifie un signalement}} à l’origine de l’article publié par {by} le {at}\u00a0: {story}',
  toStory: 'Article publié',
  escalated:
    'Alerte transmise depuis «\u00a0{from}\u00a0» le {at}\u00a0: {is, select, unsent {l’envoi y échouait} other {personne ne l’avait prise en compte}} depuis le {since}.',
  allModels: 'tous les modèles',
  scope: '{model}{of, select, yes {, {prompts}} other {}}{placed, select, yes { (canal {channel})} other {}}',

  test: 'Test',
  isTest: 'Ceci est un test de Bluepencil. Une véritable alerte se présente ainsi.',
  example: '{value} (exemple)',
  noSuchChange: 'Chiffres fictifs\u00a0: aucun changement de ce type n’a été signalé ni constaté.',
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
  howToStop: 'Pour ne plus recevoir ces courriels ou modifier ce que vous recevez, écrivez à {contact}.',
  howToChange:
    'Pour modifier ce que vous recevez, écrivez à {contact}. Pour ne plus recevoir ces courriels\u00a0:',
  unsubscribe: 'Se désabonner',

  previewFrom: 'De',
  previewTo: 'À',
  previewSubject: 'Objet',
  previewIn:
    '{channel}, tel qu’il se lit dans {place, select, slack {Slack} discord {Discord} other {un logiciel de messagerie}}',
  previewEdited: '{heading}, modifié',

  problemOwnId:
    '«\u00a0{id}\u00a0» a la forme des identifiants de Bluepencil\u00a0; conservé sous un autre identifiant',
  problemOther: 'non conforme à la documentation',
  'problem.missing': 'absent',
  'problem.notText': 'n’est pas un texte',
  'problem.empty': 'vide',
  'problem.unseen': 'sans aucun caractère visible',
  'problem.unfitId': 'plus de 200 caractères, ou avec des espaces ou des caractères non imprimables',
  'problem.otherId': 'ne commence pas par evt_',
  'problem.hashForId': 'remplacé par l’empreinte du contenu',
  'problem.otherType': 'ni policy_change ni censorship_spike',
  'problem.otherModel': 'autre que chatgpt, claude, gemini, mistral, qwen',
  'problem.cutName': 'plus de 200 caractères, tronqué',
  'problem.noChange': 'n’est pas un changement de la forme +12pp',
  'problem.noSign': 'sans signe\u00a0; lu comme une hausse',
  'problem.noDate': 'n’est pas une date',
  'problem.noZone': 'sans fuseau horaire\u00a0; lu comme UTC',
  'problem.longUrl': 'plus de 2\u00a0048 caractères',
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
    '{known, select, yes {un jour, avec intervalle de confiance à 95\u00a0%{wider, select, yes { (ou plus large)} other {}}} other {un jour\u00a0; intervalle de confiance inconnu}}',
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
    'Dernière valeur\u00a0: {rate} le {day}{known, select, yes { (intervalle de confiance à 95\u00a0%\u00a0: {range}{wider, select, yes {, ou plus large} other {}})} other {\u00a0; intervalle de confiance inconnu}}.',
  altExtremes: 'Minimum {lowest} ({lowestDay}), maximum {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# jour} other {# jours}} sans relevé.',
}
