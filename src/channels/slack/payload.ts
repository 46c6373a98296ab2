/**
 * What leaves for Slack: the arguments of chat.postMessage but for the channel. The types name only the
 * blocks and elements that the format uses; one of them alone can mention somebody, and holds nothing else.
 * https://docs.slack.dev/reference/block-kit/blocks
 */
export interface SlackPayload {
  /** Escaped. Notifications show it and screen readers read it, instead of the blocks. */
  text: string
  blocks: SlackBlock[]
  /** Finds the message again after a crash (https://docs.slack.dev/messaging/message-metadata). */
  metadata: { event_type: 'bluepencil_alert'; event_payload: { event_id: string } }
  mrkdwn: false
  parse: 'none'
  link_names: false
  unfurl_links: false
  unfurl_media: false
}

export type SlackBlock = HeaderBlock | SectionBlock | RichTextBlock | ContextBlock | ActionsBlock

/** https://docs.slack.dev/reference/block-kit/block-elements/button-element */
interface ActionsBlock {
  type: 'actions'
  elements: SlackButton[]
}

export interface SlackButton {
  type: 'button'
  action_id: string
  text: PlainText
  /** What comes back with a click: the event's id. */
  value?: string
  /** It is opened, and the click is reported all the same. */
  url?: string
}

interface HeaderBlock {
  type: 'header'
  text: PlainText
}

export interface SectionBlock {
  type: 'section'
  /** Markup is for mentions. */
  text?: PlainText | Markup
  /** Two columns, row by row: a label, its value, the next label. */
  fields?: (PlainText | Markup)[]
}

export interface RichTextBlock {
  type: 'rich_text'
  elements: { type: 'rich_text_section' | 'rich_text_quote'; elements: RichTextElement[] }[]
}

interface ContextBlock {
  type: 'context'
  elements: PlainText[]
}

/** `emoji: false` keeps `:name:` as it is written. */
export interface PlainText {
  type: 'plain_text'
  text: string
  emoji: false
}

/** Slack's own markup; for words of ours that hold none of its signs. `verbatim` links nothing. */
export interface Markup {
  type: 'mrkdwn'
  text: string
  verbatim: true
}

export type RichTextElement =
  | { type: 'text'; text: string; style?: { bold: true } }
  | { type: 'link'; url: string; text: string }
