import { es as answers } from './answers/es.ts'
import type { Catalogue } from './phrases.ts'

export const es: Catalogue = {
  ...answers,

  modelNotNamed: 'un modelo no indicado',
  modelUnknown: '«{name}»',
  prompts:
    '{category, select, political {peticiones sobre política} safety {peticiones sobre seguridad} social {peticiones sobre temas sociales} overall {peticiones de todas las categorías} none {peticiones de una categoría no indicada} other {peticiones de la categoría «{name}»}}',
  category:
    '{category, select, political {política} safety {seguridad} social {sociedad} overall {todas} none {ilegible} other {{name}}}',
  typeName:
    '{type, select, policy_change {Cambio de directrices} censorship_spike {Salto de la tasa de rechazo} version_change {Nueva versión} other {Evento desconocido}}',
  typeInSentence:
    '{type, select, policy_change {cambio de directrices} censorship_spike {salto de la tasa de rechazo} other {evento desconocido}}',
  row: '{field} ({problem})',

  points: '{size} {count, plural, one {punto porcentual} other {puntos porcentuales}}',
  shortPoints: '{size} {count, plural, one {punto} other {puntos}}',
  lessThan: 'menos de {size}',
  tinyChange:
    '{way, select, rise {una subida} other {una bajada}} de menos de {size} {count, plural, one {punto porcentual} other {puntos porcentuales}}',

  refusesLevels:
    '{lead, select, policy {Cambio de directrices: } other {}}{subject} rechazó el {now}\u00a0% de las {prompts}, frente al {before}\u00a0% anterior{beside, select, further { (tras una primera {way, select, rise {subida} other {bajada}} de {was} {was, select, 1 {punto} other {puntos}})} other {}}.',
  refusesPoints:
    '{lead, select, policy {Cambio de directrices: } other {}}la tasa de rechazo de {subject} en {prompts} {way, select, rise {subió} other {bajó}} {points}{beside, select, further { (tras una primera {way, select, rise {subida} other {bajada}} de {was})} not {, y no {was}} rise {; comunicada primero como subida de {was}} fall {; comunicada primero como bajada de {was}} same {; comunicada primero como sin cambios} other {}}.',
  refusesSame:
    '{lead, select, policy {Cambio de directrices: } other {}}la tasa de rechazo de {subject} en {prompts} no ha cambiado{beside, select, rise {; comunicada primero como subida de {was}} fall {; comunicada primero como bajada de {was}} other {}}.',
  versionChanged: '{subject} ha cambiado de versión: {from} → {to}.',
  withoutSize:
    'Se ha comunicado {type, select, policy_change {un cambio de directrices} censorship_spike {un salto de la tasa de rechazo} other {un evento desconocido}} de {subject}{named, select, yes { en {prompts}} other {}}, pero no se pudo leer su magnitud.',
  withdrawnHeadline: 'RETIRADO: {headline}',
  correctedHeadline: 'CORREGIDO: {headline}',
  correctionHeadline: 'Corrección: {headline}',
  testHeadline: 'PRUEBA, no una alerta real: {headline}',

  roseAgain: 'Nueva subida',
  fellAgain: 'Nueva bajada',
  foundInFigures: 'Observado en las cifras publicadas',

  reported:
    'El servicio {service} comunica {type, select, policy_change {un cambio de directrices} other {un salto de la tasa de rechazo («censorship spike»)}}.',
  reportedOtherType: 'El servicio {service} ha enviado un evento de un tipo no documentado: «{type}».',
  reportedWithoutType: 'El servicio {service} ha enviado un evento cuyo tipo es ilegible.',
  changeFound:
    'Bluepencil ha observado este cambio en las cifras que publica el servicio {service}.{alone, select, yes { El propio servicio no lo ha comunicado.} other {}}',
  findingWithdrawn:
    'Bluepencil retira una alerta anterior. Las cifras posteriores del servicio {service} no la confirman.',
  alsoFound: 'También observado en las cifras publicadas.',
  alsoReported: 'También comunicado por el servicio {service} ({id}).',
  withdrawn: 'Retirado el {at}: las mediciones posteriores no muestran este cambio.',
  corrected: 'Corregido el {at}; ahora se comunica: {what} ({id}).',
  confirmed: 'Confirmado el {at} por las mediciones posteriores{sized, select, yes {: {size}} other {}}.',
  changeNotReadable: 'un cambio de magnitud ilegible',
  earlierFinding:
    'La alerta anterior indicaba {was}, a partir de una sola medición ({id}{dated, select, yes {, cambio detectado el {at}} other {}}).',
  earlierReport:
    'Esto corrige un aviso anterior del servicio {service} ({id}{dated, select, yes {, cambio detectado el {at}} other {}}): {was}. El servicio {redated, select, yes {indica ahora como fecha de detección el {since}} other {comunica ahora {now}}}.',
  stepBefore:
    'La tasa ha vuelto a {way, select, rise {subir} other {bajar}}: ahora {now}. Antes, {by, select, figures {las cifras publicadas mostraban} other {el servicio {service} había comunicado}} {was} ({id}{dated, select, yes {, cambio detectado el {at}} other {}}).',
  sourceBoth: 'Comunicado por el servicio {service} y observado en las cifras que publica',
  sourceFigures: 'Observado por Bluepencil en las cifras que publica el servicio {service}',
  sourceReported: 'Comunicado por el servicio {service}',

  model: 'Modelo',
  ofCategory: 'Categoría',
  change: 'Variación de la tasa de rechazo',
  reportedChange: 'Variación comunicada',
  foundBefore: 'Observado antes',
  reportedBefore: 'Comunicado antes',
  detected: 'Detectado',
  foundAt: 'Observado por Bluepencil',
  received: 'Recibido',
  version: 'Versión',
  before: 'Antes',
  now: 'Ahora',
  atTheTime: 'En ese momento',
  sureness: 'Fiabilidad',
  methodology: 'Metodología',
  notReadable: 'ilegible',

  versionBecame: 'de {from} a {to}',
  levelBefore:
    '{rate}\u00a0%{counted, select, yes { de {prompts} peticiones} other {}} en {readings, plural, one {# medición} other {# mediciones}} antes del {day}{drifting, select, yes {, más un cambio gradual de {drift} {count, plural, one {punto porcentual} other {puntos porcentuales}}} other {}}',
  levelNow:
    '{rate}\u00a0%{counted, select, yes { de {prompts} peticiones} other {}} ({readings, plural, one {una medición, {day}} other {# mediciones desde el {day}}})',
  howSure:
    '{chance, select, very {Muy improbable que sea casualidad} unlikely {Improbable que sea casualidad} other {Puede ser casualidad}}{size, select, open {, pero su magnitud queda abierta} other {}} (intervalo del 95\u00a0%: de {from} a {to} puntos)',
  otherSize:
    'El servicio {service} comunica {reported}; las cifras que publica muestran {shown}, del {before}\u00a0% al {now}\u00a0%.',

  notVisibleYet: 'Todavía no se ve en las cifras publicadas.',
  provisional: 'Provisional: se basa en una sola medición.',
  gradualSince: 'Cambio gradual desde el {day}, no repentino.',
  otherModelsChanged:
    '{moved} de otros {others} modelos variaron de forma similar (mediana: {points} {count, plural, one {punto porcentual} other {puntos porcentuales}}). Esto apunta a un cambio en la medición más que en el modelo.',
  unrecognised:
    'Este evento no se ajusta a la documentación del servicio {service}: {rows}. Compruébelo antes de publicar.',
  asReceived: 'Tal como se recibió: {body}',
  possibleDuplicate:
    'Posible duplicado: un intento anterior de enviar este mensaje aquí quedó sin respuesta.',

  isBack: 'Bluepencil está de vuelta',
  couldNotBeSent:
    '{count, plural, one {# mensaje no se ha podido enviar} other {# mensajes no se han podido enviar}} aquí desde el {from}.',
  wereMissed:
    '{count, plural, one {# cambio no detectado desde el {from} se ha observado} other {# cambios no detectados desde el {from} se han observado}} ahora en las cifras publicadas.',
  followNow:
    'Se envían ahora, del más antiguo al más reciente. Cada mensaje dice cuándo se detectó el cambio.',
  fromBluepencil: 'Del propio Bluepencil',

  digest: 'Resumen',
  afterSilence: 'Fin del silencio',
  digestHeadline: '{count, plural, one {# alerta} other {# alertas}} del {from} al {until}.',
  silenceHeadline:
    '{count, plural, one {# alerta retenida} other {# alertas retenidas}} del {from} al {until}. Silenciado por {by}: {scope}; motivo: {why}.',
  digestItem:
    '• {headline} ({at}{found, select, yes {, observado en las cifras publicadas} other {}}){incomplete, select, yes { No se ajusta a la documentación: compruébelo antes de publicar.} other {}}',
  moreAlerts:
    'Y {count, plural, one {# alerta más} other {# alertas más}}. Para verlas todas: bluepencil explain {id}',
  storyKicker: '{count, plural, one {# alerta} other {# alertas}} en una',
  storyGrew: '{count, plural, one {# alerta añadida} other {# alertas añadidas}} arriba',
  numberOf:
    '{count, plural, =1 {{what, select, model {uno} other {una}}} =2 {dos} =3 {tres} =4 {cuatro} =5 {cinco} =6 {seis} =7 {siete} =8 {ocho} =9 {nueve} =10 {diez} =11 {once} =12 {doce} other {#}}',
  storyOfModels:
    '{way, select, rise {{number} modelos rechazan más {prompts}.} fall {{number} modelos rechazan menos {prompts}.} other {La tasa de rechazo de {prompts} ha cambiado en {number} modelos: sube en {more}, baja en {fewer}.}}',
  storyOfCategories:
    'La tasa de rechazo de {subject} {way, select, rise {subió en {number} categorías} fall {bajó en {number} categorías} other {ha cambiado en {number} categorías: sube en {more}, baja en {fewer}}}.',
  storyOfModel: '{number} alertas sobre {subject}{of, select, yes { en {prompts}} other {}}.',
  storyOfCategory: '{number} alertas acerca de {prompts}.',
  acknowledged: 'Atendida por {by} el {at}.',
  silenced: 'Silenciado por {by} hasta el {until}: {scope}; motivo: {why}',
  silenceEnded: 'Silencio levantado por {by} el {at}.',
  desk: '{state, select, checking {{by} la está comprobando desde el {at}.} published {Publicado por {by} el {at}: {story}} other {{by} volvió a marcarla como nueva el {at}; nadie la está comprobando.}}',
  publishedBefore:
    'Esto {is, select, withdrawal {retira} other {corrige}} un aviso en el que se basa el artículo que {by} publicó el {at}: {story}',
  toStory: 'Artículo publicado',
  escalated:
    'Reenviada desde «{from}» el {at}: {is, select, unsent {no se había podido enviar allí} other {nadie la había atendido}} desde el {since}.',
  allModels: 'todos los modelos',
  scope: '{model}{of, select, yes {, {prompts}} other {}}{placed, select, yes { (canal {channel})} other {}}',

  test: 'Prueba',
  isTest: 'Esto es una prueba de Bluepencil. Una alerta real se ve así.',
  example: '{value} (ejemplo)',
  noSuchChange: 'Cifras ficticias: no se ha comunicado ni observado ningún cambio así.',
  testSource: 'Enviado por {by} con «{command}» el {at}',

  labelled: '{label}: {value}',
  heading: '{label}:',
  alert: 'Alerta',
  link: 'Enlace',
  toAcknowledge: 'Atender',
  toSilence: 'Silenciar…',
  toHistory: 'Historial',
  toOpen: '{of, select, digest {Abrir el resumen} other {Abrir la alerta}}',
  readMore: 'Más información',
  noteToEditors: 'Nota para la redacción',
  addressTooLong: '{label} (la dirección es demasiado larga para {place})',
  moreFacts: '{count, plural, one {# dato más} other {# datos más}}',
  whyThisMail: 'Recibe este correo porque su dirección figura en el canal {channel} de Bluepencil.',
  howToStop: 'Para no recibir más estos correos, o para cambiar lo que recibe, escriba a {contact}.',
  howToChange: 'Para cambiar lo que recibe, escriba a {contact}. Para no recibir más estos correos:',
  unsubscribe: 'Darse de baja',

  previewFrom: 'De',
  previewTo: 'Para',
  previewSubject: 'Asunto',
  previewIn:
    '{channel}, tal como se lee en {place, select, slack {Slack} discord {Discord} other {un programa de correo}}',
  previewEdited: '{heading}, editado',

  problemOwnId: '«{id}» tiene la forma de los identificadores de Bluepencil; guardado con otro identificador',
  problemOther: 'no conforme a la documentación',
  'problem.missing': 'falta',
  'problem.notText': 'no es un texto',
  'problem.empty': 'vacío',
  'problem.unseen': 'sin ningún carácter visible',
  'problem.unfitId': 'más de 200 caracteres, o con espacios o caracteres no imprimibles',
  'problem.otherId': 'no empieza por evt_',
  'problem.hashForId': 'sustituido por el hash del contenido',
  'problem.otherType': 'ni policy_change ni censorship_spike',
  'problem.otherModel': 'distinto de chatgpt, claude, gemini, mistral, qwen',
  'problem.cutName': 'más de 200 caracteres, recortado',
  'problem.noChange': 'no es un cambio de la forma +12pp',
  'problem.noSign': 'sin signo; leído como subida',
  'problem.noDate': 'no es una fecha',
  'problem.noZone': 'sin zona horaria; leído como UTC',
  'problem.longUrl': 'más de 2048 caracteres',
  'problem.noUrl': 'no es una dirección',
  'problem.notWeb': 'no es una dirección http o https',
  'problem.urlWithPassword': 'una dirección con usuario o contraseña',
  'problem.notUtf8': 'no es UTF-8 válido',
  'problem.notJson': 'no es JSON',
  'problem.notObject': 'no es un objeto JSON',
  'problem.tooEarly': 'anterior al año 2000',
  'problem.tooLate': 'más de un día después de su recepción',

  percent: '{rate}\u00a0%',
  chart: 'Gráfico',
  lastDays: '{days, plural, one {El último día} other {Los últimos # días}}',
  chartTitle:
    '{category, select, overall {{model}: peticiones rechazadas} none {{model}: peticiones rechazadas} other {{model}: peticiones rechazadas ({name})}}',
  chartSpan: 'Porcentaje por día, {from} – {to}',
  chartEmpty: 'ninguna medición',
  chartChange: 'cambio, {day}',
  chartDenser: 'Desde el {day}, {count, plural, one {# medición} other {# mediciones}} al día',
  chartDay:
    '{known, select, yes {un día, con su intervalo de confianza del 95\u00a0%{wider, select, yes { (o más ancho)} other {}}} other {un día; intervalo de confianza desconocido}}',
  chartUsual:
    '{since, select, change {antes del cambio} other {media}}: {mean}{ranged, select, yes {, normalmente {range}} other {}}',

  altAbout: '{title}, porcentaje por día, del {from} al {to}.',
  altEmpty: 'No hay ninguna medición.',
  altUsual:
    '{since, select, change {Antes del cambio} other {Media}}: {mean}{ranged, select, yes {, normalmente {range}} other {}}.',
  altNothingSince: 'Cambio marcado el {day}; ninguna medición desde entonces.',
  altSince: 'Cambio marcado el {day}; desde entonces, {mean} en {days, plural, one {# día} other {# días}}.',
  altLast:
    'Última medición: {rate} el {day}{known, select, yes { (intervalo de confianza del 95\u00a0%: {range}{wider, select, yes {, o más ancho} other {}})} other {; intervalo de confianza desconocido}}.',
  altExtremes: 'Mínimo {lowest} ({lowestDay}), máximo {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# día} other {# días}} sin medición.',
}
