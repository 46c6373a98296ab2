import type { EmailPayload } from '../../../../src/channels/email/format.ts'
import { avatar } from './avatar.ts'
import { escapeHtml } from './escape.ts'

export const mailStyle = [
  '',
  ".mail { font: 14px/20px Inter, 'Helvetica Neue', Arial, sans-serif; color: #1f1f1f; }",
  '.mail .subject { font-size: 19px; line-height: 26px; font-weight: 500; padding: 16px 24px 12px; }',
  '.mail .from { display: flex; gap: 12px; align-items: center; padding: 0 24px 14px; border-bottom: 1px solid #e4e4e4; }',
  '.mail .from b { font-weight: 600; }',
  '.mail .from small, .mail .time { font-size: 12.5px; color: #666; }',
  '.mail .time { margin-left: auto; align-self: flex-start; }',
  '.mail iframe { display: block; width: 100%; border: 0; }',
  '.mail.dark { color: #e6e6e6; background: #1d1f23; }',
  '.mail.dark .from { border-color: #33363b; }',
  '.mail.dark small, .mail.dark .time { color: #a3a3a3; }',
  '',
].join('\n')

/** What the machine has where it lacks Georgia: Gelasio takes the same room. */
const georgia = `<style>
@font-face { font-family: Georgia; src: local('Georgia'), local('Gelasio Regular'), local('Gelasio'), local('DejaVu Serif'); }
@font-face { font-family: Georgia; font-weight: bold; src: local('Georgia Bold'), local('Gelasio Bold'), local('DejaVu Serif Bold'); }
</style>`

/** The real HTML part in a mail reader. A frame's own colour scheme is what its page is asked to follow. */
export function drawMail(mail: EmailPayload, time: string, scheme: 'light' | 'dark'): string {
  const page = escapeHtml(mail.html.replace('</head>', `${georgia}</head>`))
  return `<div class="mail ${scheme}"><div class="subject">${escapeHtml(mail.subject)}</div>
<div class="from">${avatar(36, 18)}<div><b>${escapeHtml(mail.from.name)}</b> <small>&lt;${escapeHtml(mail.from.address)}&gt;</small>
<br><small>to ${escapeHtml(mail.to)}</small></div><span class="time">${escapeHtml(time)}</span></div>
<iframe style="color-scheme:${scheme}" srcdoc="${page}"></iframe></div>`
}
