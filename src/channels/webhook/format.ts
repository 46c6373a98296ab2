import { createHash } from 'node:crypto'
import type { Message, MessageSubject } from '../../message/message.ts'
import type { View } from '../kind.ts'
import type { WebhookBody } from './body.ts'

/** What is posted, and the id by which a receiver drops a repeat. */
export interface WebhookPayload {
  id: string
  body: WebhookBody
}

/** A message as it is sent first. The same on every try. */
export function formatWebhook(message: Message): WebhookPayload {
  const timestamp = new Date(message.happenedAt).toISOString()
  return { id: deliveryId(message.id), body: bodyOf(message, sentAs(message.about), timestamp) }
}

/**
 * A new version of a message. `since` is when the version before it was sent, ISO 8601. It gives an edit the same id on all its
 * tries, and another id than an earlier edit with the same words.
 */
export function formatEdit(message: Message, { since, now }: { since: string; now: number }): WebhookPayload {
  const body = bodyOf(message, editedAs(message.about), new Date(now).toISOString())
  return { id: `${deliveryId(message.id)}_edit_${hashOf(JSON.stringify([since, body.data]))}`, body }
}

function bodyOf(message: Message, type: WebhookBody['type'], timestamp: string): WebhookBody {
  const { id, thread, about, tone, kicker, headline, text, facts, links, caveats, source } = message
  const shown = { tone, kicker, headline, text, facts, links, caveats, source }
  return { type, timestamp, data: { id, thread, ...figuresOf(about), message: shown } }
}

function figuresOf(
  about: MessageSubject | undefined,
): Pick<WebhookBody['data'], 'alert' | 'story' | 'digest' | 'notice'> {
  switch (about?.kind) {
    case 'alert':
    case 'correction':
    case 'withdrawal': {
      const { story, ...alert } = about
      return story === undefined ? { alert } : { alert, story }
    }
    case 'digest': {
      const { id, of, from, until, alerts } = about
      return { digest: { id, of, from, until, alerts } }
    }
    case 'notice': {
      const { id, phase, channel } = about
      return { notice: { id, phase, channel } }
    }
    case 'report':
    case 'test':
    case undefined:
      return {}
  }
}

function sentAs(about: MessageSubject | undefined): WebhookBody['type'] {
  switch (about?.kind) {
    case 'correction':
    case 'withdrawal':
      return `alert.${about.kind}`
    case 'alert':
    case 'digest':
    case 'notice':
    case 'report':
    case 'test':
      return about.kind
    case undefined:
      return 'message'
  }
}

function editedAs(about: MessageSubject | undefined): WebhookBody['type'] {
  switch (about?.kind) {
    case 'alert':
    case 'correction':
    case 'withdrawal':
      return 'alert.edited'
    case 'digest':
    case 'notice':
      return `${about.kind}.edited`
    case 'report':
    case 'test':
    case undefined:
      return 'message.edited'
  }
}

/** An event's id may be anything that the service wrote, and a full stop ends the id in what is signed. */
function deliveryId(id: string): string {
  return /^[\w~-]{1,120}$/.test(id) ? id : `sha256_${hashOf(id)}`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Who gets it is a program: it is shown as it is posted. */
export function viewOnWebhook(message: Message): View {
  const { body } = formatWebhook(message)
  const json = JSON.stringify(body, null, 2)
  return { text: () => json, payload: body, files: { json: `${json}\n` } }
}
