import { afterAll, beforeAll, vi } from 'vitest'
import { nasty } from '../security/texts.ts'
import { type Desk, openDesk } from './desk.ts'
import { harmful } from './markup.ts'

/** What an address of ours may say. */
export const queries = [
  'words',
  'model',
  'category',
  'type',
  'channel',
  'outcome',
  'from',
  'to',
  'before',
  'done',
  'about',
  'until',
  'why',
  'whatever',
]

/** A console full of alerts, silences and acts with hostile text in them, for all tests of a file. */
export function hostileDesk(): () => Desk {
  const ends: (() => Promise<void>)[] = []
  let desk: Desk

  beforeAll(async () => {
    desk = await openDesk(
      { channels: [{ name: 'desk', type: 'console', timeZone: 'UTC' }] },
      { closing: (end) => void ends.push(end) },
    )
    for (const [index, whole] of [harmful('all'), ...nasty].entries()) {
      // A delivery has a largest size.
      const text = whole.slice(0, 4_000)
      await desk.deliver(`evt_nasty${index}`, {
        type: text,
        model: text,
        methodology: text,
        data: { category: text, delta: text, detected_at: text, more: text },
      })
    }
    await desk.deliver(harmful('id'))
    await desk.deliver('evt_methodology', { methodology: "https://monitor.example/'onmouseover=ran(1)//<b>" })
    const visitor = desk.visitor()
    await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_methodology'))
    await visitor.submit('/silences', '/silences', { model: 'claude', until: '1h', why: harmful('why') })
    await visitor.submit('/alerts/evt_nasty0', '/alerts/evt_nasty0/acknowledge')
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return () => desk
}
