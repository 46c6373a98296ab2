import { alertPath } from '../../config/console.ts'
import type { AlertEvent } from '../../event/event.ts'
import type { Message } from '../../message/message.ts'
import { english } from '../../message/words/words.ts'
import { isLoopback } from '../../platform/outbound/address.ts'
import { fileNameOf } from '../../record/evidence/file.ts'
import { bibtexOf, type CitedAlert, citationText, citedOf, cslFileOf } from '../export/citation.ts'
import { type Html, html } from '../html.ts'
import type { ConsoleParts } from '../parts.ts'
import type { PageContext, PageRequest } from '../reply.ts'

/** What somebody takes from the page of an alert into a story, a chat or a bibliography. */
export interface SharedAlert {
  id: string
  /** The address of its page. */
  link: string
  /** Other machines reach that address. */
  isReachable: boolean
  /** What happened, and who says so. */
  sentence: string
  apa: string
  bibtex: string
  csl: string
  hasChart: boolean
}

export async function sharedAlert(
  alert: AlertEvent,
  {
    message,
    hasChart,
    root,
    context,
  }: {
    message: Message
    hasChart: boolean
  } & Pick<PageRequest, 'root' | 'context'>,
  parts: ConsoleParts,
): Promise<SharedAlert> {
  const cited = await citedOf(alert, parts)
  const link = cited.url ?? alertPath(root, alert.id)
  return {
    id: alert.id,
    link,
    isReachable: !isLoopback(new URL(link).hostname),
    sentence: sentenceOf(message, cited, context),
    apa: citationText(cited),
    bibtex: bibtexOf(cited),
    csl: cslFileOf(cited),
    hasChart,
  }
}

/** "Claude refused 30% of political prompts, up from 18% (Censorship Monitoring Service, 23 Nov 2026, 17:02 UTC)." */
function sentenceOf(
  { headline }: Message,
  { is, author, record, detectedAt, receivedAt }: CitedAlert,
  { timeZone }: Pick<PageContext, 'timeZone'>,
): string {
  const source = is === 'Finding' ? record.replace(/^F/, 'f') : author
  return `${headline.replace(/\.$/, '')} (${source}, ${english.time(detectedAt ?? receivedAt, timeZone)}).`
}

/** One call of the page of an alert: everything to copy or to download. */
export function sharePart(shared: SharedAlert, { base }: Pick<PageContext, 'base'>): Html {
  const { id, link, isReachable, sentence, apa, bibtex, csl, hasChart } = shared
  const path = alertPath(base, id)
  return html`<section aria-labelledby="share"><h2 id="share">Share and cite</h2>
${copyField({ id: 'share-link', label: 'Link', value: link })}
${!isReachable && html`<p class="meta">That address only works on this machine. An admin can set a public one.</p>`}
${copyField({ id: 'share-sentence', label: 'Sentence', value: sentence })}
${copyField({ id: 'share-apa', label: 'Citation (APA)', value: apa })}
<details><summary>BibTeX and CSL JSON, for Zotero and others</summary>
${copyField({ id: 'share-bibtex', label: 'BibTeX', value: bibtex, file: `${path}/citation.bib` })}
${copyField({ id: 'share-csl', label: 'CSL JSON', value: csl, file: `${path}/citation.json` })}
</details>
${hasChart && chartFiles(id, path)}
</section>`
}

interface CopyField {
  id: string
  label: string
  value: string
  /** The same as a file. */
  file?: string
}

/** A field that can be selected, and a button for browsers with scripts. The page that has it sets `canCopy`. */
export function copyField({ id, label, value, file }: CopyField): Html {
  const rows = Math.min(value.trimEnd().split('\n').length, 12)
  const isLong = rows > 1 || value.length > 90
  return html`<div class="copied"><label for="${id}">${label}</label>
${
  isLong
    ? html`<textarea id="${id}" rows="${Math.max(rows, 3)}" readonly spellcheck="false">${value}</textarea>`
    : html`<input id="${id}" value="${value}" readonly spellcheck="false">`
}
<p><button type="button" class="quiet copy" data-copy="${id}" aria-label="Copy: ${label}">Copy</button> ${file !== undefined && html`<a href="${file}" download>Download</a> `}<span class="meta" aria-live="polite"></span></p></div>`
}

function chartFiles(id: string, path: string): Html {
  const svg = `bluepencil-${fileNameOf(id, 'svg')}`
  return html`<h3>The chart</h3>
<p class="copied"><button type="button" class="quiet copy" data-copy="image/png" data-from="${path}/chart.png">Copy the picture</button>
<a href="${path}/chart.png" download>PNG</a>, <a href="${path}/chart-light.svg" download="${svg}">SVG</a>, <a href="${path}/chart.csv" download>CSV of the points</a> <span class="meta" aria-live="polite"></span></p>`
}

/** Beside the button for an evidence file: how somebody without Bluepencil checks it. */
export function verifyLinks(base: string): Html {
  return html`<p class="meta">Anyone can check that file without Bluepencil: <a href="${base}/verify.html">open the page that verifies it</a>, or <a href="${base}/verify.html" download="verify.html">save that page</a> and use it offline.</p>`
}
