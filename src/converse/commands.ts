import type { Asked, Reply } from '../channels/interaction.ts'
import { type AlertEvent, knownModels } from '../event/event.ts'
import { newestFirst } from '../store/newest-first.ts'
import type { Silencing, SilencingParts } from './silencing.ts'

const periods = ['7d', '30d', '90d', '1y'] as const
type Period = (typeof periods)[number]
const categories = ['political', 'safety', 'social', 'all'] as const
type Category = (typeof categories)[number]

/** What is asked of the service. */
export type Question =
  | { what: 'history'; model: string; category?: Category; period?: Period }
  | { what: 'compare'; models: string[] }

/** Asks the service within the budget that is kept for people; says it where the answer could not be had. Never rejects. */
export type Consult = (question: Question) => Promise<Reply>

interface CommandParts extends SilencingParts {
  silencing: Silencing
  consult: Consult
  status(): Promise<string[]>
  channels(): string[]
  sendTest: SendTest
}

type Given = Extract<Asked, { does: 'command' }>

/** Sends a test to the channel that is the place of who asks, and says what came of it. */
export type SendTest = (asked: Pick<Given, 'by' | 'key' | 'place'>) => Promise<Reply>

interface Command {
  usage: string
  does: string
  answer(words: string[], parts: CommandParts, asked: Given): Promise<Reply> | Reply | undefined
}

/** What may be written behind `/bluepencil`. A command that cannot be read answers undefined. */
const commands: Record<string, Command> = {
  status: {
    usage: '',
    does: 'what works, and what is wrong',
    answer: async (_words, { status }) => listed('Bluepencil', await status()),
  },
  latest: { usage: '', does: 'the newest alerts', answer: (_words, parts, { by }) => latest(parts, by) },
  history: {
    usage: 'MODEL [CATEGORY] [PERIOD]',
    does: 'what a model refused over 7d, 30d, 90d or 1y',
    answer(words, { consult }) {
      const [model, ...rest] = words
      const period = periods.find((one) => rest.includes(one))
      const category = categoryNamed(rest)
      const isRead = rest.every((word) => word === period || word === category)
      if (!isModel(model) || !isRead) return undefined
      return consult({ what: 'history', model, ...(category && { category }), ...(period && { period }) })
    },
  },
  compare: {
    usage: 'MODEL MODEL',
    does: 'two models beside each other',
    answer: (words, { consult }) =>
      words.length === 2 && words.every(isModel) ? consult({ what: 'compare', models: words }) : undefined,
  },
  silence: {
    usage: 'MODEL [CATEGORY] DURATION [WHY]',
    does: 'hold alerts for 1h, 2d, 1w or until tomorrow',
    answer: silence,
  },
  silences: {
    usage: '',
    does: 'the silences in force',
    answer: async (_words, { acts, words, timeZone }, { by }) => {
      const all = await acts.silences()
      const rows = all.map(
        (one) =>
          `${words.scope(one.scope)} until ${words.when(one.until, timeZone(by))}: ${one.by.name}, ${one.why}`,
      )
      return listed(rows.length === 0 ? 'No silence is in force.' : 'In force:', rows)
    },
  },
  channels: {
    usage: '',
    does: 'where alerts go',
    answer: (_words, { channels }) => listed('Alerts go to:', channels()),
  },
  test: {
    usage: '',
    does: 'send a test to this channel',
    answer: (_words, { sendTest }, asked) => sendTest(asked),
  },
  help: { usage: '', does: 'this list', answer: () => help('What you can write:') },
}

const newest = 5

export async function answerCommand(asked: Given, parts: CommandParts): Promise<Reply> {
  const [name = 'help', ...words] = asked.words.toLowerCase().trim().split(/\s+/).filter(Boolean)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return help('There is no such command. What you can write:')
  const reply = await command.answer(words, parts, asked)
  return (
    reply ?? { text: `Write /bluepencil ${name} ${command.usage}; models are ${knownModels.join(', ')}.` }
  )
}

/** A category that the service has readings of, among words. */
export function categoryNamed(words: readonly string[]): Category | undefined {
  return categories.find((one) => words.includes(one))
}

function help(text: string): Reply {
  const rows = Object.entries(commands).map(
    ([name, { usage, does }]) => `/bluepencil ${[name, usage].filter(Boolean).join(' ')}: ${does}`,
  )
  return listed(text, rows)
}

function listed(text: string, list: string[]): Reply {
  return { text, list }
}

function isModel(word: string | undefined): word is string {
  return word !== undefined && knownModels.some((model) => model === word)
}

/** The reason keeps its capitals: it is shown. */
function silence(words: string[], { silencing }: CommandParts, asked: Given): Promise<Reply> | undefined {
  const [model, second] = words
  const isEnd = (word: string | undefined) => word !== undefined && /^(\d.*|tomorrow)$/.test(word)
  const category = isEnd(second) ? undefined : second
  const at = category === undefined ? 1 : 2
  const until = words[at]
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

async function latest({ store, words, timeZone }: CommandParts, by: Given['by']): Promise<Reply> {
  const found: AlertEvent[] = []
  for await (const rows of newestFirst(store)) {
    found.push(...rows.flatMap(({ entry }) => (entry.kind === 'alert' ? [entry] : [])))
    if (found.length >= newest) break
  }
  const list: string[] = []
  for (const alert of found.slice(0, newest)) {
    const at = words.when(alert.receivedAt, timeZone(by))
    list.push(`${at}: ${await words.headline(alert)} (${alert.id})`)
  }
  return listed(list.length === 0 ? 'No alert is stored.' : 'The newest alerts:', list)
}
