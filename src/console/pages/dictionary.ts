import { dictionary } from '../export/record.ts'
import { html } from '../html.ts'
import type { ConsoleReply, PageRequest } from '../reply.ts'

/** The columns of a file of alerts. */
export async function showDictionary({ context: { base } }: PageRequest): Promise<ConsoleReply> {
  return {
    page: {
      title: 'What the columns mean',
      body: html`<p><a href="${base}/alerts">Alerts</a></p>
<h1>What the columns mean</h1>
<p class="text">Each alert is a row of a CSV file, or an object in JSON, newest first. What was not said, or not known when it came, is an empty cell, or <code>null</code>. In a cell, lists have semicolons, and text that a spreadsheet would run as a formula begins with an apostrophe. A corrected alert stays as it was. The correction is a separate row, which names it under <code>revises</code>.</p>
<table class="cards"><thead><tr><th scope="col">Column</th><th scope="col">Form</th><th scope="col">What it is</th></tr></thead><tbody>
${dictionary().map(
  ({ name, form, is }) =>
    html`<tr><th scope="row"><code>${name}</code></th><td data-label="Form">${form}</td><td data-label="Is">${is}</td></tr>`,
)}</tbody></table>`,
    },
  }
}
