import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  type RESTPutAPIApplicationCommandsJSONBody,
  Routes,
} from 'discord.js'
import * as z from 'zod'
import { knownModels } from '../../event/event.ts'
import type { CommandName } from '../../message/words/phrases.ts'
import { languages } from '../../message/words/phrases.ts'
import { loadWords, type Words, wordsOf } from '../../message/words/words.ts'
import { longestWhy } from '../interaction.ts'
import type { Bot } from './rest.ts'

export const commandName = 'bluepencil'

const { String: text, Subcommand } = ApplicationCommandOptionType

/** What was chosen is put in the order in which it is written in Slack; Discord has it as it was filled in. */
export const optionOrder = [
  'model',
  'other',
  'category',
  'duration',
  'period',
  'event',
  'story',
  'why',
  'channel',
]

/** As Discord calls our languages: https://docs.discord.com/developers/reference#locales. English is what stands without one. */
const locales = [
  ['de', 'de'],
  ['fr', 'fr'],
  ['es-ES', 'es'],
  ['es-419', 'es'],
  ['pt-BR', 'pt'],
] as const

type TextInWords = (words: Words) => string
type CommandChoice = APIApplicationCommandOptionChoice<string>

function localised(say: TextInWords): Record<string, string> {
  return Object.fromEntries(locales.map(([locale, language]) => [locale, say(wordsOf(language))]))
}

/** Discord shows each person their own language. */
function described(say: TextInWords) {
  return { description: say(wordsOf()), description_localizations: localised(say) }
}

/** What is chosen from; Discord offers it while somebody writes. What comes back is the value. */
function choice(value: string, shown?: TextInWords): CommandChoice {
  if (shown === undefined) return { name: value, value }
  return { name: shown(wordsOf()), name_localizations: localised(shown), value }
}

function option(name: string, say: TextInWords, choices: CommandChoice[], required: boolean) {
  return { type: text, name, ...described(say), required, choices } as const
}

/** What people write themselves. */
function written(name: string, say: TextInWords) {
  return { type: text, name, ...described(say), required: true } as const
}

/** As in the list of `/bluepencil help`, with a capital. */
function subcommand(name: CommandName, options: APIApplicationCommandBasicOption[] = []) {
  const does: TextInWords = (words) => {
    const sentence = words.say(`does.${name}`)
    return sentence.charAt(0).toLocaleUpperCase(words.language) + sentence.slice(1)
  }
  return { type: Subcommand, name, ...described(does), options } as const
}

/** `/bluepencil` (https://docs.discord.com/developers/interactions/application-commands). The languages are loaded. */
function commandTree(): RESTPutAPIApplicationCommandsJSONBody {
  const models = knownModels.map((name) => choice(name))
  const all = choice('all', (words) => words.say('allModels'))
  const model = option('model', (words) => words.say('optionModel'), models, true)
  const categories = (['political', 'safety', 'social'] as const).map((category) =>
    choice(category, (words) => words.say('category', { category, name: category })),
  )
  const category = option('category', (words) => words.say('optionCategory'), categories, false)
  const periods = ['7d', '30d', '90d', '1y'].map((period) => choice(period))
  const event = written('event', (words) => words.say('optionEvent'))
  const durations = [
    ...['1h', '4h', '1d'].map((duration) => choice(duration)),
    choice('tomorrow', (words) => words.say('tomorrow')),
    choice('1w'),
  ]
  return [
    {
      name: commandName,
      ...described((words) => words.say('commands')),
      options: [
        subcommand('status'),
        subcommand('latest'),
        subcommand('history', [
          model,
          category,
          option('period', (words) => words.say('optionPeriod'), periods, false),
        ]),
        subcommand('compare', [model, option('other', (words) => words.say('optionOther'), models, true)]),
        subcommand('checking', [event]),
        subcommand('published', [event, written('story', (words) => words.say('optionStory'))]),
        subcommand('reopen', [event]),
        subcommand('silence', [
          option('model', (words) => words.say('optionModel'), [...models, all], true),
          option('duration', (words) => words.say('formDuration'), durations, true),
          category,
          { type: text, name: 'why', ...described((words) => words.say('formWhy')), max_length: longestWhy },
        ]),
        subcommand('silences'),
        subcommand('send-held', [written('channel', (words) => words.say('optionChannel'))]),
        subcommand('channels'),
        subcommand('why', [event]),
        subcommand('test'),
        subcommand('help'),
      ],
    },
  ]
}

const Application = z.object({ id: z.string() })

/** Makes the commands known to Discord, in place of those before; a repeat changes nothing. */
export async function registerCommands(bot: Bot, signal: AbortSignal): Promise<void> {
  await loadWords(languages)
  const id =
    bot.applicationId ?? Application.parse(await bot.rest().get(Routes.currentApplication(), { signal })).id
  await bot.rest().put(Routes.applicationCommands(id), { body: commandTree(), signal })
}
