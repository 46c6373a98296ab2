import type { ChartDay, RateSeries } from '../../message/chart/series.ts'
import { percentText } from '../../platform/text.ts'
import { type Html, html } from '../html.ts'

/** What a chart shows, newest first. */
export function daysTable({ days }: RateSeries): Html {
  return html`<table><thead><tr><th scope="col">Day (UTC)</th><th scope="col">Refused</th><th scope="col">95% sampling error</th><th scope="col">Prompts</th></tr></thead><tbody>
${days
  .toReversed()
  .map(
    ({ at, percent, error, sampleSize }) =>
      html`<tr><th scope="row">${new Date(at).toISOString().slice(0, 10)}</th><td>${percentText(percent)}</td><td>${errorText(error)}</td><td>${sampleSize ?? 'not known'}</td></tr>`,
  )}</tbody></table>`
}

export function errorText(error: ChartDay['error']): string {
  return error === null ? 'not known' : `${percentText(error.from)} to ${percentText(error.to)}`
}
