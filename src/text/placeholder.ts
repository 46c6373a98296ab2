/** Words that stand where a secret should; compared without case, hyphens, underscores and dots. */
const placeholders =
  /changeme|changethis|replaceme|replacethis|redacted|hidden|masked|placeholder|notshown|notavailable|undefined|example|insert(the|your|secret|here)|your\w*(secret|key|token)|(secret|key|token)(goes)?here|^<.*>$|^\[.*\]$|^\(.*\)$|^\{.*\}$/

/** Whether a text only stands for the secret that belongs there: `xoxb-your-token`, `changeme`. */
export function isPlaceholder(text: string): boolean {
  return placeholders.test(text.toLowerCase().replace(/[-_.\s]/g, ''))
}
