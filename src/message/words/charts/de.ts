import type { ChartPhrases } from './phrases.ts'

export const de: Record<keyof ChartPhrases, string> = {
  percent: '{rate}\u00a0%',
  chart: 'Grafik',
  lastDays: '{days, plural, one {Der letzte Tag} other {Die letzten # Tage}}',
  chartTitle:
    '{category, select, overall {{model}: abgelehnte Anfragen} none {{model}: abgelehnte Anfragen} other {{model}: abgelehnte Anfragen ({name})}}',
  chartSpan: 'Prozent je Tag, {from} – {to}',
  chartEmpty: 'keine Messung',
  chartChange: 'Änderung, {day}',
  chartDay:
    '{known, select, yes {ein Tag mit 95-%-Stichprobenfehler{wider, select, yes { (tatsächlich größer)} other {}}} other {ein Tag; Stichprobenfehler nicht bekannt}}',
  chartUsual:
    '{since, select, change {vor der Änderung} other {Mittel}}: {mean}{ranged, select, yes {, meist {range}} other {}}',

  altAbout: '{title}, Prozent je Tag, {from} bis {to}.',
  altEmpty: 'Es gibt keine Messung.',
  altUsual:
    '{since, select, change {Vor der Änderung} other {Mittel}}: {mean}{ranged, select, yes {, meist {range}} other {}}.',
  altNothingSince: 'Änderung markiert am {day}; seither keine Messung.',
  altSince: 'Änderung markiert am {day}; seither {mean} in {days, plural, one {# Tag} other {# Tagen}}.',
  altLast:
    'Zuletzt: {rate} am {day}{known, select, yes { (95-%-Stichprobenfehler {range}{wider, select, yes {, tatsächlich größer} other {}})} other {; der Stichprobenfehler ist nicht bekannt}}.',
  altExtremes: 'Niedrigster Wert {lowest} ({lowestDay}), höchster {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# Tag} other {# Tage}} ohne Messung.',
}
