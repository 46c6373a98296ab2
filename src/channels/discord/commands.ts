import { ApplicationCommandOptionType, type RESTPutAPIApplicationCommandsJSONBody, Routes } from 'discord.js'
import * as z from 'zod'
import { knownModels } from '../../event/event.ts'
import type { Bot } from './rest.ts'

export const commandName = 'bluepencil'

const { String: text, Subcommand } = ApplicationCommandOptionType

function choice(name: string, description: string, values: readonly string[], required: boolean) {
  return {
    type: text,
    name,
    description,
    required,
    choices: values.map((value) => ({ name: value, value })),
  } as const
}

/** What is chosen from; Discord offers it while somebody writes. */
const categories = ['political', 'safety', 'social']
const model = choice('model', 'Which model', knownModels, true)
const category = choice('category', 'Which prompts; else all', categories, false)

/** What was chosen is put in the order in which it is written in Slack; Discord has it as it was filled in. */
export const optionOrder = ['model', 'other', 'category', 'duration', 'period', 'why']

/** `/bluepencil` (https://docs.discord.com/developers/interactions/application-commands). */
const commandTree: RESTPutAPIApplicationCommandsJSONBody = [
  {
    name: commandName,
    description: 'Alerts, figures and silences',
    options: [
      { type: Subcommand, name: 'status', description: 'What works, and what is wrong' },
      { type: Subcommand, name: 'latest', description: 'The newest alerts' },
      {
        type: Subcommand,
        name: 'history',
        description: 'What a model refused',
        options: [
          model,
          category,
          choice('period', 'How far back; else 30d', ['7d', '30d', '90d', '1y'], false),
        ],
      },
      {
        type: Subcommand,
        name: 'compare',
        description: 'Two models beside each other',
        options: [model, choice('other', 'Beside which one', knownModels, true)],
      },
      {
        type: Subcommand,
        name: 'silence',
        description: 'Hold alerts for a while',
        options: [
          choice('model', 'Which model', [...knownModels, 'all'], true),
          choice('duration', 'How long', ['1h', '4h', '1d', 'tomorrow', '1w'], true),
          category,
          { type: text, name: 'why', description: 'Why', max_length: 200 },
        ],
      },
      { type: Subcommand, name: 'silences', description: 'The silences in force' },
      { type: Subcommand, name: 'channels', description: 'Where alerts go' },
      { type: Subcommand, name: 'test', description: 'Send a test to this channel' },
      { type: Subcommand, name: 'help', description: 'What can be written' },
    ],
  },
]

const Application = z.object({ id: z.string() })

/** Makes the commands known to Discord, in place of those before; a repeat changes nothing. */
export async function registerCommands(bot: Bot, signal: AbortSignal): Promise<void> {
  const id =
    bot.applicationId ?? Application.parse(await bot.rest().get(Routes.currentApplication(), { signal })).id
  await bot.rest().put(Routes.applicationCommands(id), { body: commandTree, signal })
}
