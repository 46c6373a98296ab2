/** Markup that runs, were it markup; each says by which field it came. */
export const harmful = (where: string) =>
  `"'><img src=x onerror="ran('${where}')"><script>ran('${where}')</script><svg onload=ran('${where}')>{{7*7}}\${7*7}javascript:ran(1)`

/** What no page of ours has: a script or a handler in the markup, or a link that runs. */
export function markupThatRuns(html: string): string[] {
  const scripts = [...html.matchAll(/<script\b[^>]*>/g)].filter(
    ([tag]) =>
      !/^<script src="\/console\/(?:(?:copy|link-key)-[0-9a-f]{12}\.js"|live-page-[0-9a-f]{12}\.js" data-live="\/console\/live\?since=[0-9a-f-]{36}\.\d+") defer>$/.test(
        tag,
      ),
  )
  const handlers = [...html.matchAll(/<[a-z][^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)*\son\w+\s*=/gi)]
  const links = [...html.matchAll(/\s(?:href|src|action|srcset)="(?!\/|https?:\/\/|#|data:,")[^"]*"/g)]
  return [...scripts, ...handlers, ...links].map(([found]) => found.slice(0, 200))
}

/** What a reader sees of a page, in one line. */
export function textOf(html: string): string {
  return html
    .replace(/<(style|script)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
}
