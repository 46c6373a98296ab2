import type { en } from './en.ts'

export const es: Record<keyof typeof en, string> = {
  takesLonger: 'Esto tarda un poco más; la respuesta llegará después.',
  notStored: 'No se ha podido guardar, así que no se ha hecho nada. Inténtelo de nuevo dentro de un minuto.',
  wentWrong: 'Se ha producido un error y no se ha hecho nada. El registro ofrece más detalles.',
  mayNot:
    'Aquí no puede {doing, select, acknowledge {atender alertas} send {enviar ahora las alertas retenidas} other {silenciar alertas}}; no se ha hecho nada. El administrador de Bluepencil puede añadir su identificador en {key}.',
  alertGone: 'Esta alerta ya no está guardada; no se ha hecho nada.',
  noModelNamed: 'La alerta no nombra ningún modelo.',

  youAcknowledged: 'Alerta atendida. Los mensajes sobre ella ya lo indican, siempre que se puedan editar.',
  hadAcknowledged: 'Usted ya había atendido esta alerta.',
  deskDone:
    '{state, select, checking {Anotado: usted la está comprobando.} published {Anotada como publicada: {story}} other {Anotado: vuelve a ser nueva.}}',
  deskBefore:
    '{was, select, checking {{by} la estaba comprobando desde el {at}.} other {{by} había publicado un artículo sobre ella el {at}: {story}}}',
  deskOutrun: 'No se ha hecho nada: {by} se le ha adelantado. Vuelva a mirar la alerta.',
  badStoryAddress:
    'Escriba la dirección completa del artículo, con https:// o http:// y sin contraseña. No se ha hecho nada.',

  nothingToSilence: 'La alerta no nombra ningún modelo, de modo que no se puede silenciar.',
  silenceWhat: '¿Silenciar: {scope}?',
  silenceBegun:
    'Se retienen hasta el {until} las alertas sobre lo siguiente: {scope}. Después, un mensaje dirá qué ha llegado.',
  silenceTooLong:
    'Un silencio debe terminar en el futuro, dentro de 30 días como máximo; no se ha hecho nada.',
  noSuchCategory:
    'Ninguna alerta ha tenido la categoría {category}; las conocidas son {categories}. No se ha hecho nada.',
  timeNotRead:
    'No se entiende el plazo; escriba 1h, 2 days, friday, tomorrow o una fecha como 2026-12-01T09:00.',
  noReason: 'no indicado',

  forOneHour: '1 hora',
  untilTomorrow: 'Hasta mañana a las 9:00',
  forOneWeek: '1 semana',
  formTitle: 'Silenciar alertas',
  formScope: 'Alertas en todos los canales: {scope}.',
  formDuration: 'Cuánto tiempo',
  formWhy: 'Motivo',
  formSend: 'Silenciar',
  formCancel: 'Cancelar',
  formClose: 'Cerrar',
  noForm: 'Slack no ha abierto el formulario y no se ha hecho nada. Inténtelo de nuevo o escriba {written}.',
  formTooLate:
    'El formulario llegó demasiado tarde para abrirse y no se ha hecho nada. Pulse de nuevo el botón o escriba {written}.',

  commands: 'Alertas, cifras y silencios',
  commandsAre: 'Puede escribir:',
  noSuchCommand: 'Esa orden no existe. Puede escribir:',
  writeThus: 'Escriba {written}; los modelos son {models}.',
  'usage.history': 'MODELO [CATEGORÍA] [PERIODO]',
  'usage.compare': 'MODELO MODELO',
  'usage.silence': 'MODELO [CATEGORÍA] DURACIÓN [MOTIVO]',
  'usage.checking': 'ID_EVENTO',
  'usage.published': 'ID_EVENTO DIRECCIÓN',
  'usage.reopen': 'ID_EVENTO',
  'usage.why': 'ID_EVENTO',
  'usage.send-held': 'CANAL',
  'does.status': 'qué funciona y qué falla',
  'does.latest': 'las últimas alertas',
  'does.history': 'lo que rechazó un modelo en 7d, 30d, 90d o 1y',
  'does.compare': 'comparación de dos modelos',
  'does.silence': 'retener las alertas durante 1h, 2d, 1w o hasta mañana (tomorrow)',
  'does.silences': 'los silencios activos',
  'does.checking': 'indicar que usted comprueba una alerta',
  'does.published': 'anotar el artículo publicado sobre una alerta',
  'does.reopen': 'volver a marcar una alerta como nueva',
  'does.send-held': 'enviar ahora lo que está retenido para un canal',
  'does.channels': 'adónde van las alertas',
  'does.why': 'qué pasó con una alerta en cada canal, y por qué',
  'does.test': 'enviar una prueba a este canal',
  'does.help': 'esta lista',
  optionModel: 'Qué modelo',
  optionChannel: 'Qué canal',
  optionOther: 'Con cuál se compara',
  optionCategory: 'Qué peticiones; por defecto, todas',
  optionPeriod: 'Desde cuándo; por defecto, 30d',
  optionEvent: 'El identificador de una alerta, como lo muestra latest',
  optionStory: 'La dirección del artículo publicado',
  tomorrow: 'hasta mañana',

  newestAlerts: 'Las últimas alertas:',
  noAlertStored: 'No hay ninguna alerta guardada.',
  alertNotFound:
    'No hay ninguna alerta guardada con este identificador. /bluepencil latest muestra las más recientes con sus identificadores.',
  silencesInForce: 'Silencios activos:',
  noSilenceInForce: 'No hay ningún silencio activo.',
  silenceInForce: '{scope}, hasta el {until}: {by}, motivo: {why}',
  alertsGoTo: 'Las alertas van a:',
  heldSent:
    '{count, plural, one {# alerta retenida se envía} other {# alertas retenidas se envían}} ahora a {channel}.',
  nothingHeld: 'No hay nada retenido para {channel}.',
  noSuchChannel: 'Ningún canal se llama {channel}; existen {channels}. No se ha enviado nada.',

  testSent: 'Enviado como {channel}.',
  testNotSent: 'No se ha enviado como {channel}: {why}',
  noChannelHere: 'Ningún canal configurado publica aquí; no se ha enviado nada.',

  stateIs:
    'Estado: {status, select, ready {listo} degraded {limitado} other {no disponible}}{stored, select, no {, no se puede guardar nada} other {}}',
  waysAre:
    'Suscripción: {subscription, select, active {activa} missing {inexistente} inactive {inactiva} unreachable {servicio inaccesible} refused {rechazada} unknown {aún desconocida} other {no configurada}}; consulta: {polling, select, full {completa} slow {lenta} other {desactivada}}',
  channelWaits: '{channel}: {count, plural, one {# mensaje en espera} other {# mensajes en espera}}',
  channelHolds:
    '{channel}: {count, plural, one {# alerta retenida} other {# alertas retenidas}} hasta el {until} ({by, select, quiet {horas de silencio} digest {resumen} story {unida a otra alerta} burst {demasiadas a la vez} other {silencio}})',
  troubleSince: '{title} (desde el {since})',

  serviceNotSetUp:
    'Aquí no hay ningún servicio de monitorización configurado, así que no hay cifras que consultar. Su administrador puede añadir uno en monitor, en la configuración.',
  serviceSilent: 'El servicio no responde. Vuelva a preguntar más tarde.',
  serviceUnaware: 'El servicio no tiene datos sobre {models}.',
  requestsSpent: 'El cupo de consultas manuales se ha agotado por ahora. Vuelva a preguntar más tarde.',
  leftOut:
    '{count, plural, one {# valor es ilegible y se ha omitido} other {# valores son ilegibles y se han omitido}}.',
  versionSince: '{day}: la versión {from} pasó a ser {to}',
  stepSeen: '{day}: visible en las cifras, {points} {way, select, rise {más} other {menos}}',
  compared: 'Comparación:',
  comparedNone: 'El servicio no ha comparado ninguno de estos modelos.',
  rateOf: '{category, select, overall {Tasa de rechazo} other {Tasa de rechazo, {name}}}',
  highestLessLowest: 'Diferencia entre la más alta y la más baja: {points}',
  trend: 'Tendencia',
  trendIs: '{trend, select, rising {al alza} falling {a la baja} stable {estable} other {{trend}}}',
  biasScore: 'Índice de sesgo',
  countedOver: '{prompts} peticiones',
  lastUpdated: 'actualizado el {at}',
  figuresAsOf: 'Cifras del {at}; por ahora no se pueden leer otras más recientes.',
  unitAssumed: 'Las tasas se leen como fracciones de 1; estos pocos valores no permiten comprobarlo.',

  endMail: '¿Darse de baja de {channel}?',
  endMailText:
    '{address} recibe los correos del canal {channel} de Bluepencil. Después de esto no recibirá ninguno más.',
  mailEnded: 'Se ha dado de baja de {channel}',
  mailHadEnded: 'Ya se había dado de baja de {channel}',
  noMoreMail:
    'Ya no se envían correos de este canal a {address}. Para volver a recibirlos, escriba a {contact}.',
  linkNotValid: 'Este enlace no es válido',
  linkNotWhole: 'No se ha cambiado nada. Compruebe que ha abierto el enlace completo.',
  endByAnswer: 'Para no recibir más correos, responda a uno de ellos.',
  endByWriting: 'Para no recibir más correos, escriba a {contact}.',
  notWrittenDown: 'No se ha podido registrar la baja',
  stillMail: 'Sigue recibiendo correos. Inténtelo de nuevo dentro de unos minutos.',
  senderOfTheMail: 'quien envía los correos',
}
