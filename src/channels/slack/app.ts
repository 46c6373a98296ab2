import { App, type Receiver, type ViewSubmitAction, webApi } from '@slack/bolt'
import * as z from 'zod'
import { isLoopback } from '../../platform/outbound/address.ts'
import { printable } from '../../platform/text.ts'
import type { Asker, ChatReply, ChatRequest, ListenParts } from '../interaction.ts'
import type { SlackAccount } from './config.ts'
import { command, linkAction, silenceView, slackActions } from './manifest.ts'
import { type FormState, modalAnswer, noForm, replyPayload, silenceModal } from './reply.ts'
import { exchange, silent, slackFetch } from './transport.ts'

const User = z.object({ id: z.string(), name: z.string().optional(), username: z.string().optional() })
const Click = z.object({
  user: User,
  trigger_id: z.string(),
  response_url: z.url(),
  channel: z.object({ id: z.string(), name: z.string().default('') }).optional(),
})
const Clicked = z.object({ value: z.string() })
const Command = z.object({
  user_id: z.string(),
  user_name: z.string().optional(),
  trigger_id: z.string(),
  response_url: z.url(),
  channel_id: z.string(),
  channel_name: z.string().default(''),
  text: z.string().default(''),
})
const Submission = z.object({
  user: User,
  view: z.object({
    id: z.string(),
    private_metadata: z.string(),
    state: z.object({
      values: z.object({
        until: z.object({ until: z.object({ selected_option: z.object({ value: z.string() }) }) }),
        why: z.object({ why: z.object({ value: z.string().nullish() }) }),
      }),
    }),
  }),
})
const Kept = z.object({
  about: z.string(),
  respondTo: z.url(),
  // A form that was opened before there was one has none.
  place: z.array(z.string()).default([]),
}) satisfies z.ZodType<FormState>

/** For one answer to a person, or the form: later is too late. Milliseconds. */
const patienceMs = 10_000

/**
 * Bolt's App, which gets clicks, commands and forms through its receiver. Slack is answered within three seconds; what
 * a person did is stored before, or said to take longer.
 */
export function createSlackApp(account: SlackAccount, receiver: Receiver, parts: ListenParts): App {
  const { answer, onError } = parts
  const fetching = () => slackFetch({ signal: AbortSignal.timeout(patienceMs), timeoutMs: patienceMs })
  const logger = silent(webApi.LogLevel.ERROR)
  const app = new App({
    receiver,
    logger,
    // The way of a request shows where it is from; requests with the bot's token are made below.
    authorize: async () => ({}),
    convoStore: false,
    ignoreSelf: false,
    clientOptions: { slackApiUrl: account.apiUrl, retryConfig: { retries: 0 }, logger },
  })

  /** What Slack keeps for half an hour, to answer who asked. */
  async function respond(url: string, reply: ChatReply): Promise<void> {
    const { protocol, hostname } = new URL(url)
    if (protocol !== 'https:' && !isLoopback(hostname))
      return onError(new Error('Slack names no safe address'))
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(replyPayload(reply)),
    }
    try {
      const patience = { signal: AbortSignal.timeout(patienceMs), timeoutMs: patienceMs }
      const { status } = await exchange(url, init, patience)
      if (status !== 200) onError(new Error(`Slack answers ${status} to what was to be said to a person`))
    } catch (error) {
      onError(error)
    }
  }

  async function openForm(trigger: string, state: FormState, { form, language }: ChatReply): Promise<void> {
    if (form === undefined) return
    const client = new webApi.WebClient(account.token, {
      slackApiUrl: account.apiUrl,
      fetch: fetching(),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger,
    })
    try {
      await client.apiCall('views.open', { trigger_id: trigger, view: silenceModal(form, state, language) })
    } catch (error) {
      onError(error)
      await respond(state.respondTo, noForm(language))
    }
  }

  function onClick(does: 'acknowledge' | 'ask-silence' | 'history', id: string): void {
    app.action(id, async ({ ack, body, action }) => {
      const { user, trigger_id: key, response_url: url, channel } = Click.parse(body)
      const { value: about } = Clicked.parse(action)
      const place = channel === undefined ? [] : placeOf(channel)
      const request: ChatRequest = { by: askerOf(user), key, place, does, about }
      const { reply, later, isRepeat } = await answer(request)
      // If the connection broke, Slack sends it again; the person is answered now all the same.
      await ack().catch(onError)
      if (isRepeat) return
      if (reply.form !== undefined) return openForm(key, { about, respondTo: url, place }, reply)
      await respond(url, reply)
      if (later !== undefined) await respond(url, await later)
    })
  }

  onClick('acknowledge', slackActions.acknowledge.id)
  onClick('ask-silence', slackActions.silence.id)
  onClick('history', slackActions.history.id)
  app.action(new RegExp(`^${linkAction}`), ({ ack }) => ack())

  app.command(command, async ({ ack, body }) => {
    const { user_id: id, user_name: name, trigger_id: key, response_url: url, ...more } = Command.parse(body)
    const { text: words, channel_id, channel_name } = more
    const place = placeOf({ id: channel_id, name: channel_name })
    const request: ChatRequest = { by: askerOf({ id, name }), key, place, does: 'command', words }
    const { reply, later, isRepeat } = await answer(request)
    await ack(replyPayload(reply))
    if (!isRepeat && later !== undefined) await respond(url, await later)
  })

  app.view<ViewSubmitAction>(silenceView, async ({ ack, body }) => {
    const { user, view } = Submission.parse(body)
    const { about, respondTo, place } = Kept.parse(JSON.parse(view.private_metadata))
    const { until, why } = view.state.values
    const { reply, later, isRepeat } = await answer({
      by: askerOf(user),
      key: view.id,
      place,
      does: 'silence',
      about,
      until: until.until.selected_option.value,
      why: why.why.value ?? '',
    })
    await ack(modalAnswer(reply))
    if (!isRepeat && later !== undefined) await respond(respondTo, await later)
  })

  app.error(async (error) => onError(error))
  return app
}

/** The id, and the name if Slack says it: of a private channel it does not. */
function placeOf({ id, name }: { id: string; name: string }): string[] {
  return [id, `#${name}`]
}

function askerOf({ id, name, username }: z.infer<typeof User>): Asker {
  return { id, name: printable(username ?? name ?? id).slice(0, 80), via: 'slack' }
}
