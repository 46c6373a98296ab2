import { changeOf, reportedAlertOf } from '../../../../src/decide/accept/correlate.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Message } from '../../../../src/message/message.ts'
import { type RenderContext, render } from '../../../../src/message/render/render.ts'
import { renderFollowUp, type StoryAlert } from '../../../../src/message/render/story.ts'
import { alert, finding, levels, noFigures } from '../../../support/fakes/events.ts'

const later = '2026-11-23T13:05:00.000Z'

/** Three alerts: one goes the other way and was corrected. */
export function storyThatGrows(context: RenderContext): Message {
  const fewer = alert({ id: 'evt_3', model: 'qwen', delta: -9 })
  const corrected = alert({ id: 'evt_3~2', model: 'qwen', delta: -7 })
  return render(alert({ figures: { ...noFigures, state: 'visible', levels: levels() } }), {
    ...context,
    members: [
      { alert: alert({ id: 'evt_2', model: 'gemini', delta: 8 }) },
      { alert: fewer, revision: { ...reportedAlertOf(corrected), receivedAt: later } },
    ],
  })
}

/** Each sentence that is said of a story, at least once. */
export function stories(context: RenderContext): [name: string, message: Message][] {
  const told = (name: string, first: Partial<AlertEvent>, ...others: Partial<AlertEvent>[]) => {
    const members = others.map((one, n): StoryAlert => ({ alert: alert({ id: `evt_${n + 2}`, ...one }) }))
    return [name, render(alert(first), { ...context, members })] as [string, Message]
  }
  const polled = finding({ id: 'poll_2', model: 'gemini' })
  const confirmation = { ...reportedAlertOf(polled), receivedAt: later, figures: polled.figures }
  const withdrawn = { ...reportedAlertOf(finding({ delta: 0 })), receivedAt: later }
  return [
    told('models that rise', {}, { model: 'gemini' }),
    told('models that fall', { delta: -3 }, { model: 'gemini', delta: -4 }),
    told('categories that rise', {}, { category: 'safety' }),
    told('categories that fall', { delta: -3 }, { category: 'safety', delta: -4 }),
    told('categories both ways', {}, { category: 'safety', delta: -4 }, { category: 'social' }),
    told('one model and category', {}, {}),
    told('one model, overall and political', {}, { category: 'overall' }),
    told('one of no size', {}, { model: 'gemini', delta: null }),
    told('an unknown model', { model: 'Ada' }, { model: 'Ada', category: 'safety' }),
    told('many', {}, ...Array.from({ length: 20 }, (_, n) => ({ model: `Ada${n}` }))),
    [
      'seen by the other way',
      render(alert(), { ...context, members: [{ alert: alert({ id: 'evt_2' }), other: changeOf(polled) }] }),
    ],
    ['what is new in a story', renderFollowUp('evt_1', [{ alert: alert() }], context)],
    ['confirmed', render(alert(), { ...context, members: [{ alert: polled, confirmation }] })],
    ['withdrawn', render(alert(), { ...context, members: [{ alert: polled, revision: withdrawn }] })],
  ]
}
