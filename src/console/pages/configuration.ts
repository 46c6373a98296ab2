import { html } from '../html.ts'
import { maskedConfiguration } from '../masked.ts'
import { timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import type { ConsoleReply, PageRequest } from '../reply.ts'

export async function showConfiguration(
  { context: { timeZone } }: PageRequest,
  { config, lastReload: reload }: ConsoleParts,
): Promise<ConsoleReply> {
  const yaml = maskedConfiguration(config())
  const lastReload = reload()
  return {
    page: {
      title: 'Configuration',
      body: html`<h1>Configuration</h1>
${lastReload === undefined && html`<p class="text">Read when Bluepencil started.</p>`}
${lastReload?.problem === undefined && lastReload !== undefined && html`<p class="text">The file was read again ${timeOf(lastReload.at, timeZone)} and is in force.</p>`}
${
  lastReload?.problem !== undefined &&
  html`<div class="caveat"><p>The file was changed ${timeOf(lastReload.at, timeZone)} and <strong>cannot be used</strong>; what is below stays in force.</p>
<pre tabindex="0" role="region" aria-label="What is wrong">${lastReload.problem}</pre></div>`
}
${(lastReload?.needRestart.length ?? 0) > 0 && html`<p class="caveat">Changed, and not in force before a restart: ${lastReload?.needRestart.join(', ')}.</p>`}
<h2>In use, without secrets</h2>
<pre tabindex="0" role="region" aria-label="The configuration in force">${yaml}</pre>`,
    },
  }
}
