import type { types } from '@slack/bolt'
import type { Language } from '../../message/words/phrases.ts'
import { wordsOf } from '../../message/words/words.ts'
import { type ChatReply, longestWhy, type SilenceForm } from '../interaction.ts'
import { plainText } from './format.ts'
import { command, silenceView } from './manifest.ts'
import { cut, escapeControl, plain } from './text.ts'

/** Slack's limit is 3,000 for a text, and 4,000 for the top-level one. */
const room = 2_900

interface ReplyPayload {
  text: string
  blocks: (types.SectionBlock | types.RichTextBlock)[]
}

/** An answer for who asked alone, as Slack accepts it from a command or at a `response_url`. */
export function replyPayload(
  reply: ChatReply,
): ReplyPayload & { response_type: 'ephemeral'; replace_original: false } {
  return { response_type: 'ephemeral', replace_original: false, ...shown(reply) }
}

function shown({ text, list = [], figures }: ChatReply): ReplyPayload {
  const lines = [plain(text), ...list.map((line) => `• ${plain(line)}`)].join('\n')
  const blocks: ReplyPayload['blocks'] = [{ type: 'section', text: plainText(lines, room) }]
  if (figures !== undefined) {
    // Slack drops a letter of no width, and fails at a control character.
    const columns = figures.split('\n').map((line) => line.replace(/\p{C}/gu, ''))
    const text = cut(columns.join('\n'), room)
    blocks.push({
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }],
    })
  }
  return { text: escapeControl(cut(lines, room)), blocks }
}

/** What the form holds until it is sent: Slack keeps it, and shows it to nobody. */
export interface FormState {
  about: string
  /** Where who asked can be answered outside of the form. */
  respondTo: string
  /** Where it was asked for. */
  place: string[]
}

/** https://docs.slack.dev/surfaces/modals */
export function silenceModal(form: SilenceForm, state: FormState, language?: Language) {
  const { say } = wordsOf(language)
  const options = form.ends.map(({ value, label }) => ({ text: plainText(label, 75), value }))
  const [first] = options
  return {
    type: 'modal' as const,
    callback_id: silenceView,
    private_metadata: JSON.stringify(state),
    title: plainText(say('formTitle'), 24),
    submit: plainText(say('formSend'), 24),
    close: plainText(say('formCancel'), 24),
    blocks: [
      { type: 'section', text: plainText(say('formScope', { scope: plain(form.scope) }), room) },
      {
        type: 'input',
        block_id: 'until',
        label: plainText(say('formDuration'), 150),
        element: {
          type: 'static_select',
          action_id: 'until',
          options,
          ...(first !== undefined && { initial_option: first }),
        },
      },
      {
        type: 'input',
        block_id: 'why',
        label: plainText(say('formWhy'), 150),
        element: { type: 'plain_text_input', action_id: 'why', max_length: longestWhy },
      },
    ],
  }
}

/** What stands in the form's place when it was sent. */
export function modalAnswer(reply: ChatReply) {
  const { blocks } = shown(reply)
  const { say } = wordsOf(reply.language)
  const [title, close] = [plainText(say('formTitle'), 24), plainText(say('formClose'), 24)]
  return { response_action: 'update' as const, view: { type: 'modal' as const, title, close, blocks } }
}

export function noForm(language?: Language): ChatReply {
  return { text: wordsOf(language).say('noForm', { written: `${command} silence claude 1h` }) }
}
