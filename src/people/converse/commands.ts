import type { ChatReply, ChatRequest } from '../../channels/interaction.ts'
import type { DeskState } from '../../event/desk.ts'
import { knownModels } from '../../event/event.ts'
import type { CommandName, PhraseName } from '../../message/words/phrases.ts'
import type { Words } from '../../message/words/words.ts'
import type { Doer, SentHeld } from './acts.ts'
import type { ReplyWording, Silencing, SilencingParts } from './silencing.ts'
import { endFrom } from './until.ts'

const periods = ['7d', '30d', '90d', '1y'] as const
type CommandPeriod = (typeof periods)[number]
const categories = ['political', 'safety', 'social', 'all'] as const
type CommandCategory = (typeof categories)[number]

/** What is asked of the service. */
export type FiguresQuestion =
  | { what: 'history'; model: string; category?: CommandCategory; period?: CommandPeriod }
  | { what: 'compare'; models: string[] }

/** Asks the service; says it if that does not answer, or if there is none. Rejects with what operators have to mend. */
type Consult = (question: FiguresQuestion, words: Words) => Promise<ChatReply>

export interface CommandParts extends SilencingParts {
  silencing: Silencing
  /** Asks the service. */
  consult: Consult
  /** What works, and what is wrong: a line each. */
  status(telling: ReplyWording): Promise<string[]>
  /** What became of an event: its title, and a few lines. Undefined if it is not stored. */
  explain(id: string): Promise<{ title: string; lines: string[] } | undefined>
  channels(): string[]
  sendTest: SendTest
  sendHeld(doer: Doer, channel: string): Promise<SentHeld>
}

type GivenCommand = Extract<ChatRequest, { does: 'command' }>

/** Sends a test to the channel in which it is asked for, and says what came of it. */
export type SendTest = (asked: Pick<GivenCommand, 'by' | 'key' | 'place'>, words: Words) => Promise<ChatReply>

interface Command {
  /** What stands behind its name. */
  usage?: PhraseName & `usage.${string}`
  answer(
    written: string[],
    parts: CommandParts,
    asked: GivenCommand,
  ): Promise<ChatReply> | ChatReply | undefined
}

/** What may be written behind `/bluepencil`. A command that cannot be read answers undefined. */
const commands: Record<CommandName, Command> = {
  status: {
    answer: async (_written, { status, telling }) => ({ text: 'Bluepencil', list: await status(telling) }),
  },
  latest: { answer: (_written, parts) => latest(parts) },
  history: {
    usage: 'usage.history',
    answer(written, { consult, telling: { words } }) {
      const [model, ...rest] = written
      const period = periods.find((one) => rest.includes(one))
      const category = categoryNamed(rest)
      const isRead = rest.every((word) => word === period || word === category)
      if (!isModel(model) || !isRead) return undefined
      return consult(
        { what: 'history', model, ...(category && { category }), ...(period && { period }) },
        words,
      )
    },
  },
  compare: {
    usage: 'usage.compare',
    answer: (written, { consult, telling: { words } }) =>
      written.length === 2 && written.every(isModel)
        ? consult({ what: 'compare', models: written }, words)
        : undefined,
  },
  checking: {
    usage: 'usage.checking',
    answer: (_written, parts, asked) => setDesk('checking', parts, asked),
  },
  published: {
    usage: 'usage.published',
    answer: (_written, parts, asked) => setDesk('published', parts, asked),
  },
  reopen: { usage: 'usage.reopen', answer: (_written, parts, asked) => setDesk('new', parts, asked) },
  silence: { usage: 'usage.silence', answer: silence },
  silences: { answer: (_written, parts) => silences(parts) },
  'send-held': { usage: 'usage.send-held', answer: sendHeld },
  channels: {
    answer: (_written, { channels, telling: { words } }) => ({
      text: words.say('alertsGoTo'),
      list: channels(),
    }),
  },
  why: { usage: 'usage.why', answer: why },
  test: { answer: (_written, { sendTest, telling: { words } }, asked) => sendTest(asked, words) },
  help: { answer: (_written, { telling: { words } }) => help('commandsAre', words) },
}

const newest = 5

export async function answerCommand(asked: GivenCommand, parts: CommandParts): Promise<ChatReply> {
  const { words } = parts.telling
  const [name = 'help', ...written] = asked.words.toLowerCase().trim().split(/\s+/).filter(Boolean)
  if (!isCommand(name)) return help('noSuchCommand', words)
  const reply = await commands[name].answer(written, parts, asked)
  return (
    reply ?? {
      text: words.say('writeThus', { written: usageOf(name, words), models: knownModels.join(', ') }),
    }
  )
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name)
}

/** "/bluepencil compare MODEL MODEL". */
function usageOf(name: CommandName, words: Words): string {
  const { usage } = commands[name]
  return `/bluepencil ${name}${usage === undefined ? '' : ` ${words.say(usage)}`}`
}

/** A category that the service has readings of, among words. */
export function categoryNamed(words: readonly string[]): CommandCategory | undefined {
  return categories.find((one) => words.includes(one))
}

function help(text: 'commandsAre' | 'noSuchCommand', words: Words): ChatReply {
  const names = Object.keys(commands).filter(isCommand)
  const list = names.map((name) =>
    words.say('labelled', { label: usageOf(name, words), value: words.say(`does.${name}`) }),
  )
  return { text: words.say(text), list }
}

function isModel(word: string | undefined): word is string {
  return word !== undefined && knownModels.some((model) => model === word)
}

/** The reason keeps its capitals: it is shown. */
function silence(
  written: string[],
  parts: CommandParts,
  asked: GivenCommand,
): Promise<ChatReply> | undefined {
  const [model, second] = written
  const { silencing, telling, clock } = parts
  /** The end that begins at a word: two words, or one. What begins with a digit is meant as one, and may be answered as unreadable. */
  function endAt(at: number): string | undefined {
    const [first = '', next = ''] = written.slice(at)
    const isEnd = (text: string) => endFrom(text, telling.timeZone, clock.now()) !== undefined
    if (next !== '' && isEnd(`${first} ${next}`)) return `${first} ${next}`
    return isEnd(first) || /^\d/.test(first) ? first : undefined
  }
  const category = endAt(1) === undefined ? second : undefined
  const at = category === undefined ? 1 : 2
  const until = endAt(at)
  if (!(isModel(model) || model === 'all') || until === undefined) return undefined
  const why = asked.words
    .trim()
    .split(/\s+/)
    .slice(at + 1 + until.split(' ').length)
    .join(' ')
  const scope = {
    ...(model !== 'all' && { model }),
    ...(category !== undefined && category !== 'all' && { category }),
  }
  return silencing.ofScope(asked, { scope, until, why })
}

/** An id and an address keep their capitals. People who may acknowledge alerts may also say what the desk does about them. */
async function setDesk(
  state: DeskState,
  { acts, may, telling: { words, timeZone } }: CommandParts,
  { by, key, words: written }: GivenCommand,
): Promise<ChatReply> {
  const [, id, story] = written.trim().split(/\s+/)
  if (!may('acknowledge', by))
    return { text: words.say('mayNot', { doing: 'acknowledge', key: 'chat.acknowledge' }) }
  if (id === undefined || (state === 'published' && story === undefined)) {
    const label = usageOf(state === 'new' ? 'reopen' : state, words)
    return {
      text: words.say('labelled', {
        label,
        value: words.say(state === 'new' ? 'does.reopen' : `does.${state}`),
      }),
    }
  }
  const done = await acts.setDesk({ by, key }, id, { state, story })
  switch (done.result) {
    case 'unknown':
      return { text: words.say('alertNotFound') }
    case 'bad-address':
      return { text: words.say('badStoryAddress') }
    case 'outrun':
      return { text: words.say('deskOutrun', { by: done.desk.by?.name ?? '' }) }
    case 'done':
    case 'already': {
      const { desk, before } = done
      const text = words.say('deskDone', { state: desk.state, story: desk.story ?? '' })
      if (done.result === 'already' || before.state === 'new' || before.by?.id === by.id) return { text }
      const at = words.time(before.at ?? '', timeZone)
      const had = words.say('deskBefore', {
        was: before.state,
        by: before.by?.name ?? '',
        at,
        story: before.story ?? '',
      })
      return { text: `${text} ${had}` }
    }
  }
}

/** People who may silence alerts may also send what waits. */
async function sendHeld(
  [channel]: string[],
  { may, channels, sendHeld: send, telling: { words } }: CommandParts,
  { by, key }: GivenCommand,
): Promise<ChatReply> {
  if (channel === undefined) return { text: usageOf('send-held', words), list: channels() }
  if (!may('silence', by)) return { text: words.say('mayNot', { doing: 'send', key: 'chat.silence' }) }
  const done = await send({ by, key }, channel)
  switch (done.result) {
    case 'sent':
      return { text: words.say('heldSent', { count: done.count, channel }) }
    case 'nothing-held':
      return { text: words.say('nothingHeld', { channel }) }
    case 'unknown-channel':
      return { text: words.say('noSuchChannel', { channel, channels: done.channels.join(', ') }) }
  }
}

async function latest({ store, telling }: CommandParts): Promise<ChatReply> {
  const { words, timeZone } = telling
  const list: string[] = []
  for (const { entry: alert } of await store.list({ kind: 'alert', limit: newest, withoutOutcomes: true })) {
    if (alert.kind !== 'alert') continue
    const value = `${await telling.headline(alert)} (${alert.id})`
    list.push(words.say('labelled', { label: words.time(alert.receivedAt, timeZone), value }))
  }
  return { text: words.say(list.length === 0 ? 'noAlertStored' : 'newestAlerts'), list }
}

async function why(
  _written: string[],
  { explain, telling }: CommandParts,
  asked: GivenCommand,
): Promise<ChatReply> {
  const { words } = telling
  // An id keeps its capitals.
  const [, id] = asked.words.trim().split(/\s+/)
  if (id === undefined) {
    return { text: words.say('labelled', { label: usageOf('why', words), value: words.say('does.why') }) }
  }
  const explained = await explain(id)
  if (explained === undefined) return { text: words.say('alertNotFound') }
  return { text: explained.title, list: explained.lines }
}

async function silences({ acts, telling }: CommandParts): Promise<ChatReply> {
  const { words, timeZone } = telling
  const all = await acts.silences()
  const list = all.map(({ scope, until, by, why }) =>
    words.say('silenceInForce', {
      scope: telling.scope(scope),
      until: words.time(until, timeZone),
      by: by.name,
      why: why === '' ? words.say('noReason') : why,
    }),
  )
  return { text: words.say(list.length === 0 ? 'noSilenceInForce' : 'silencesInForce'), list }
}
