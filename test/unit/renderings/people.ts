import type { Act } from '../../../src/event/act.ts'
import type { Digest } from '../../../src/event/digest.ts'
import type { AlertEvent } from '../../../src/event/event.ts'
import { reported } from './reported.ts'

export const acknowledgement: Act = {
  kind: 'act',
  id: 'act_acknowledged',
  does: 'acknowledge',
  by: { name: 'Ana Ruiz', via: 'slack' },
  about: 'evt_01J9ZK3T7M',
  receivedAt: '2026-11-21T14:09:00.000Z',
}

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

export const digest: Digest = {
  kind: 'digest',
  id: 'dgs_9c02e7a5',
  channel: 'ai-desk',
  by: 'quiet',
  from: '2026-11-21T21:00:00.000Z',
  until: '2026-11-22T06:00:00.000Z',
  count: 3,
  of: ['evt_01J9ZW1', 'evt_01J9ZW2', 'evt_01J9ZW3'],
  items: [
    held('evt_01J9ZW1', 'gemini', 'safety', 14, '2026-11-21T23:40:00.000Z'),
    held('evt_01J9ZW2', 'claude', 'political', 9, '2026-11-22T01:15:00.000Z'),
    held('evt_01J9ZW3', 'mistral', 'social', -4, '2026-11-22T04:30:00.000Z'),
  ],
  receivedAt: '2026-11-22T06:00:00.000Z',
}

function held(id: string, model: string, category: string, delta: number, at: string): AlertEvent {
  return { ...reported(), id, model, category, delta, detectedAt: at, receivedAt: at }
}
