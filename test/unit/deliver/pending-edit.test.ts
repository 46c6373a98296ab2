import { expect, test } from 'vitest'
import { pendingEditOf } from '../../../src/deliver/edit.ts'
import type { Act } from '../../../src/event/act.ts'
import type { Entry } from '../../../src/event/event.ts'
import type { Message } from '../../../src/message/message.ts'
import type { FollowUps } from '../../../src/store/near.ts'
import { alert } from '../../support/fakes/events.ts'

test('an edit keeps what its message already shows, even if that is older than the recent alerts', async () => {
  const done = {
    kind: 'act',
    does: 'acknowledge',
    about: 'evt_1',
    receivedAt: '2026-11-21T13:10:00.000Z',
  } as const
  const ana: Act = { ...done, id: 'act_ana', by: { name: 'Ana', via: 'command' } }
  const ben: Act = { ...done, id: 'act_ben', by: { name: 'Ben', via: 'command' } }
  const reported = { id: 'evt_1', by: 'service' as const, type: null, model: null, category: null }
  const correction = alert({
    id: 'evt_1~2',
    revises: 'evt_1',
    before: { ...reported, delta: 12, detectedAt: null },
  })
  const stored: Entry[] = [ana, correction]
  let rendered: FollowUps | undefined
  await pendingEditOf(
    {
      entry: alert(),
      outcomes: {
        desk: {
          state: 'sent',
          at: done.receivedAt,
          attempts: 1,
          receipt: { text: 'r' },
          shows: '01',
          alsoTells: ['evt_1~2', 'act_ana'],
        },
      },
    },
    'desk',
    {
      store: {
        // Only the newest act is remembered.
        later: async () => ({ acts: [ben] }),
        find: async (id: string) => {
          const entry = stored.find((one) => one.id === id)
          return entry && { seq: 1, entry, outcomes: {} }
        },
      } as never,
      render({ later }): Message {
        rendered = later
        return {
          id: 'evt_1',
          thread: '',
          tone: 'rise',
          kicker: '',
          headline: '',
          text: [],
          facts: [],
          links: [],
          caveats: [],
          source: '',
          happenedAt: 0,
        }
      },
    },
  )
  expect(rendered).toMatchObject({
    revision: { id: 'evt_1~2' },
    acts: [{ id: 'act_ana' }, { id: 'act_ben' }],
  })
})
