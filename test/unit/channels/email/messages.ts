import type { Attempt } from '../../../../src/channels/channel.ts'
import { EmailAccount, EmailSettings } from '../../../../src/channels/email/config.ts'
import type { Message } from '../../../../src/message/message.ts'
import type { FakeSmtp } from '../../../support/fakes/smtp.ts'

export const spike: Message = {
  id: 'evt_7f3a9c',
  thread: 'claude/political',
  tone: 'rise',
  kicker: 'Censorship spike',
  headline: 'Claude’s refusal rate on political prompts rose 12 points.',
  text: ['The refusal rate rose sharply against its baseline, the service reports.'],
  facts: [
    { label: 'Model', value: 'Claude' },
    { label: 'Category', value: 'political' },
    { label: 'Change', value: '+12 percentage points' },
    { label: 'Detected', value: 'Mon 5 Jan 2026, 10:00 CET' },
  ],
  links: [{ label: 'Methodology', url: 'https://monitor.example/methodology?v=1&x=2' }],
  caveats: ['The service gives no baseline and no sample size for this change.'],
  source: 'Reported by the Censorship Monitoring Service as evt_7f3a9c, by webhook.',
  happenedAt: Date.parse('2026-01-05T09:00:00Z'),
}

export function attempt(over: Partial<Attempt> = {}): Attempt {
  return { uncertain: false, progress: [], signal: new AbortController().signal, ...over }
}

export function accountOf(smtp: FakeSmtp, over: Record<string, unknown> = {}): EmailAccount {
  return EmailAccount.parse({
    smtp: smtp.url(),
    ca: smtp.ca,
    requireTls: true,
    from: 'Bluepencil <alerts@news.example>',
    ...over,
  })
}

export function desk(...to: string[]): EmailSettings {
  return EmailSettings.parse({ name: 'ai-desk', type: 'email', to })
}
