import type { Attempt } from '../../../../src/channels/channel.ts'
import type { Message } from '../../../../src/message/message.ts'

/** An alert as the renderer words it. */
export function alert(over: Partial<Message> = {}): Message {
  return {
    id: 'evt_8Kq2',
    thread: 'claude/political',
    tone: 'rise',
    kicker: 'Censorship spike',
    headline: 'Claude’s refusal rate on political prompts rose 12 points.',
    text: ['The Censorship Monitoring Service reports a sharp rise against its baseline.'],
    facts: [
      { label: 'Model', value: 'Claude' },
      { label: 'Category', value: 'political' },
      { label: 'Change in refusal rate', value: '+12 percentage points' },
      { label: 'Detected', value: '21 November 2026, 10:02 CET' },
      { label: 'Received', value: '21 November 2026, 10:03 CET' },
    ],
    links: [{ label: 'Methodology', url: 'https://monitor.example/methodology?v=3&lang=en' }],
    caveats: ['The sample size is not known.'],
    source: 'Reported by the Censorship Monitoring Service · evt_8Kq2',
    happenedAt: Date.parse('2026-11-21T09:02:00Z'),
    ...over,
  }
}

export function attempt(over: Partial<Attempt> = {}): Attempt {
  return { uncertain: false, progress: [], signal: new AbortController().signal, ...over }
}

/** All the texts with which somebody might try to be more than text. */
export const nasty = [
  '<!channel> <!here> <!everyone>',
  '<@U1> @channel #general <#C1>',
  '*bold* _slanted_ ~struck~ `code`',
  '> quote & <https://evil.example|your bank>',
  'https://evil.example/login :tada: :warning:',
  'abc\u202Egnp.exe\u2066x',
  'line one\nline two\r\u2028three\u0000\u001b[31mred\u0007',
  '\uD83D half a character \uDE00',
]
