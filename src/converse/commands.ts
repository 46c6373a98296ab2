import type { Asked, Reply } from '../channels/interaction.ts'
import { type AlertEvent, knownModels } from '../event/event.ts'
import { newestFirst } from '../store/newest-first.ts'
import type { CommandName } from '../words/answers/said.ts'
import type { Said } from '../words/said.ts'
import type { Words } from '../words/words.ts'
import type { Silencing, SilencingParts } from './silencing.ts'
import type { Telling } from './telling.ts'

const periods = ['7d', '30d', '90d', '1y'] as const
type Period = (typeof periods)[number]
const categories = ['political', 'safety', 'social', 'all'] as const
type Category = (typeof categories)[number]

/** What is asked of the service. */
export type Question =
  | { what: 'history'; model: string; category?: Category; period?: Period }
  | { what: 'compare'; models: string[] }

/**
 * Asks the service within the budget that is kept for people; says it where it does not answer. Rejects where that is for
 * operators to mend.
 */
export type Consult = (question: Question, words: Words) => Promise<Reply>

interface CommandParts extends SilencingParts {
  silencing: Silencing
  consult: Consult
  status(telling: Telling): Promise<string[]>
  channels(): string[]
  sendTest: SendTest
}

type Given = Extract<Asked, { does: 'command' }>

/** Sends a test to the channel that is the place of who asks, and says what came of it. */
export type SendTest = (asked: Pick<Given, 'by' | 'key' | 'place'>, words: Words) => Promise<Reply>

interface Command {
  /** What stands behind its name. */
  usage?: keyof Said & `usage.${string}`
  answer(written: string[], parts: CommandParts, asked: Given): Promise<Reply> | Reply | undefined
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
  silence: { usage: 'usage.silence', answer: silence },
  silences: { answer: (_written, parts) => silences(parts) },
  channels: {
    answer: (_written, { channels, telling: { words } }) => ({
      text: words.say('alertsGoTo'),
      list: channels(),
    }),
  },
  test: { answer: (_written, { sendTest, telling: { words } }, asked) => sendTest(asked, words) },
  help: { answer: (_written, { telling: { words } }) => help('commandsAre', words) },
}

const newest = 5

export async function answerCommand(asked: Given, parts: CommandParts): Promise<Reply> {
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
export function categoryNamed(words: readonly string[]): Category | undefined {
  return categories.find((one) => words.includes(one))
}

function help(text: 'commandsAre' | 'noSuchCommand', words: Words): Reply {
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
function silence(written: string[], { silencing }: CommandParts, asked: Given): Promise<Reply> | undefined {
  const [model, second] = written
  const isEnd = (word: string | undefined) => word !== undefined && /^(\d.*|tomorrow)$/.test(word)
  const category = isEnd(second) ? undefined : second
  const at = category === undefined ? 1 : 2
  const until = written[at]
  if (!(isModel(model) || model === 'all') || until === undefined || !isEnd(until)) return undefined
  const why = asked.words
    .trim()
    .split(/\s+/)
    .slice(at + 2)
    .join(' ')
  const scope = {
    ...(model !== 'all' && { model }),
    ...(category !== undefined && category !== 'all' && { category }),
  }
  return silencing.ofScope(asked, { scope, until, why })
}

async function latest({ store, telling }: CommandParts): Promise<Reply> {
  const { words, timeZone } = telling
  const found: AlertEvent[] = []
  for await (const rows of newestFirst(store)) {
    found.push(...rows.flatMap(({ entry }) => (entry.kind === 'alert' ? [entry] : [])))
    if (found.length >= newest) break
  }
  const list: string[] = []
  for (const alert of found.slice(0, newest)) {
    const value = `${await telling.headline(alert)} (${alert.id})`
    list.push(words.say('labelled', { label: words.time(alert.receivedAt, timeZone), value }))
  }
  return { text: words.say(list.length === 0 ? 'noAlertStored' : 'newestAlerts'), list }
}

async function silences({ acts, telling }: CommandParts): Promise<Reply> {
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
