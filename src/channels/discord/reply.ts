import {
  type APIInteractionResponse,
  ComponentType,
  InteractionResponseType,
  MessageFlags,
  TextInputStyle,
} from 'discord.js'
import { wordsOf } from '../../message/words/words.ts'
import { type ChatReply, longestWhy } from '../interaction.ts'
import { customId } from './actions.ts'
import { asIs, fit } from './text.ts'

const longest = 2_000

/** An answer for who asked alone, or the form that was asked for. */
export function responseTo(reply: ChatReply): APIInteractionResponse {
  const modal = modalOf(reply)
  if (modal !== undefined) return modal
  const data = { ...contentOfReply(reply), flags: MessageFlags.Ephemeral } as const
  return { type: InteractionResponseType.ChannelMessageWithSource, data }
}

export function contentOfReply({ text, list = [], figures }: ChatReply) {
  const columns = figures === undefined ? '' : `\n\`\`\`\n${figures.replaceAll('`', "'")}\n\`\`\``
  let content = fit(text, longest)
  for (const line of list) {
    const more = `\n- ${fit(line, longest)}`
    if (content.length + more.length > longest) break
    content += more
  }
  // Figures beyond all measure are left out whole: half of a chart is another one.
  if (content.length + columns.length <= longest) content += columns
  return { content, allowed_mentions: { parse: [] } }
}

/** https://docs.discord.com/developers/components/reference#label */
function modalOf({ form, language }: ChatReply): APIInteractionResponse | undefined {
  if (form === undefined) return undefined
  const { about, scope, ends } = form
  const { say } = wordsOf(language)
  const id = customId('silence', about)
  if (id === undefined) return undefined
  return {
    type: InteractionResponseType.Modal,
    data: {
      custom_id: id,
      title: fit(say('formTitle'), 45, asIs),
      components: [
        {
          type: ComponentType.Label,
          label: say('formDuration'),
          description: fit(say('formScope', { scope }), 100, asIs),
          component: {
            type: ComponentType.StringSelect,
            custom_id: 'until',
            options: ends.map(({ value, label }, index) => ({ value, label, default: index === 0 })),
          },
        },
        {
          type: ComponentType.Label,
          label: say('formWhy'),
          component: {
            type: ComponentType.TextInput,
            custom_id: 'why',
            style: TextInputStyle.Short,
            max_length: longestWhy,
          },
        },
      ],
    },
  }
}
