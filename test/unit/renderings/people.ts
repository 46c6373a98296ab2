import { CommonSettings } from '../../../src/channels/settings.ts'
import { compose } from '../../../src/decide/digest/make-digest.ts'
import type { Act } from '../../../src/event/act.ts'
import type { AlertEvent, Digest } from '../../../src/event/event.ts'
import { reported } from './reported.ts'

export const acknowledgement: Act = {
  kind: 'act',
  id: 'act_acknowledged',
  does: 'acknowledge',
  by: { name: 'Ana Ruiz', via: 'slack' },
  about: 'evt_01J9ZK3T7M',
  receivedAt: '2026-11-21T14:09:00.000Z',
}

export const publication = {
  kind: 'act',
  id: 'act_published',
  does: 'set-desk',
  state: 'published',
  story: 'https://news.example/2026/claude-refuses-more',
  click: 'act_click',
  by: { name: 'Ana Ruiz', via: 'console' },
  about: 'evt_01J9ZK3T7M',
  receivedAt: '2026-11-21T16:30:00.000Z',
} satisfies Act

export const silence = {
  kind: 'act',
  id: 'act_silenced',
  does: 'silence',
  by: { name: 'Ben Okafor', via: 'discord' },
  about: 'evt_01J9ZK3T7M',
  scope: { model: 'claude', category: 'political' },
  until: '2026-11-22T08:00:00.000Z',
  why: 'election night, we are watching it',
  receivedAt: '2026-11-21T14:20:00.000Z',
} satisfies Act

/** The channel of all examples. */
export const desk = CommonSettings.parse({
  name: 'ai-desk',
  timeZone: 'Europe/Berlin',
  quiet: { from: '22:00', to: '07:00' },
})

/** What came in the quiet hours. */
export const digest = together('dgs_9c02e7a5', 'quiet', '2026-11-22T06:00:00.000Z', [
  came('evt_01J9ZW1', 'gemini', 'safety', 14, '2026-11-21T23:40:00.000Z'),
  came('evt_01J9ZW2', 'claude', 'political', 9, '2026-11-22T01:15:00.000Z'),
  came('evt_01J9ZW3', 'mistral', 'social', -4, '2026-11-22T04:30:00.000Z'),
])

/** What came of the model and the category that somebody had silenced. */
export const silenceReport = together(
  'dgs_4b7d20c1',
  silence.id,
  silence.until,
  [
    came('evt_01J9ZX1', 'claude', 'political', 3, '2026-11-21T18:20:00.000Z'),
    came('evt_01J9ZX2', 'claude', 'political', 9, '2026-11-22T01:15:00.000Z'),
    came('evt_01J9ZX3', 'claude', 'political', -4, '2026-11-22T06:30:00.000Z'),
  ],
  silence,
)

function together(
  id: string,
  by: string,
  until: string,
  alerts: AlertEvent[],
  silenced?: typeof silence,
): Digest {
  const ended = Date.parse(until)
  const { digest } = compose({
    id,
    channel: desk.name,
    by,
    until: ended,
    now: ended,
    alerts,
    reports: new Map(),
    copies: new Map(),
    published: new Map(),
    ...(silenced && { silence: { by: silenced.by, why: silenced.why, scope: silenced.scope } }),
  })
  if (digest === undefined) throw new Error(`${id} is no digest`)
  return digest
}

function came(id: string, model: string, category: string, delta: number, at: string): AlertEvent {
  return { ...reported(), id, model, category, delta, detectedAt: at, receivedAt: at }
}
