import type { IRouter, Request } from 'express'
import type { AnswerChat, ProviderConnection, Receive, SignedAnswer } from '../channels/interaction.ts'
import { listenersOf } from '../channels/registry.ts'
import { createReplays } from '../channels/replays.ts'
import { send } from '../intake/receive/answer.ts'
import { readBody } from '../intake/receive/body.ts'
import type { Readiness } from '../operators/readiness.ts'
import { createAnswer } from '../people/converse/answer.ts'
import type { ReplyWording } from '../people/converse/silencing.ts'
import { explained, inShort } from '../record/explain/explained.ts'
import { stateOf } from '../store/state-of.ts'
import { sendTest } from './chat-test.ts'
import { tellingOf } from './chat-words.ts'
import { startDuty } from './leadership.ts'
import type { RunningApp } from './running-app.ts'
import { controlOf } from './serving.ts'
import type { AppEnvironment, SharedServices } from './shared-services.ts'

/** Hears what people do in chats, and answers them. */
export interface Answering {
  /** Adds the ways in for what providers post. */
  chat(routes: IRouter): void
  /** Another configuration is in force. */
  changed(): void
  stop(): Promise<void>
}

interface AnsweringParts {
  environment: Pick<AppEnvironment, 'consult'>
  reloadable: RunningApp
  ready(): Promise<Readiness>
}

/** Paths at which a provider may post; which of them are served, the configuration in force says. */
const paths = ['/slack', '/discord']

type ChatListener = ReturnType<typeof listenersOf>[number]

/** Connections are kept by one process for all; requests are answered by any. */
export function startAnswering(services: SharedServices, parts: AnsweringParts): Answering {
  const { store, clock, log, incidents } = services
  const { reloadable } = parts
  const answer = answerOf(services, parts)
  const onError = (error: unknown) => log.warn({ error }, 'while answering in a chat')
  const replays = createReplays({ state: stateOf(store, 'chat-replays'), clock, onError })
  const open = new Map<ChatListener['provider'], { settings: string; connection: ProviderConnection }>()
  const receivers = new Map<string, { settings: string; receive: Promise<Receive> }>()
  let isOnDuty = false
  let turn: Promise<void> = Promise.resolve()

  async function connectTo({ provider, settings, connect }: ChatListener): Promise<void> {
    const name = nameOf(provider)
    const connection = await connect?.({
      answer,
      clock,
      onError,
      onHeard() {
        log.info({ provider }, 'listening to what people do')
        incidents.resolves(`chat:${provider}`, `What people do in ${name} reaches Bluepencil again`)
      },
      onUnheard(why) {
        log.warn({ provider, why }, 'what people do is not heard')
        const title = `What people do in ${name} does not reach Bluepencil`
        incidents.opens(`chat:${provider}`, { title, text: why })
      },
    })
    if (connection !== undefined) open.set(provider, { settings, connection })
  }

  function listeners(): ChatListener[] {
    return listenersOf(reloadable.current().config)
  }

  async function settle(): Promise<void> {
    const wanted = isOnDuty ? listeners().filter(({ connect }) => connect !== undefined) : []
    for (const [provider, { settings, connection }] of open) {
      if (wanted.some((one) => one.provider === provider && one.settings === settings)) continue
      open.delete(provider)
      await connection.close()
      if (isOnDuty) incidents.resolves(`chat:${provider}`, `${nameOf(provider)} has other settings now`)
    }
    for (const one of wanted) if (!open.has(one.provider)) await connectTo(one)
  }

  /** One after the other. */
  function settleInTurn(): Promise<void> {
    turn = turn.then(settle).catch(onError)
    return turn
  }

  const duty = startDuty({
    role: 'chat',
    store,
    clock,
    async begin() {
      isOnDuty = true
      await settleInTurn()
      return () => {
        isOnDuty = false
        return settleInTurn()
      }
    },
    onError,
  })

  function receiverAt(path: string): Promise<Receive> | undefined {
    const listener = listeners().find(({ provider }) => `/${provider}` === path)
    if (listener?.receive === undefined) return undefined
    const open = receivers.get(path)
    if (open?.settings === listener.settings) return open.receive
    const receive = listener.receive({ answer, onError, replays })
    receivers.set(path, { settings: listener.settings, receive })
    return receive
  }

  async function received(request: Request, path: string): Promise<SignedAnswer> {
    const at = clock.now()
    const receive = await receiverAt(path)
    if (receive === undefined) return nothingThere
    const body = await readBody(request, clock)
    if (body.result !== 'bytes') return unread
    const header = (name: string) => request.get(name)
    return receive({ body: body.bytes, header, at })
  }

  return {
    chat(routes) {
      for (const path of paths) {
        routes.post(path, async (request, response) => {
          const { status, body } = await received(request, path)
          if (!request.readableEnded) return send(request, response, { status, body }, clock)
          response.status(status)
          if (body === undefined) response.end()
          else response.json(body)
        })
      }
    },
    changed: () => void settleInTurn(),
    stop: () => duty.stop(),
  }
}

const nothingThere: SignedAnswer = {
  status: 404,
  body: { error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' } },
}
const unread: SignedAnswer = {
  status: 400,
  body: { error: { code: 'BODY_UNREADABLE', message: 'The body did not arrive in full, or is too large.' } },
}

function nameOf(provider: ChatListener['provider']): string {
  return provider === 'slack' ? 'Slack' : 'Discord'
}

function answerOf(services: SharedServices, { environment, reloadable, ready }: AnsweringParts): AnswerChat {
  const { store, clock, log, acts } = services
  const control = controlOf(services, reloadable)
  const config = () => reloadable.current().config
  return createAnswer({
    acts,
    store,
    clock,
    telling(asked) {
      const { config, channels: opened } = reloadable.current()
      return tellingOf(asked, { channels: config.channels, opened, store })
    },
    may(doing, { id }) {
      const permitted = config().chat[doing]
      return permitted === 'anyone' || permitted.includes(id)
    },
    async consult(question, words) {
      const { peopleService } = reloadable.current()
      const reply = peopleService && (await environment.consult?.(question, words, peopleService))
      return reply ?? { text: words.say('serviceNotSetUp') }
    },
    status: async (telling) => statusLines(await ready(), telling),
    async explain(id) {
      const stored = await control.event(id)
      if (stored === undefined) return undefined
      const found = await explained(stored, control)
      return { title: found.title, lines: inShort(id, found) }
    },
    sendTest: (asked, words) => sendTest(asked, words, reloadable, clock.now()),
    sendHeld: (doer, channel) => controlOf(services, reloadable).sendHeld(doer, channel),
    channels: () => config().channels.map(({ name, type }) => `${name} (${type})`),
    onError: (error) => log.error({ error }, 'while answering in a chat'),
  })
}

function statusLines(
  { status, store, subscription, polling, channels, troubles }: Readiness,
  { words, timeZone }: ReplyWording,
): string[] {
  const waiting = channels.filter((one) => one.waiting > 0)
  return [
    words.say('stateIs', { status, stored: store.ok ? 'yes' : 'no' }),
    words.say('waysAre', { subscription: subscription.state, polling: polling.mode }),
    ...waiting.map((one) => words.say('channelWaits', { channel: one.name, count: one.waiting })),
    ...channels.flatMap(({ name, held = [] }) =>
      held.map(({ until, ...one }) =>
        words.say('channelHolds', { ...one, channel: name, until: words.time(until, timeZone) }),
      ),
    ),
    // As the operators’ notices have it.
    ...troubles.map(({ title, since }) =>
      words.say('troubleSince', { title, since: words.time(since, timeZone) }),
    ),
  ]
}
