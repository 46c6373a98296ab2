import { dictionary } from '../export/record.ts'
import { html } from '../html.ts'
import type { ConsoleReply, PageRequest } from '../reply.ts'

/** What stands in a file of alerts. */
export async function showDictionary({ context: { base } }: PageRequest): Promise<ConsoleReply> {
  return {
    page: {
      title: 'What stands in a file',
      body: html`<p><a href="${base}/alerts">Alerts</a></p>
<h1>What stands in a file</h1>
<p class="text">Each alert is a row of a CSV file, or an object in JSON, newest first. What was not said, or not known when it came, is an empty cell, or <code>null</code>. In a cell, lists have semicolons, and a text that a spreadsheet would take for a formula begins with an apostrophe. An alert that was corrected stays as it was: the correction is a row of its own, which names it under <code>revises</code>.</p>
<table class="cards"><thead><tr><th scope="col">Column</th><th scope="col">Form</th><th scope="col">What it is</th></tr></thead><tbody>
${dictionary().map(
  ({ name, form, is }) =>
    html`<tr><th scope="row"><code>${name}</code></th><td data-label="Form">${form}</td><td data-label="Is">${is}</td></tr>`,
)}</tbody></table>`,
    },
  }
}
