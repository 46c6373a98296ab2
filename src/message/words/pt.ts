import { pt as answers } from './answers/pt.ts'
import type { Catalogue } from './phrases.ts'

export const pt: Catalogue = {
  ...answers,

  modelNotNamed: 'modelo não identificado',
  modelUnknown: 'modelo {name}',
  prompts:
    '{category, select, political {solicitações sobre política} safety {solicitações sobre segurança} social {solicitações sobre temas sociais} overall {solicitações de todas as categorias} none {solicitações de uma categoria não informada} other {solicitações da categoria “{name}”}}',
  category:
    '{category, select, political {política} safety {segurança} social {sociedade} overall {todas as categorias} none {ilegível} other {{name}}}',
  typeName:
    '{type, select, policy_change {Mudança de regras} censorship_spike {Salto na taxa de recusa} version_change {Nova versão} other {Evento desconhecido}}',
  typeInSentence:
    '{type, select, policy_change {mudança de regras} censorship_spike {salto na taxa de recusa} other {evento desconhecido}}',
  row: '{field} ({problem})',

  points: '{size} {count, plural, one {ponto percentual} other {pontos percentuais}}',
  shortPoints: '{size} {count, plural, one {ponto} other {pontos}}',
  lessThan: 'menos de {size}',
  tinyChange:
    'uma {way, select, rise {alta} other {queda}} de menos de {size} {count, plural, one {ponto percentual} other {pontos percentuais}}',

  refusesLevels:
    '{lead, select, policy {Mudança de regras: } other {}}{subject} recusou {now}% das {prompts}, contra {before}% antes{beside, select, further { (após uma primeira {way, select, rise {alta} other {queda}} de {was})} other {}}.',
  refusesPoints:
    '{lead, select, policy {Mudança de regras: } other {}}a taxa de recusa do {subject} em {prompts} {way, select, rise {subiu} other {caiu}} {points}{beside, select, further { (após uma primeira {way, select, rise {alta} other {queda}} de {was})} not {, e não {was}} rise {; informada primeiro como alta de {was}} fall {; informada primeiro como queda de {was}} same {; informada primeiro como inalterada} other {}}.',
  refusesSame:
    '{lead, select, policy {Mudança de regras: } other {}}a taxa de recusa do {subject} em {prompts} não mudou{beside, select, rise {; informada primeiro como alta de {was}} fall {; informada primeiro como queda de {was}} other {}}.',
  versionChanged: '{subject} mudou de versão: {from} → {to}.',
  withoutSize:
    '{type, select, policy_change {Uma mudança de regras foi informada} censorship_spike {Um salto na taxa de recusa foi informado} other {Um evento desconhecido foi informado}} em relação ao {subject}{named, select, yes { em {prompts}} other {}}, mas não foi possível ler a dimensão.',
  withdrawnHeadline: 'RETIRADO: {headline}',
  correctedHeadline: 'CORRIGIDO: {headline}',
  correctionHeadline: 'Correção: {headline}',
  testHeadline: 'TESTE, não um alerta real: {headline}',

  roseAgain: 'Nova alta',
  fellAgain: 'Nova queda',
  foundInFigures: 'Observado nos números publicados',

  reported:
    'O serviço {service} informa {type, select, policy_change {uma mudança de regras} other {um salto na taxa de recusa (“censorship spike”)}}.',
  reportedOtherType: 'O serviço {service} enviou um evento de um tipo não documentado: “{type}”.',
  reportedWithoutType: 'O serviço {service} enviou um evento cujo tipo é ilegível.',
  changeFound:
    'O Bluepencil observou esta mudança nos números que o serviço {service} publica.{alone, select, yes { O próprio serviço não a informou.} other {}}',
  findingWithdrawn:
    'O Bluepencil retira um alerta anterior. Os números posteriores do serviço {service} não o confirmam.',
  alsoFound: 'Também observado nos números publicados.',
  alsoReported: 'Também informado pelo serviço {service} ({id}).',
  withdrawn: 'Retirado em {at}: as medições posteriores não mostram esta mudança.',
  corrected: 'Corrigido em {at}; agora informado: {what} ({id}).',
  confirmed: 'Confirmado em {at} pelas medições posteriores{sized, select, yes {: {size}} other {}}.',
  changeNotReadable: 'uma mudança de dimensão ilegível',
  earlierFinding:
    'O alerta anterior indicava {was}, com base em uma só medição ({id}{dated, select, yes {, detectado em {at}} other {}}).',
  earlierReport:
    'Isto corrige um aviso anterior do serviço {service} ({id}{dated, select, yes {, detectado em {at}} other {}}): {was}. O serviço {redated, select, yes {indica agora {since} como data da detecção} other {informa agora {now}}}.',
  stepBefore:
    'A taxa voltou a {way, select, rise {subir} other {cair}}: agora {now}. Antes, {by, select, figures {os números publicados mostravam} other {o serviço {service} havia informado}} {was} ({id}{dated, select, yes {, detectado em {at}} other {}}).',
  sourceBoth: 'Informado pelo serviço {service} e observado nos números que ele publica',
  sourceFigures: 'Observado pelo Bluepencil nos números que o serviço {service} publica',
  sourceReported: 'Informado pelo serviço {service}',

  model: 'Modelo',
  ofCategory: 'Categoria',
  change: 'Variação da taxa de recusa',
  reportedChange: 'Variação informada',
  foundBefore: 'Observado antes',
  reportedBefore: 'Informado antes',
  detected: 'Detectado',
  foundAt: 'Observado pelo Bluepencil',
  received: 'Recebido',
  version: 'Versão',
  before: 'Antes',
  now: 'Agora',
  atTheTime: 'Na ocasião',
  sureness: 'Grau de certeza',
  methodology: 'Metodologia',
  notReadable: 'ilegível',

  versionBecame: 'de {from} para {to}',
  levelBefore:
    '{rate}%{counted, select, yes { de {prompts} solicitações} other {}} em {readings, plural, one {# medição} other {# medições}} antes de {day}{drifting, select, yes {, mais uma mudança gradual de {drift} {count, plural, one {ponto percentual} other {pontos percentuais}}} other {}}',
  levelNow:
    '{rate}%{counted, select, yes { de {prompts} solicitações} other {}} ({readings, plural, =1 {uma medição, {day}} one {# medição desde {day}} other {# medições desde {day}}})',
  howSure:
    '{chance, select, very {É muito improvável que seja acaso} unlikely {É improvável que seja acaso} other {Pode ser acaso}}{size, select, open {, mas a dimensão está em aberto} other {}} (intervalo de 95%: de {from} a {to} pontos)',
  otherSize:
    'O serviço {service} informa {reported}; os números que ele publica mostram {shown}, de {before}% para {now}%.',

  notVisibleYet: 'Ainda não aparece nos números publicados.',
  provisional: 'Provisório: com base em uma só medição.',
  gradualSince: 'Mudança gradual desde {day}, não repentina.',
  otherModelsChanged:
    '{moved} dos outros {others} modelos variaram de forma semelhante (mediana: {points} {count, plural, one {ponto percentual} other {pontos percentuais}}). Isso aponta mais para uma mudança na medição do que neste modelo.',
  unrecognised:
    'Este evento não corresponde à documentação do serviço {service}: {rows}. Verifique antes de publicar.',
  asReceived: 'Tal como recebido: {body}',
  possibleDuplicate:
    'Possível duplicata: uma tentativa anterior de enviar esta mensagem para cá ficou sem resposta.',

  isBack: 'O Bluepencil está de volta',
  couldNotBeSent:
    '{count, plural, one {# mensagem não pôde ser enviada} other {# mensagens não puderam ser enviadas}} para cá desde {from}.',
  wereMissed:
    '{count, plural, one {# mudança que passou despercebida desde {from} foi observada} other {# mudanças que passaram despercebidas desde {from} foram observadas}} agora nos números publicados.',
  followNow:
    'As mensagens são enviadas agora, da mais antiga à mais recente. Cada uma diz quando a mudança foi detectada.',
  fromBluepencil: 'Do próprio Bluepencil',

  digest: 'Resumo',
  afterSilence: 'Fim do silêncio',
  digestHeadline: '{count, plural, one {# alerta} other {# alertas}} de {from} a {until}.',
  silenceHeadline:
    '{count, plural, one {# alerta retido} other {# alertas retidos}} de {from} a {until}. Silenciado por {by}: {scope}; motivo: {why}.',
  digestItem:
    '• {headline} ({at}{found, select, yes {, observado nos números publicados} other {}}){incomplete, select, yes { Não corresponde à documentação: verifique antes de publicar.} other {}}',
  moreAlerts:
    'E {count, plural, one {mais # alerta} other {mais # alertas}}. Para ver todos: bluepencil explain {id}',
  storyKicker: '{count, plural, one {# alerta} other {# alertas}} em um',
  storyGrew: '{count, plural, one {# alerta acrescentado} other {# alertas acrescentados}} acima',
  numberOf:
    '{count, plural, =1 {{what, select, category {uma} other {um}}} =2 {{what, select, category {duas} other {dois}}} =3 {três} =4 {quatro} =5 {cinco} =6 {seis} =7 {sete} =8 {oito} =9 {nove} =10 {dez} =11 {onze} =12 {doze} other {#}}',
  storyOfModels:
    '{way, select, rise {{number} modelos recusam mais {prompts}.} fall {{number} modelos recusam menos {prompts}.} other {A taxa de recusa de {prompts} mudou em {number} modelos: subiu em {more}, caiu em {fewer}.}}',
  storyOfCategories:
    'A taxa de recusa do {subject} {way, select, rise {subiu em {number} categorias} fall {caiu em {number} categorias} other {mudou em {number} categorias: subiu em {more}, caiu em {fewer}}}.',
  storyOfModel: '{number} alertas sobre {subject}{of, select, yes { em {prompts}} other {}}.',
  storyOfCategory: '{number} alertas sobre {prompts}.',
  acknowledged: 'Visto por {by} em {at}.',
  silenced: 'Silenciado por {by} até {until}: {scope}; motivo: {why}',
  silenceEnded: 'Silêncio encerrado por {by} em {at}.',
  desk: '{state, select, checking {{by} está verificando este alerta desde {at}.} published {Publicado por {by} em {at}: {story}} other {{by} devolveu este alerta ao estado “novo” em {at}; ninguém o está verificando.}}',
  publishedBefore:
    'Isto {is, select, withdrawal {retira} other {corrige}} um aviso em que se baseia a matéria que {by} publicou em {at}: {story}',
  toStory: 'Matéria publicada',
  escalated:
    'Encaminhado de “{from}” em {at}: {is, select, unsent {não foi possível enviá-lo para lá} other {ninguém o tinha marcado como visto}} desde {since}.',
  allModels: 'todos os modelos',
  scope: '{model}{of, select, yes {, {prompts}} other {}}{placed, select, yes { (canal {channel})} other {}}',

  test: 'Teste',
  isTest: 'Este é um teste do Bluepencil. Um alerta real tem este aspecto.',
  example: '{value} (exemplo)',
  noSuchChange: 'Números fictícios: nenhuma mudança assim foi informada nem observada.',
  testSource: 'Enviado por {by} com “{command}” em {at}',

  labelled: '{label}: {value}',
  heading: '{label}:',
  alert: 'Alerta',
  link: 'Link',
  toAcknowledge: 'Marcar como visto',
  toSilence: 'Silenciar…',
  toHistory: 'Histórico',
  toOpen: '{of, select, digest {Abrir o resumo} other {Abrir o alerta}}',
  readMore: 'Saiba mais',
  noteToEditors: 'Nota para a redação',
  addressTooLong: '{label} (o endereço é longo demais para {place})',
  moreFacts: '{count, plural, one {mais # dado} other {mais # dados}}',
  whyThisMail: 'Você recebe este e-mail porque seu endereço consta do canal {channel} do Bluepencil.',
  howToStop: 'Para não receber mais estes e-mails, ou para mudar o que recebe, escreva para {contact}.',
  howToChange: 'Para mudar o que recebe, escreva para {contact}. Para não receber mais estes e-mails:',
  unsubscribe: 'Cancelar a inscrição',

  previewFrom: 'De',
  previewTo: 'Para',
  previewSubject: 'Assunto',
  previewIn:
    '{channel}, como se lê {place, select, slack {no Slack} discord {no Discord} other {em um programa de e-mail}}',
  previewEdited: '{heading}, editado',

  problemOwnId: '“{id}” tem a forma dos identificadores do Bluepencil; guardado sob outro identificador',
  problemOther: 'em desacordo com a documentação',
  'problem.missing': 'ausente',
  'problem.notText': 'não é um texto',
  'problem.empty': 'vazio',
  'problem.unseen': 'sem nenhum caractere visível',
  'problem.unfitId': 'mais de 200 caracteres, ou com espaços ou caracteres não imprimíveis',
  'problem.otherId': 'não começa com evt_',
  'problem.hashForId': 'substituído pelo hash do conteúdo',
  'problem.otherType': 'nem policy_change nem censorship_spike',
  'problem.otherModel': 'diferente de chatgpt, claude, gemini, mistral, qwen',
  'problem.cutName': 'mais de 200 caracteres, cortado',
  'problem.noChange': 'não é uma mudança da forma +12pp',
  'problem.noSign': 'sem sinal; lido como alta',
  'problem.noDate': 'não é uma data',
  'problem.noZone': 'sem fuso horário; lido como UTC',
  'problem.longUrl': 'mais de 2.048 caracteres',
  'problem.noUrl': 'não é um endereço',
  'problem.notWeb': 'não é um endereço http ou https',
  'problem.urlWithPassword': 'um endereço com usuário ou senha',
  'problem.notUtf8': 'não é UTF-8 válido',
  'problem.notJson': 'não é JSON',
  'problem.notObject': 'não é um objeto JSON',
  'problem.tooEarly': 'anterior ao ano 2000',
  'problem.tooLate': 'mais de um dia após o recebimento',

  percent: '{rate}%',
  chart: 'Gráfico',
  lastDays: '{days, plural, one {O último dia} other {Os últimos # dias}}',
  chartTitle:
    '{category, select, overall {{model}: solicitações recusadas} none {{model}: solicitações recusadas} other {{model}: solicitações recusadas ({name})}}',
  chartSpan: 'Porcentagem por dia, {from} – {to}',
  chartEmpty: 'nenhuma medição',
  chartChange: 'mudança, {day}',
  chartDenser: 'Desde {day}, {count, plural, one {# medição} other {# medições}} por dia',
  chartDay:
    '{known, select, yes {um dia, com intervalo de confiança de 95%{wider, select, yes { (ou maior)} other {}}} other {um dia; intervalo de confiança desconhecido}}',
  chartUsual:
    '{since, select, change {antes da mudança} other {média}}: {mean}{ranged, select, yes {, em geral {range}} other {}}',

  altAbout: '{title}, porcentagem por dia, de {from} a {to}.',
  altEmpty: 'Não há nenhuma medição.',
  altUsual:
    '{since, select, change {Antes da mudança} other {Média}}: {mean}{ranged, select, yes {, em geral {range}} other {}}.',
  altNothingSince: 'Mudança marcada em {day}; nenhuma medição desde então.',
  altSince: 'Mudança marcada em {day}; desde então, {mean} em {days, plural, one {# dia} other {# dias}}.',
  altLast:
    'Último valor: {rate} em {day}{known, select, yes { (intervalo de confiança de 95%: {range}{wider, select, yes {, ou maior} other {}})} other {; intervalo de confiança desconhecido}}.',
  altExtremes: 'Mínima {lowest} ({lowestDay}), máxima {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# dia} other {# dias}} sem medição.',
}
