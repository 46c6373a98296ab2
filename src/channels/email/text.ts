/** What keys of the configuration and files of ours end in, and no domain on the web does. */
const ours = [
  'apiKey|apiUrl|appToken|applicationId|basePath|baseUrl|clientId|clientSecret|groupsClaim|interval|intervalMs|issuer|key',
  'alertsPath|gateway|heartbeat|listen|minDelta|mode|oauth|oidc|password|path|port|proxy|publicKey|publicUrl|rates|replyTo',
  'requireTls|retention|role|roles|scopes|secret|secrets|signature|signingSecret|smtp|tier|timeZone|token|tokenUrl',
  'trustProxy|users|webhookUrl|env|ids|journal|json|lock|sqlite|yaml|yml|damaged-\\d+',
].join('|')

/** A name of ours, which people copy; or else a dot that could be one of a domain. */
const dotted = new RegExp(
  `(?<![\\p{L}\\p{N}_.-])[\\w-]+(?:\\.(?:${ours}))+(?![\\p{L}\\p{N}_-]|[.。．｡][\\p{L}\\p{N}])|(?<=[\\p{L}\\p{N}_-])[.。．｡](?=[\\p{L}\\p{N}])|(?<=www)[.。．｡]`,
  'giu',
)

/**
 * Mail readers make links of what looks like one, unasked: `https://x`, `www.x.y`, `x.example`, `a@b`. A
 * zero-width space before the sign that they look for stops that, and is not seen. "GPT-4.5" and `slack.token`
 * stay as they are. `www.` is broken also if a cut or the end of a line follows: the reader joins what comes next.
 */
export function unlink(text: string): string {
  return text
    .replace(/(?<=\p{L}[\p{L}\p{N}+.-]*):(?=[^\s:])|@/gu, '\u200b$&')
    .replace(dotted, (found, at: number, whole: string) =>
      found.length > 1 || /^\d.\d$/u.test(whole.slice(at - 1, at + 2)) ? found : `\u200b${found}`,
    )
}
