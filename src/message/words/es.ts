import { es as answers } from './answers/es.ts'
import type { Catalogue } from './phrases.ts'

export const es: Catalogue = {
  ...answers,

  modelNotNamed: 'modelo no indicado',
  modelUnknown: 'modelo {name}',
  prompts:
    '{category, select, political {peticiones sobre política} safety {peticiones sobre seguridad} social {peticiones sobre temas sociales} overall {peticiones en conjunto} none {peticiones de una categoría no indicada} other {peticiones de la categoría «{name}»}}',
  category:
    '{category, select, political {política} safety {seguridad} social {sociedad} overall {en conjunto} none {ilegible} other {{name}}}',
  typeName:
    '{type, select, policy_change {Cambio de política} censorship_spike {Salto de la tasa de rechazo} version_change {Nueva versión} other {Evento desconocido}}',
  typeInSentence:
    '{type, select, policy_change {cambio de política} censorship_spike {salto de la tasa de rechazo} other {evento desconocido}}',
  row: '{field} ({problem})',

  points: '{size} {count, plural, one {punto porcentual} other {puntos porcentuales}}',
  shortPoints: '{size} {count, plural, one {punto} other {puntos}}',
  lessThan: 'menos de {size}',
  tinyChange:
    '{way, select, rise {una subida} other {una bajada}} de menos de {size} {count, plural, one {punto porcentual} other {puntos porcentuales}}',

  refusesLevels:
    '{lead, select, policy {Cambio de política: } other {}}{subject} rechazó el {now}\u00a0% de las {prompts}, frente al {before}\u00a0% anterior{beside, select, further { (tras una primera {way, select, rise {subida} other {bajada}} de {was})} other {}}.',
  refusesPoints:
    '{lead, select, policy {Cambio de política: } other {}}la tasa de rechazo de {subject} en {prompts} {way, select, rise {subió} other {bajó}} {points}{beside, select, further { (tras una primera {way, select, rise {subida} other {bajada}} de {was})} not {, no {was}} rise {; comunicada primero como subida de {was}} fall {; comunicada primero como bajada de {was}} same {; comunicada primero como sin cambios} other {}}.',
  refusesSame:
    '{lead, select, policy {Cambio de política: } other {}}la tasa de rechazo de {subject} en {prompts} no ha cambiado{beside, select, rise {; comunicada primero como subida de {was}} fall {; comunicada primero como bajada de {was}} other {}}.',
  versionChanged: '{subject} ha cambiado de versión: {from} → {to}.',
  withoutSize:
    'Se comunica {type, select, policy_change {un cambio de política} censorship_spike {un salto de la tasa de rechazo} other {un evento desconocido}}{named, select, yes { en {prompts}} other {}} para {subject}; su magnitud es ilegible.',
  withdrawnHeadline: 'RETIRADO: {headline}',
  correctedHeadline: 'CORREGIDO: {headline}',
  correctionHeadline: 'Corrección: {headline}',
  testHeadline: 'PRUEBA, no una alerta: {headline}',

  roseAgain: 'Nueva subida',
  fellAgain: 'Nueva bajada',
  seenInFigures: 'Observado en las cifras publicadas',

  reported:
    'El servicio {service} comunica {type, select, policy_change {un cambio de política} other {un salto de la tasa de rechazo («censorship spike»)}}.',
  reportedOtherType:
    'El servicio {service} ha enviado un evento del tipo «{type}», que su documentación no describe.',
  reportedWithoutType: 'El servicio {service} ha enviado un evento cuyo tipo es ilegible.',
  found:
    'Bluepencil lo ha encontrado en las cifras que publica el servicio {service}.{alone, select, yes { El propio servicio no lo ha comunicado.} other {}}',
  foundWithdrawn:
    'Bluepencil retira lo que había encontrado en las cifras que publica el servicio {service}: las mediciones posteriores no lo confirman.',
  alsoSeen: 'También observado al consultar las cifras publicadas.',
  alsoReported: 'También comunicado por el servicio {service} ({id}).',
  withdrawn: 'Retirado el {at}: las mediciones posteriores no muestran este cambio.',
  corrected: 'Corregido el {at}; cifra comunicada ahora: {what} ({id}).',
  confirmed: 'Confirmado el {at} por las mediciones posteriores{sized, select, yes {: {size}} other {}}.',
  changeNotReadable: 'un cambio cuya magnitud es ilegible',
  changeWasNotReadable: 'un cambio cuya magnitud era ilegible',
  earlierFound:
    'Encontrado antes: {was}{dated, select, yes {, detectado el {at}} other {}}, a partir de una sola medición ({id}).',
  earlierReport:
    'Esto corrige una comunicación anterior del servicio {service} ({id}): {was}{dated, select, yes {, detectado el {at}} other {}}. Comunicado ahora: {now}.',
  stepBefore:
    'Nueva {way, select, rise {subida} other {bajada}}: ahora {now}. {by, select, figures {Observado antes en las cifras publicadas} other {Comunicado antes por el servicio {service}}}: {was} ({id}){dated, select, yes {, detectado el {at}} other {}}.',
  sourceBoth: 'Comunicado por el servicio {service} y observado en las cifras que publica',
  sourceFound: 'Observado por Bluepencil en las cifras que publica el servicio {service}',
  sourceReported: 'Comunicado por el servicio {service}',

  model: 'Modelo',
  ofCategory: 'Categoría',
  change: 'Variación de la tasa de rechazo',
  reportedChange: 'Variación comunicada',
  seenBefore: 'Observado antes',
  reportedBefore: 'Comunicado antes',
  detected: 'Detectado',
  foundAt: 'Encontrado',
  received: 'Recibido',
  version: 'Versión',
  before: 'Antes',
  now: 'Ahora',
  formerly: 'Entonces',
  sureness: 'Certeza',
  methodology: 'Metodología',
  notReadable: 'ilegible',

  versionBecame: '{from} pasó a ser {to}',
  levelBefore:
    '{rate}\u00a0%{counted, select, yes { de {prompts} peticiones} other {}} en {readings, plural, one {# medición} other {# mediciones}} antes del {day}{drifting, select, yes {, con una deriva de {drift} {count, plural, one {punto porcentual} other {puntos porcentuales}}} other {}}',
  levelNow:
    '{rate}\u00a0%{counted, select, yes { de {prompts} peticiones} other {}} ({readings, plural, one {una medición, {day}} other {# mediciones desde el {day}}})',
  howSure:
    '{chance, select, very {Muy improbable que sea casualidad} unlikely {Improbable que sea casualidad} other {Puede ser casualidad}} (intervalo del 95\u00a0%: de {from} a {to} puntos)',
  otherSize:
    'El servicio {service} comunica {reported}; las cifras que publica muestran {shown}, del {before}\u00a0% al {now}\u00a0%.',

  notVisibleYet: 'Aún no visible en las cifras publicadas.',
  provisional: 'Provisional: lo muestra una sola medición.',
  driftSince: 'No es un salto, sino una deriva desde el {day}.',
  movedAlike:
    '{moved} de otros {others} modelos variaron igual (mediana: {points} {count, plural, one {punto porcentual} other {puntos porcentuales}}): más probablemente un cambio de la medición que de un modelo.',
  unrecognised:
    'No es como el servicio {service} documenta sus eventos: {rows}. Compruébese antes de publicar.',
  asReceived: 'Tal como se recibió: {body}',
  perhapsRepeat:
    'Puede ser una repetición: un intento anterior de enviarlo aquí quedó sin respuesta y pudo haber llegado.',

  isBack: 'Bluepencil está de vuelta',
  couldNotBeSent:
    '{count, plural, one {# mensaje no pudo enviarse} other {# mensajes no pudieron enviarse}} aquí desde el {from}.',
  wereMissed:
    '{count, plural, one {# cambio pasó inadvertido desde el {from} y se ha encontrado} other {# cambios pasaron inadvertidos desde el {from} y se han encontrado}} ahora en las cifras publicadas.',
  followNow:
    'Los mensajes siguen ahora, del más antiguo al más reciente. Cada uno dice cuándo se detectó el cambio.',
  fromBluepencil: 'Del propio Bluepencil',

  digest: 'Resumen',
  silenceOver: 'Fin del silencio',
  digestHeadline: '{count, plural, one {# alerta} other {# alertas}} del {from} al {until}.',
  silenceHeadline:
    '{count, plural, one {# alerta llegó} other {# alertas llegaron}} del {from} al {until}, mientras {by} tenía en silencio: {scope}; motivo: {why}.',
  digestItem: '• {headline} ({at})',
  moreAlerts:
    'Y {count, plural, one {# alerta más} other {# alertas más}}; «bluepencil explain {id}» las nombra todas.',
  storyKicker: '{count, plural, one {# alerta} other {# alertas}} en una',
  storyGrew: '{count, plural, one {# alerta más} other {# alertas más}} arriba',
  numberOf:
    '{count, plural, =1 {{what, select, model {uno} other {una}}} =2 {dos} =3 {tres} =4 {cuatro} =5 {cinco} =6 {seis} =7 {siete} =8 {ocho} =9 {nueve} =10 {diez} =11 {once} =12 {doce} other {#}}',
  storyOfModels:
    '{way, select, rise {{number} modelos rechazan más {prompts}.} fall {{number} modelos rechazan menos {prompts}.} other {{number} modelos rechazan un número distinto de {prompts} que antes: {more} más, {fewer} menos.}}',
  storyOfCategories:
    '{subject} {way, select, rise {rechaza más peticiones en {number} categorías.} fall {rechaza menos peticiones en {number} categorías.} other {rechaza un número distinto de peticiones que antes en {number} categorías: más en {more}, menos en {fewer}.}}',
  storyOfModel: '{number} alertas acerca de {subject}{of, select, yes { y de {prompts}} other {}}.',
  storyOfCategory: '{number} alertas acerca de {prompts}.',
  acknowledged: 'Atendido por {by} el {at}.',
  silenced: 'Puesto en silencio por {by} hasta el {until}: {scope}; motivo: {why}',
  silenceEnded: 'Silencio levantado por {by} el {at}.',
  desk: '{state, select, checking {{by} lo está comprobando desde el {at}.} published {Publicado por {by} el {at}: {story}} other {{by} lo devolvió a nuevo el {at}; nadie lo está comprobando.}}',
  publishedBefore:
    'Esto {is, select, withdrawal {retira} other {corrige}} un aviso sobre el que {by} publicó un artículo el {at}: {story}',
  toStory: 'Artículo publicado',
  escalated:
    'Reenviado desde «{from}» el {at}: {is, select, unsent {no se pudo enviar allí} other {nadie lo había atendido}} desde el {since}.',
  allModels: 'todos los modelos',
  scope: '{model}{of, select, yes {, {prompts}} other {}}{placed, select, yes { (canal {channel})} other {}}',

  test: 'Prueba',
  isTest: 'Esto es una prueba de Bluepencil. Una alerta se leería así.',
  example: '{value} (un ejemplo)',
  nothingReported: 'No se comunicó ni se encontró nada semejante.',
  testSource: 'Enviado por {by} con «{command}» el {at}',

  labelled: '{label}: {value}',
  heading: '{label}:',
  alert: 'Alerta',
  link: 'Enlace',
  toAcknowledge: 'Atender',
  toSilence: 'Poner en silencio…',
  toHistory: 'Historial',
  toOpen: '{of, select, digest {Abrir el resumen} other {Abrir la alerta}}',
  readMore: 'Más información',
  noteToEditors: 'Nota para la redacción',
  addressTooLong: '{label} (su dirección es demasiado larga para {place})',
  moreFacts: '{count, plural, one {# dato más} other {# datos más}}',
  whyThisMail: 'Recibe este correo porque su dirección figura en el canal {channel} de Bluepencil.',
  howToStop: 'Para no recibirlo más, o para cambiar lo que recibe, escriba a {contact}.',
  howToChange: 'Para cambiar lo que recibe, escriba a {contact}. Para no recibirlo más:',
  unsubscribe: 'Darse de baja',

  previewFrom: 'De',
  previewTo: 'Para',
  previewSubject: 'Asunto',
  previewIn:
    '{channel}, tal como se lee en {place, select, slack {Slack} discord {Discord} other {un programa de correo}}',
  previewEdited: '{heading}, editado',

  problemOwnId: '«{id}» tiene la forma de los identificadores de Bluepencil; guardado con otro',
  problemOther: 'no conforme a la documentación',
  'problem.missing': 'falta',
  'problem.notText': 'no es un texto',
  'problem.empty': 'vacío',
  'problem.unseen': 'sin ningún carácter visible',
  'problem.unfitId': 'más de 200 caracteres, o con espacios o caracteres no imprimibles',
  'problem.otherId': 'no empieza por evt_',
  'problem.hashForId': 'en su lugar está el hash del contenido',
  'problem.otherType': 'ni policy_change ni censorship_spike',
  'problem.otherModel': 'ninguno de chatgpt, claude, gemini, mistral, qwen',
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
    '{known, select, yes {un día, con su intervalo del 95\u00a0%{wider, select, yes { (mayor en realidad)} other {}}} other {un día; intervalo de confianza desconocido}}',
  chartUsual:
    '{since, select, change {antes del cambio} other {media}}: {mean}{ranged, select, yes {, normalmente {range}} other {}}',

  altAbout: '{title}, porcentaje por día, del {from} al {to}.',
  altEmpty: 'No hay ninguna medición.',
  altUsual:
    '{since, select, change {Antes del cambio} other {Media}}: {mean}{ranged, select, yes {, normalmente {range}} other {}}.',
  altNothingSince: 'Cambio marcado el {day}; ninguna medición desde entonces.',
  altSince: 'Cambio marcado el {day}; desde entonces, {mean} en {days, plural, one {# día} other {# días}}.',
  altLast:
    'Última medición: {rate} el {day}{known, select, yes { (intervalo de confianza del 95\u00a0%: {range}{wider, select, yes {, más amplio en realidad} other {}})} other {; se desconoce su intervalo de confianza}}.',
  altExtremes: 'Mínimo {lowest} ({lowestDay}), máximo {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# día} other {# días}} sin medición.',
}
