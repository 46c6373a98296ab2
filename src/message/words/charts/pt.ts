import type { ChartPhrases } from './phrases.ts'

export const pt: Record<keyof ChartPhrases, string> = {
  percent: '{rate}%',
  chart: 'Gráfico',
  lastDays: '{days, plural, one {O último dia} other {Os últimos # dias}}',
  chartTitle:
    '{category, select, overall {{model}: solicitações recusadas} none {{model}: solicitações recusadas} other {{model}: solicitações recusadas ({name})}}',
  chartSpan: 'Porcentagem por dia, {from} – {to}',
  chartEmpty: 'nenhuma medição',
  chartChange: 'mudança, {day}',
  chartDay:
    '{known, select, yes {um dia, com seu erro amostral de 95%{wider, select, yes { (na verdade, maior)} other {}}} other {um dia; erro amostral desconhecido}}',
  chartUsual:
    '{since, select, change {antes da mudança} other {média}}: {mean}{ranged, select, yes {, em geral {range}} other {}}',

  altAbout: '{title}, porcentagem por dia, de {from} a {to}.',
  altEmpty: 'Não há nenhuma medição.',
  altUsual:
    '{since, select, change {Antes da mudança} other {Média}}: {mean}{ranged, select, yes {, em geral {range}} other {}}.',
  altNothingSince: 'Mudança marcada em {day}; nenhuma medição desde então.',
  altSince: 'Mudança marcada em {day}; desde então, {mean} em {days, plural, one {# dia} other {# dias}}.',
  altLast:
    'Última medição: {rate} em {day}{known, select, yes { (erro amostral de 95%: {range}{wider, select, yes {, na verdade maior} other {}})} other {; seu erro amostral é desconhecido}}.',
  altExtremes: 'Mínima {lowest} ({lowestDay}), máxima {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# dia} other {# dias}} sem medição.',
}
