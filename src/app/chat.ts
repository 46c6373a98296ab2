import { hash } from 'node:crypto'
import type { IRouter, Request } from 'express'
import type { Channel, SendResult } from '../channels/channel.ts'
import type {
  AnswerChat,
  ChatReply,
  ChatRequest,
  ProviderConnection,
  Receive,
  SignedAnswer,
} from '../channels/interaction.ts'
import { channelKinds, listenersOf } from '../channels/registry.ts'
import { createReplays } from '../channels/replays.ts'
import type { Config } from '../config/schema.ts'
import { shownLater } from '../decide/accept/later.ts'
import type { Person } from '../event/act.ts'
import { send } from '../intake/receive/answer.ts'
import { readBody } from '../intake/receive/body.ts'
import { scopeInWords } from '../message/render/acts.ts'
import { headline } from '../message/render/headline.ts'
import { statedSize } from '../message/render/levels.ts'
import { renderTest } from '../message/render/test-message.ts'
import { type Language, languages } from '../message/words/phrases.ts'
import { loadWords, type Words, wordsOf } from '../message/words/words.ts'
import type { Readiness } from '../operators/readiness.ts'
import { createAnswer } from '../people/converse/answer.ts'
import type { SendTest } from '../people/converse/commands.ts'
import type { ReplyWording } from '../people/converse/silencing.ts'
import { oneAtATime } from '../platform/one-at-a-time.ts'
import { explained, inShort } from '../record/explain/explained.ts'
import { type Store, stateOf } from '../store/store.ts'
import { controlOf } from './control.ts'
import type { AppEnvironment } from './environment.ts'
import { aborted, runAsLeader } from './leader.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './services.ts'

type ChatListener = ReturnType<typeof listenersOf>[number]

interface ChatParts {
  environment: Pick<AppEnvironment, 'consult'>
  running: RunningApp
  ready(): Promise<Readiness>
}

/** Paths that a provider may post to. The effective configuration says which are served. */
const paths = ['/slack', '/discord']

const notFound: SignedAnswer = {
  status: 404,
  body: { error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' } },
}
const unreadable: SignedAnswer = {
  status: 400,
  body: { error: { code: 'BODY_UNREADABLE', message: 'The body did not arrive in full, or is too large.' } },
}

/** Answers what people do in chats. One process keeps the connections for all; each answers requests. */
export function startChat(services: SharedServices, parts: ChatParts) {
  const { store, clock, log, incidents } = services
  const listeners = () => listenersOf(parts.running.current().config)
  const answer = answerOf(services, parts)
  const onError = (error: unknown) => log.warn({ error }, 'while answering in a chat')
  const replays = createReplays({ state: stateOf(store, 'chat-replays'), clock, onError })
  const open = new Map<ChatListener['provider'], { settings: string; connection: ProviderConnection }>()
  const receivers = new Map<string, { settings: string; receive: Promise<Receive> }>()
  let isLeading = false
  const inTurn = oneAtATime()

  async function connectTo({ provider, settings, connect }: ChatListener): Promise<void> {
    const name = channelKinds[provider].title
    const connection = await connect?.({
      answer,
      clock,
      onError,
      onHeard() {
        log.info({ provider }, 'listening for buttons and commands')
        incidents.resolves(`chat:${provider}`, `Buttons and commands in ${name} work again`)
      },
      onUnheard(why) {
        log.warn({ provider, why }, 'buttons and commands do not work')
        const title = `Buttons and commands in ${name} do not work`
        incidents.opens(`chat:${provider}`, { title, text: why })
      },
    })
    if (connection !== undefined) open.set(provider, { settings, connection })
  }

  async function connectAll(): Promise<void> {
    const wanted = isLeading ? listeners().filter(({ connect }) => connect !== undefined) : []
    for (const [provider, { settings, connection }] of open) {
      if (wanted.some((listener) => listener.provider === provider && listener.settings === settings))
        continue
      open.delete(provider)
      await connection.close()
      if (isLeading)
        incidents.resolves(`chat:${provider}`, `The settings of ${channelKinds[provider].title} have changed`)
    }
    for (const listener of wanted) if (!open.has(listener.provider)) await connectTo(listener)
  }

  function connectInTurn(): Promise<void> {
    return inTurn(connectAll).catch(onError)
  }

  const stop = runAsLeader('chat', {
    store,
    clock,
    async lead(signal) {
      isLeading = true
      await connectInTurn()
      await aborted(signal)
      isLeading = false
      await connectInTurn()
    },
    onError,
  })

  function receiverAt(path: string): Promise<Receive> | undefined {
    const listener = listeners().find(({ provider }) => `/${provider}` === path)
    if (listener?.receive === undefined) return undefined
    const before = receivers.get(path)
    if (before?.settings === listener.settings) return before.receive
    const receive = listener.receive({ answer, onError, replays })
    receivers.set(path, { settings: listener.settings, receive })
    return receive
  }

  async function answerRequest(request: Request, path: string): Promise<SignedAnswer> {
    const at = clock.now()
    const receive = await receiverAt(path)
    if (receive === undefined) return notFound
    const body = await readBody(request, clock)
    if (body.result !== 'bytes') return unreadable
    return receive({ body: body.bytes, header: (name) => request.get(name), at })
  }

  return {
    /** Adds the routes that providers post to. */
    addRoutes(routes: IRouter): void {
      for (const path of paths) {
        routes.post(path, async (request, response) => {
          const { status, body } = await answerRequest(request, path)
          if (!request.readableEnded) return send(request, response, { status, body }, clock)
          response.status(status)
          if (body === undefined) response.end()
          else response.json(body)
        })
      }
    },
    /** Another configuration is in force. */
    configChanged: () => void connectInTurn(),
    stop,
  }
}

function answerOf(services: SharedServices, { environment, running, ready }: ChatParts): AnswerChat {
  const { store, clock, log, acts } = services
  const control = controlOf(services, running)
  const config = () => running.current().config
  return createAnswer({
    acts,
    store,
    clock,
    telling: (request) => wordingOf(request, running, store),
    may(doing, { id }) {
      const permitted = config().chat[doing]
      return permitted === 'anyone' || permitted.includes(id)
    },
    async consult(question, words) {
      const { peopleService } = running.current()
      const reply = peopleService && (await environment.consult?.(question, words, peopleService))
      return reply ?? { text: words.say('serviceNotSetUp') }
    },
    status: async (wording) => statusLines(await ready(), wording),
    async explain(id) {
      const stored = await control.event(id)
      if (stored === undefined) return undefined
      const explanation = await explained(stored, control)
      return { title: explanation.title, lines: inShort(id, explanation) }
    },
    sendTest: (request, words) => replyToTest(request, words, running, clock.now()),
    sendHeld: control.sendHeld,
    channels: () => config().channels.map(({ name, type }) => `${name} (${type})`),
    onError: (error) => log.error({ error }, 'while answering in a chat'),
  })
}

function statusLines(
  { status, store, subscription, polling, channels, troubles }: Readiness,
  { words, timeZone }: ReplyWording,
): string[] {
  const time = (at: string) => words.time(at, timeZone)
  return [
    // Only what is set up has a chat.
    words.say('stateIs', {
      status: status === 'not_set_up' ? 'ready' : status,
      stored: store.ok ? 'yes' : 'no',
    }),
    words.say('waysAre', { subscription: subscription.state, polling: polling.mode }),
    ...channels
      .filter(({ waiting }) => waiting > 0)
      .map(({ name, waiting }) => words.say('channelWaits', { channel: name, count: waiting })),
    ...channels.flatMap(({ name, held = [] }) =>
      held.map(({ until, ...rest }) =>
        words.say('channelHolds', { ...rest, channel: name, until: time(until) }),
      ),
    ),
    // As the operators’ notices have it.
    ...troubles.map(({ title, since }) => words.say('troubleSince', { title, since: time(since) })),
  ]
}

/** Sends a test to the channel that goes to the place where somebody asks for one: once, and not through the queue. */
async function replyToTest(
  { by, key, place }: Parameters<SendTest>[0],
  words: Words,
  running: Pick<RunningApp, 'lend'>,
  now: number,
): Promise<ChatReply> {
  const sent = await sendTestTo(
    (channel) => channel.type === by.via && channel.place !== undefined && place.includes(channel.place),
    { by, key, command: '/bluepencil test' },
    { running, now },
  )
  if (sent === undefined) return { text: words.say('noChannelHere') }
  const { name: channel, result } = sent
  if (result.result === 'sent') return { text: words.say('testSent', { channel }) }
  return { text: words.say('testNotSent', { channel, why: result.why }) }
}

/** Sends a test to the first channel that fits; undefined if none does. */
export async function sendTestTo(
  fits: (channel: Channel) => boolean,
  { by, key, command }: { by: Pick<Person, 'name' | 'via'>; key: string; command: string },
  { running, now }: { running: Pick<RunningApp, 'lend'>; now: number },
): Promise<{ name: string; result: SendResult } | undefined> {
  return running.lend(async ({ channels, config }, signal) => {
    const channel = channels.find(fits)
    if (channel === undefined) return undefined
    const settings = config.channels.find(({ name }) => name === channel.name)
    const id = `test_${hash('sha256', `${by.via} ${key}`).slice(0, 16)}`
    const test = { id, by: by.name, at: new Date(now).toISOString(), command }
    const message = renderTest(test, settings ?? { timeZone: 'UTC' })
    const result = await channel.send(message, { uncertain: false, progress: [], signal })
    return { name: channel.name, result }
  })
}

/**
 * Language and time zone of the channel that goes where the request comes from. If none does: the language that the person has
 * set, or English, and the time zone of the first channel of that provider.
 */
async function wordingOf(
  { by, place, locale }: Pick<ChatRequest, 'by' | 'place' | 'locale'>,
  running: Pick<RunningApp, 'current'>,
  store: Pick<Store, 'later'>,
): Promise<ReplyWording> {
  const { config, channels } = running.current()
  const ofProvider = config.channels.filter(({ type }) => type === by.via)
  const here = ofProvider.find((settings: Config['channels'][number]) => {
    const goesTo = channels.find(({ name }) => name === settings.name)?.place
    return goesTo !== undefined && place.includes(goesTo)
  })
  const language = here === undefined ? languageOf(locale) : here.language
  await loadWords([language ?? 'en'])
  const words = wordsOf(language)
  return {
    words,
    timeZone: (here ?? ofProvider[0])?.timeZone ?? 'UTC',
    scope: (scope) => scopeInWords(scope, words),
    async headline(alert) {
      const later = shownLater(await store.later(alert.id))
      return headline(alert, { words, ...later, size: statedSize(alert, later) })
    },
  }
}

/** `pt-BR` is Portuguese, and `es-419` Spanish. */
function languageOf(locale: string | undefined): Language | undefined {
  const [prefix] = locale?.toLowerCase().split('-') ?? []
  return languages.find((language) => language === prefix)
}
