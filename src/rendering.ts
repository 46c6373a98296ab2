import { membersIn, shownLater } from './decide/accept/later.ts'
import { mentioning, mentionsOf } from './decide/route/mentions.ts'
import { isStandIn } from './decide/route/recipients.ts'
import type { RoutedChannel } from './decide/route/route.ts'
import type { DeliveryParts } from './deliver/deliver.ts'
import { type RenderContext, render, renderSummary } from './message/render/render.ts'
import { renderFollowUp } from './message/render/story.ts'
import type { PipelineParts } from './pipeline-parts.ts'

type RenderingParts = Pick<
  PipelineParts,
  'channels' | 'routing' | 'isOpen' | 'service' | 'pageOf' | 'picture'
>

/** Makes the message of an entry for a channel, and its picture, by what is configured for it and by what is known now. */
export function rendering({
  channels,
  routing,
  isOpen,
  service,
  pageOf,
  picture,
}: RenderingParts): Pick<DeliveryParts, 'render' | 'renderFollowUp' | 'renderSummary' | 'picture'> {
  const heard = new Set(channels.filter(({ isHeard }) => isHeard === true).map(({ name }) => name))
  const settings = new Map<string, RoutedChannel>(routing.channels.map((channel) => [channel.name, channel]))

  const languageOf = (channel: string) => settings.get(channel)?.language ?? 'en'

  /** A channel that is configured no more may have an edit to come. */
  function contextOf(channel: string): RenderContext {
    const { timeZone = 'UTC' } = settings.get(channel) ?? {}
    return { service, timeZone, language: languageOf(channel), pageOf }
  }

  return {
    render({ entry, channel, againAt, later }) {
      const isOver = entry.kind === 'notice' && entry.about !== undefined && !isOpen(entry.about)
      const message = render(entry, {
        ...contextOf(channel),
        again: againAt,
        isHeard: heard.has(channel),
        ...shownLater(later),
        members: membersIn(entry.id, later, channel),
        isStandIn: entry.kind === 'notice' && isStandIn(entry, channel, routing.operators),
        isOver,
      })
      // What is sent again has rung before, and what is over need not.
      const mentions =
        againAt === undefined && !isOver ? mentionsOf(entry, settings.get(channel)?.mentions) : []
      return mentioning(message, mentions)
    },
    renderFollowUp({ entry, channel, later, ids }) {
      const grown = membersIn(entry.id, later, channel).filter(({ alert }) => ids.includes(alert.id))
      return renderFollowUp(entry.id, grown, contextOf(channel))
    },
    picture: picture && ((alert, { channel, look }) => picture(alert, look, languageOf(channel))),
    renderSummary: ({ channel, ...missed }) => renderSummary(missed, contextOf(channel)),
  }
}
