import type { en } from './en.ts'

export const pt: Record<keyof typeof en, string> = {
  takesLonger: 'Isto demora um pouco mais; a resposta virá em seguida.',
  notStored: 'Não foi possível gravar, portanto nada foi feito. Tente de novo em um minuto.',
  wentWrong: 'Ocorreu um erro, e nada foi feito. O log traz mais detalhes.',
  mayNot:
    'Aqui você não pode {doing, select, acknowledge {marcar alertas como vistos} send {enviar agora os alertas retidos} other {silenciar alertas}}; nada foi feito. O administrador do Bluepencil pode incluir seu identificador em {key}.',
  alertGone: 'Este alerta não está mais guardado; nada foi feito.',
  noModelNamed: 'O alerta não cita nenhum modelo.',

  youAcknowledged: 'Marcado como visto. As mensagens do alerta já mostram isso, se puderem ser editadas.',
  hadAcknowledged: 'Você já tinha marcado este alerta como visto.',
  deskDone:
    '{state, select, checking {Anotado: você está verificando este alerta.} published {Anotado como publicado: {story}} other {Anotado: o alerta voltou ao estado “novo”.}}',
  deskBefore:
    '{was, select, checking {{by} o estava verificando desde {at}.} other {{by} tinha publicado uma matéria sobre ele em {at}: {story}}}',
  deskOutrun: 'Nada foi feito: {by} foi mais rápido. Olhe o alerta de novo.',
  badStoryAddress:
    'Escreva o endereço completo da matéria, com https:// ou http:// e sem senha. Nada foi feito.',

  nothingToSilence: 'O alerta não cita nenhum modelo, então não pode ser silenciado.',
  silenceWhat: 'Silenciar: {scope}?',
  silenceBegun:
    'Os alertas a seguir ficam retidos até {until}: {scope}. Depois, uma mensagem dirá o que chegou.',
  silenceTooLong: 'O silêncio precisa terminar dentro dos próximos 30 dias; nada foi feito.',
  noSuchCategory:
    'Nenhum alerta foi da categoria {category}; as conhecidas são {categories}. Nada foi feito.',
  timeNotRead:
    'Não foi possível ler o prazo; escreva 1h, 2 days, friday, tomorrow ou uma data como 2026-12-01T09:00.',
  noReason: 'não informado',

  forOneHour: '1 hora',
  untilTomorrow: 'Até amanhã, às 9h',
  forOneWeek: '1 semana',
  formTitle: 'Silenciar alertas',
  formScope: 'Alertas em todos os canais: {scope}.',
  formDuration: 'Por quanto tempo',
  formWhy: 'Motivo',
  formSend: 'Silenciar',
  formCancel: 'Cancelar',
  formClose: 'Fechar',
  noForm: 'O Slack não abriu o formulário, e nada foi feito. Tente de novo ou escreva {written}.',
  formTooLate:
    'O formulário chegou tarde demais para ser aberto, e nada foi feito. Pressione o botão de novo ou escreva {written}.',

  commands: 'Alertas, números e silêncios',
  commandsAre: 'Você pode escrever:',
  noSuchCommand: 'Esse comando não existe. Você pode escrever:',
  writeThus: 'Escreva {written}; os modelos são {models}.',
  'usage.history': 'MODELO [CATEGORIA] [PERÍODO]',
  'usage.compare': 'MODELO MODELO',
  'usage.silence': 'MODELO [CATEGORIA] DURAÇÃO [MOTIVO]',
  'usage.checking': 'ID_EVENTO',
  'usage.published': 'ID_EVENTO ENDEREÇO',
  'usage.reopen': 'ID_EVENTO',
  'usage.why': 'ID_EVENTO',
  'usage.send-held': 'CANAL',
  'does.status': 'o que funciona e o que está errado',
  'does.latest': 'os alertas mais recentes',
  'does.history': 'o que um modelo recusou em 7d, 30d, 90d ou 1y',
  'does.compare': 'dois modelos lado a lado',
  'does.silence': 'reter alertas por 1h, 2d, 1w ou até amanhã (tomorrow)',
  'does.silences': 'os silêncios ativos',
  'does.checking': 'avisar que você está verificando um alerta',
  'does.published': 'anotar a matéria publicada sobre um alerta',
  'does.reopen': 'devolver um alerta ao estado novo',
  'does.send-held': 'enviar agora o que está retido para um canal',
  'does.channels': 'para onde vão os alertas',
  'does.why': 'o que aconteceu com um alerta em cada canal, e por quê',
  'does.test': 'enviar um teste a este canal',
  'does.help': 'esta lista',
  optionModel: 'Qual modelo',
  optionChannel: 'Qual canal',
  optionOther: 'Comparar com qual',
  optionCategory: 'Quais solicitações; padrão: todas',
  optionPeriod: 'Qual período; padrão: 30d',
  optionEvent: 'O identificador de um alerta, como latest o mostra',
  optionStory: 'O endereço da matéria publicada',
  tomorrow: 'até amanhã',

  newestAlerts: 'Os alertas mais recentes:',
  noAlertStored: 'Não há nenhum alerta guardado.',
  alertNotFound:
    'Nenhum alerta com este identificador está guardado. /bluepencil latest mostra os mais recentes com seus identificadores.',
  silencesInForce: 'Silêncios ativos:',
  noSilenceInForce: 'Não há nenhum silêncio ativo.',
  silenceInForce: '{scope}, até {until}: {by}; motivo: {why}',
  alertsGoTo: 'Os alertas vão para:',
  heldSent:
    '{count, plural, one {# alerta retido segue} other {# alertas retidos seguem}} agora para {channel}.',
  nothingHeld: 'Nada está retido para {channel}.',
  noSuchChannel: 'Nenhum canal se chama {channel}; canais existentes: {channels}. Nada foi enviado.',

  testSent: 'Enviado pelo canal {channel}.',
  testNotSent: 'Não foi enviado pelo canal {channel}: {why}',
  noChannelHere: 'Nenhum canal configurado publica aqui; nada foi enviado.',

  stateIs:
    'Situação: {status, select, ready {pronto} degraded {com limitações} other {indisponível}}{stored, select, no {, nada pode ser gravado} other {}}',
  waysAre:
    'Assinatura: {subscription, select, active {ativa} missing {inexistente} inactive {inativa} unreachable {serviço inacessível} refused {recusada} unknown {ainda desconhecida} other {não configurada}}; consulta: {polling, select, full {completa} slow {lenta} other {desativada}}',
  channelWaits: '{channel}: {count, plural, one {# mensagem em espera} other {# mensagens em espera}}',
  channelHolds:
    '{channel}: {count, plural, one {# alerta retido} other {# alertas retidos}} até {until} ({by, select, quiet {horário de silêncio} digest {resumo} story {ligado a outro alerta} burst {alertas demais de uma vez} other {silêncio}})',
  troubleSince: '{title} (desde {since})',

  serviceNotSetUp:
    'Nenhum serviço de monitoramento está configurado aqui, por isso não há números para consultar. O seu administrador pode incluir um em monitor, na configuração.',
  serviceSilent: 'O serviço não responde. Tente de novo mais tarde.',
  serviceUnaware: 'O serviço não tem dados sobre {models}.',
  requestsSpent: 'A cota de consultas dos usuários se esgotou por ora. Tente de novo mais tarde.',
  leftOut:
    '{count, plural, one {# valor é ilegível e foi omitido} other {# valores são ilegíveis e foram omitidos}}.',
  versionSince: '{day}: a versão {from} passou a ser {to}',
  stepSeen: '{day}: visível nos números, {way, select, rise {alta} other {queda}} de {points}',
  compared: 'Comparação:',
  comparedNone: 'O serviço não comparou nenhum destes modelos.',
  rateOf: '{category, select, overall {Taxa de recusa} other {Taxa de recusa, {name}}}',
  highestLessLowest: 'Diferença entre a mais alta e a mais baixa: {points}',
  trend: 'Tendência',
  trendIs: '{trend, select, rising {em alta} falling {em queda} stable {estável} other {{trend}}}',
  biasScore: 'Índice de viés',
  countedOver: '{prompts} solicitações',
  lastUpdated: 'última atualização em {at}',
  figuresAsOf: 'Números de {at}; por enquanto não é possível ler outros mais recentes.',
  unitAssumed: 'As taxas são lidas como frações de 1; estes poucos valores não permitem conferir.',

  endMail: 'Cancelar a inscrição em {channel}?',
  endMailText:
    '{address} recebe os e-mails do canal {channel} do Bluepencil. Depois disso, não receberá mais nenhum.',
  mailEnded: 'Inscrição em {channel} cancelada',
  mailHadEnded: 'A inscrição em {channel} já estava cancelada',
  noMoreMail:
    'Os e-mails deste canal não vão mais para {address}. Para voltar a recebê-los, escreva para {contact}.',
  linkNotValid: 'Este link não é válido',
  linkNotWhole: 'Nada foi alterado. Verifique se você abriu o link inteiro.',
  endByAnswer: 'Para não receber mais e-mails, responda a um deles.',
  endByWriting: 'Para não receber mais e-mails, escreva para {contact}.',
  notWrittenDown: 'Não foi possível registrar o pedido',
  stillMail: 'Você continua recebendo e-mails. Tente de novo em alguns minutos.',
  senderOfTheMail: 'o remetente do e-mail',
}
