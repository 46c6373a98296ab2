import type { ChartPhrases } from './phrases.ts'

export const en: Record<keyof ChartPhrases, string> = {
  percent: '{rate}%',
  chart: 'Chart',
  lastDays: 'The last {days, plural, one {day} other {# days}}',
  chartTitle:
    '{category, select, overall {{model}: prompts refused} none {{model}: prompts refused} other {{model}: {name} prompts refused}}',
  chartSpan: 'Percent per day, {from} – {to}',
  chartEmpty: 'no reading',
  chartChange: 'change, {day}',
  chartDay:
    '{known, select, yes {a day, with its 95% sampling error{wider, select, yes { (wider in truth)} other {}}} other {a day; sampling error not known}}',
  chartUsual:
    '{since, select, change {before the change} other {mean}}: {mean}{ranged, select, yes {, usually {range}} other {}}',

  altAbout: '{title}, percent per day, {from} to {to}.',
  altEmpty: 'There is no reading.',
  altUsual:
    '{since, select, change {Before the change} other {Mean}}: {mean}{ranged, select, yes {, usually {range}} other {}}.',
  altNothingSince: 'Change marked on {day}; no reading since.',
  altSince: 'Change marked on {day}; since then {mean} over {days, plural, one {# day} other {# days}}.',
  altLast:
    'Last: {rate} on {day}{known, select, yes { (95% sampling error {range}{wider, select, yes {, wider in truth} other {}})} other {; its sampling error is not known}}.',
  altExtremes: 'Lowest {lowest} on {lowestDay}, highest {highest} on {highestDay}.',
  altMissing: '{days, plural, one {# day} other {# days}} without a reading.',
}
