import type { ChartPhrases } from './phrases.ts'

export const es: Record<keyof ChartPhrases, string> = {
  percent: '{rate}\u00a0%',
  chart: 'Gráfico',
  lastDays: '{days, plural, one {El último día} other {Los últimos # días}}',
  chartTitle:
    '{category, select, overall {{model}: peticiones rechazadas} none {{model}: peticiones rechazadas} other {{model}: peticiones rechazadas ({name})}}',
  chartSpan: 'Porcentaje por día, {from} – {to}',
  chartEmpty: 'ninguna medición',
  chartChange: 'cambio, {day}',
  chartDay:
    '{known, select, yes {un día, con su error de muestreo al 95\u00a0%{wider, select, yes { (mayor en realidad)} other {}}} other {un día; error de muestreo desconocido}}',
  chartUsual:
    '{since, select, change {antes del cambio} other {media}}: {mean}{ranged, select, yes {, normalmente {range}} other {}}',

  altAbout: '{title}, porcentaje por día, del {from} al {to}.',
  altEmpty: 'No hay ninguna medición.',
  altUsual:
    '{since, select, change {Antes del cambio} other {Media}}: {mean}{ranged, select, yes {, normalmente {range}} other {}}.',
  altNothingSince: 'Cambio marcado el {day}; ninguna medición desde entonces.',
  altSince: 'Cambio marcado el {day}; desde entonces, {mean} en {days, plural, one {# día} other {# días}}.',
  altLast:
    'Última medición: {rate} el {day}{known, select, yes { (error de muestreo al 95\u00a0%: {range}{wider, select, yes {, mayor en realidad} other {}})} other {; se desconoce su error de muestreo}}.',
  altExtremes: 'Mínimo {lowest} ({lowestDay}), máximo {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# día} other {# días}} sin medición.',
}
