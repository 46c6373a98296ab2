import type { ChartPhrases } from './phrases.ts'

export const fr: Record<keyof ChartPhrases, string> = {
  percent: '{rate}\u00a0%',
  chart: 'Graphique',
  lastDays: '{days, plural, one {Le dernier jour} other {Les # derniers jours}}',
  chartTitle:
    '{category, select, overall {{model}\u00a0: requêtes refusées} none {{model}\u00a0: requêtes refusées} other {{model}\u00a0: requêtes refusées ({name})}}',
  chartSpan: 'Pourcentage par jour, {from} – {to}',
  chartEmpty: 'aucun relevé',
  chartChange: 'changement, {day}',
  chartDay:
    '{known, select, yes {un jour, avec l’erreur d’échantillonnage à 95\u00a0%{wider, select, yes { (minimum)} other {}}} other {un jour\u00a0; erreur d’échantillonnage inconnue}}',
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
    'Dernier relevé\u00a0: {rate} le {day}{known, select, yes { (erreur d’échantillonnage à 95\u00a0%\u00a0: {range}{wider, select, yes {, plus large en réalité} other {}})} other {\u00a0; son erreur d’échantillonnage est inconnue}}.',
  altExtremes: 'Minimum {lowest} ({lowestDay}), maximum {highest} ({highestDay}).',
  altMissing: '{days, plural, one {# jour} other {# jours}} sans relevé.',
}
